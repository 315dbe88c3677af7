const parsed = new Map();

/** The cut members of the containers of values: by container, the whole size of each member. */
const cutMembers = new WeakMap();

/** The whole sizes of the objects and arrays that are cut. */
const cutSizes = new WeakMap();

/** An element of an array that is not in this file. */
const MISSING = { toString: () => "not in this file" };

/** The most elements that are counted as missing in one place; a log can state any number. */
const MOST_MISSING = 100_000;

/** The data of embedded images, by hash. An image is in the file once. */
const imageData = new Map();

/** The value that an event embeds; undefined if it was omitted. Values used recently are cached. */
function valueOf(embedded) {
  if (embedded.json === undefined) {
    return undefined;
  }
  if (!parsed.has(embedded)) {
    if (parsed.size > 500) {
      parsed.delete(parsed.keys().next().value);
    }
    parsed.set(embedded, withParts(parseJson(embedded.json), embedded));
  }
  return parsed.get(embedded);
}

/** A value with its images in place, and with notes at its cut members. */
function withParts(value, embedded) {
  let whole = value;
  const parent = (tokens) => tokens.reduce((container, token) => memberOf(container, token), whole);
  for (const [pointer, image] of embedded.images ?? []) {
    const tokens = pointerTokens(pointer);
    const shown = new RecordedImage(image, imageData.get(image.hash));
    if (tokens.length === 0) {
      whole = shown;
      continue;
    }
    const container = parent(tokens.slice(0, -1));
    const name = tokens.at(-1);
    if (container instanceof Map && container.has(name)) {
      container.set(name, shown);
    } else if (Array.isArray(container) && Number(name) < container.length) {
      container[Number(name)] = shown;
    }
  }
  for (const [pointer, size] of embedded.cuts ?? []) {
    const tokens = pointerTokens(pointer);
    const container = tokens.length === 0 ? undefined : parent(tokens.slice(0, -1));
    const cut = parent(tokens);
    if (isContainer(cut)) {
      cutSizes.set(cut, size);
    }
    if (isContainer(container)) {
      cutMembers.set(container, (cutMembers.get(container) ?? new Map()).set(tokens.at(-1), size));
    }
  }
  return whole;
}

function memberOf(container, name) {
  return container instanceof Map
    ? container.get(name)
    : Array.isArray(container)
      ? container[Number(name)]
      : undefined;
}

/** The whole size of a member that is cut in this file; undefined if it is not. */
function cutOf(container, name) {
  return cutMembers.get(container)?.get(String(name));
}

/** Notes that a copy of a container has the same cut members. */
function keepCuts(container, copy) {
  if (cutMembers.has(container)) {
    cutMembers.set(copy, cutMembers.get(container));
  }
  return copy;
}

/** The number of elements of an array, with those that are not in this file. */
function wholeSize(array) {
  return Math.min(Math.max(cutSizes.get(array) ?? 0, array.length), array.length + MOST_MISSING);
}

/** An array with an element for each that is not in this file. */
function padded(array) {
  const missing = wholeSize(array) - array.length;
  return missing === 0 ? array : keepCuts(array, [...array, ...Array(missing).fill(MISSING)]);
}

/**
 * The cut parts of a value that is part of an embedded one, by pointer; of a text, its whole size
 * is given.
 */
function cutsIn(value, cut = undefined, pointer = "", cuts = new Map()) {
  const size = isContainer(value)
    ? cutSizes.get(value)
    : typeof value === "string"
      ? cut
      : undefined;
  if (size !== undefined) {
    cuts.set(pointer, [pointer, size, isContainer(value) ? sizeOf(value) : value.length]);
  }
  for (const [name, member] of isContainer(value) ? membersOf(value) : []) {
    cutsIn(member, cutOf(value, name), child(pointer, name), cuts);
  }
  return cuts;
}

/**
 * The member that is the content of an event: its main one, or the error of a result without a
 * value.
 */
function shownMember(event, value) {
  const failed =
    event.ok === false && value?.get(event.main) === null && value.get("error") instanceof Map;
  return failed ? "error" : event.main;
}

/** The value that an event has in its main member or in a blob; undefined if it has none here. */
function contentOf(event) {
  return event.main === undefined
    ? event.blob && valueOf(event.blob)
    : valueOf(event)?.get(event.main);
}

/** The whole size of the content of an event, if it is a text that is cut. */
function contentCut(event) {
  return event.main !== undefined
    ? cutOf(valueOf(event), event.main)
    : event.blob?.cuts?.find(([pointer]) => pointer === "")?.[1];
}

/** Keeps the data of the images of a session, each of which is at the first event that has it. */
function keepImages(session) {
  for (const event of session.events) {
    for (const [, image] of [...(event.images ?? []), ...(event.blob?.images ?? [])]) {
      if (image.data !== undefined) {
        imageData.set(image.hash, image.data);
      }
    }
  }
}
