
const parsed = new Map();

/** The cut members of the containers of values: by container, the whole size of each member. */
const cutMembers = new WeakMap();

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
    if (isContainer(container)) {
      cutMembers.set(container, (cutMembers.get(container) ?? new Map()).set(tokens.at(-1), size));
    }
  }
  return whole;
}

function memberOf(container, name) {
  return container instanceof Map ? container.get(name) : Array.isArray(container) ? container[Number(name)] : undefined;
}

/** The whole size of a member that is cut in this file; undefined if it is not. */
function cutOf(container, name) {
  return cutMembers.get(container)?.get(String(name));
}

/** The member that is the content of an event: its main one, or the error of a result without a value. */
function shownMember(event, value) {
  const failed = event.ok === false && value?.get(event.main) === null && value.get("error") instanceof Map;
  return failed ? "error" : event.main;
}

/** The value that an event has in its main member or in a blob; undefined if it has none here. */
function contentOf(event) {
  return event.main === undefined ? event.blob && valueOf(event.blob) : valueOf(event)?.get(event.main);
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
