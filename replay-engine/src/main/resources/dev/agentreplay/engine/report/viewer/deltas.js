/** A prompt that the log holds as a change of an earlier one. */
class ChangedPrompt {
  constructor(session, event) {
    this.session = session;
    this.event = event;
    this.delta = valueOf(event)?.get("prompt_delta");
  }

  /** The change of a prompt; null for other events, and if it is not in this file. */
  static of(session, event) {
    const prompt = new ChangedPrompt(session, event);
    return event.base !== undefined && prompt.delta instanceof Map ? prompt : null;
  }

  /** The changed parts of the messages; undefined if all of them are repeated. */
  get parts() {
    const slices = this.delta.get("slices");
    return ReadPrompt.MESSAGES.map((name) => slices?.get("/" + name)).find(Boolean);
  }

  /** The messages that the earlier prompt does not have. */
  get added() {
    return (this.parts ?? []).flatMap((part) => padded(part.get("new") ?? []));
  }

  /** The number of messages that the earlier prompt has, too; null if all of them are repeated. */
  get repeated() {
    const { parts } = this;
    return parts === undefined
      ? null
      : parts.reduce((sum, part) => sum + (part.has("new") ? 0 : span(part)), 0);
  }

  /** The number of messages of the earlier prompt that this one no longer has. */
  get dropped() {
    const base = this.session?.events[this.session.places.get(this.event.base)];
    const earlier = base && ReadPrompt.of(promptOf(this.session, base, true))?.messages;
    return this.repeated === null || !Array.isArray(earlier)
      ? 0
      : Math.max(0, earlier.length - this.repeated);
  }

  /**
   * Whether the element of an array of the full prompt is one that the earlier prompt does not
   * have.
   */
  isNew(name) {
    const parts = this.delta.get("slices")?.get("/" + name);
    if (parts === undefined) {
      return () => this.delta.get("set")?.has("/" + name) === true;
    }
    const places = parts.flatMap((part) => Array(span(part)).fill(part.has("new")));
    return (i) => places[i] === true;
  }

  /** The changed members other than the messages, by pointer. */
  get members() {
    const stated = this.delta.get("set");
    const members = keepCuts(stated, new Map(stated ?? []));
    for (const pointer of this.delta.get("removed") ?? []) {
      members.set(pointer, "removed");
    }
    for (const [pointer, parts] of this.delta.get("slices") ?? []) {
      if (parts !== this.parts) {
        members.set(
          pointer,
          parts.flatMap(
            (part) =>
              part.get("new") ?? [
                `elements ${index(part, "from")} to ${index(part, "to")} of before`,
              ],
          ),
        );
      }
    }
    return members;
  }

  /** The full prompt; undefined if a part of it is not in this file. */
  get full() {
    return promptOf(this.session, this.event);
  }

  /** The prompt as far as it is in this file, with an element for each message that is not. */
  get known() {
    return this.full ?? promptOf(this.session, this.event, true);
  }
}

/**
 * An array of a prompt that is put together from changes. The arrays of prompts of which each
 * continues the one before are beginnings of one common array, so that all of them together take
 * no more than the last one. Elements that are not in this file are missing ones.
 */
class Beginning {
  /**
   * @param elements an array that begins with the elements
   * @param cuts the whole sizes of its cut elements, by index
   */
  constructor(elements, cuts, length) {
    this.elements = elements;
    this.cuts = cuts;
    this.length = length;
  }

  static of(array) {
    return new Beginning(array, cutMembers.get(array) ?? new Map(), array.length);
  }

  /** The array with a change, given as the parts that are kept and those that are new. */
  changed(parts) {
    const [first, ...added] = parts;
    const continues =
      first !== undefined &&
      !first.has("new") &&
      index(first, "from") === 0 &&
      span(first) === this.length &&
      added.every((part) => part.has("new"));
    if (!continues) {
      return this.joined([], new Map(), parts);
    }
    const isLast = this.elements.length === this.length && this.isOwn;
    return this.joined(
      isLast ? this.elements : this.elements.slice(0, this.length),
      isLast ? this.cuts : new Map([...this.cuts].filter(([at]) => Number(at) < this.length)),
      added,
    );
  }

  /** Appends parts to elements. */
  joined(elements, cuts, parts) {
    for (const part of parts) {
      const isNew = part.has("new");
      const source = isNew ? part.get("new") : this.elements;
      const length = isNew ? source.length : this.length;
      const from = isNew ? 0 : index(part, "from");
      for (let at = from; at < from + span(part); at++) {
        const cut = isNew ? cutOf(source, at) : this.cuts.get(String(at));
        if (cut !== undefined) {
          cuts.set(String(elements.length), cut);
        }
        elements.push(at < length ? source[at] : MISSING);
      }
    }
    const joined = new Beginning(elements, cuts, elements.length);
    joined.isOwn = true; // not an array of a recorded value, to which nothing is appended
    return joined;
  }

  array() {
    const array = this.elements.slice(0, this.length);
    cutMembers.set(array, this.cuts);
    return array;
  }
}

/**
 * A prompt that is put together from changes: its members, and the arrays of which slices changed.
 */
class JoinedPrompt {
  /** @param arrays the arrays by their pointers, at which the members do not have them */
  constructor(members, arrays = new Map()) {
    this.members = members;
    this.arrays = arrays;
  }

  /** The prompt with a change; null if the change is not in this file. */
  changed(delta) {
    if (!(delta instanceof Map)) {
      return null;
    }
    let { members } = this;
    const arrays = new Map(this.arrays);
    const put = (pointer, value) => {
      for (const at of [...arrays.keys()].filter((each) =>
        (each + "/").startsWith(pointer + "/"),
      )) {
        arrays.delete(at);
      }
      members = withMember(members, pointerTokens(pointer), value);
    };
    (delta.get("removed") ?? []).forEach((pointer) => put(pointer, undefined));
    (delta.get("set") ?? new Map()).forEach((value, pointer) => put(pointer, value));
    for (const [pointer, parts] of delta.get("slices") ?? []) {
      const base = this.arrayAt(pointer);
      arrays.set(pointer, base.changed(parts));
    }
    return new JoinedPrompt(members, arrays);
  }

  arrayAt(pointer) {
    const known = this.arrays.get(pointer);
    const stated = known ? null : pointerTokens(pointer).reduce(mapMember, this.members);
    return known ?? Beginning.of(Array.isArray(stated) ? stated : []);
  }

  /** The number of elements that are held for this prompt alone. */
  costOver(base) {
    let cost = 8;
    for (const [pointer, { elements, length }] of this.arrays) {
      cost += base?.arrays.get(pointer)?.elements === elements ? 0 : length;
    }
    return cost;
  }

  value() {
    let value = this.members;
    for (const [pointer, beginning] of this.arrays) {
      value = withMember(value, pointerTokens(pointer), beginning.array());
    }
    return value;
  }
}

function mapMember(value, name) {
  return value instanceof Map ? value.get(name) : undefined;
}

/** The prompts of a session that were put together, by event; null for one that cannot be. */
class JoinedPrompts {
  /** The most elements of arrays that are kept. */
  static MOST = 3_000_000;

  /** @param isPartial whether an element that is not in this file is a missing one */
  constructor(isPartial) {
    this.isPartial = isPartial;
    this.clear();
  }

  clear() {
    this.kept = new Map();
    this.cost = 0;
  }

  keep(event, prompt, base = null) {
    this.cost += prompt?.costOver(base) ?? 1;
    if (this.cost > JoinedPrompts.MOST) {
      this.clear();
    }
    this.kept.set(event, prompt);
    return prompt;
  }

  /**
   * The prompt of a model call; null if a part of it, other than the rest of a text, is missing.
   */
  of(session, event) {
    const chain = [];
    let at = event;
    while (at?.base !== undefined && !this.kept.has(at)) {
      chain.push(at);
      at = session.events[session.places.get(at.base)];
    }
    let prompt = this.kept.get(at);
    if (prompt === undefined) {
      prompt = this.first(at);
      if (at !== undefined) {
        this.keep(at, prompt);
      }
    }
    while (chain.length > 0) {
      prompt = this.keep(chain.at(-1), this.next(prompt, chain.pop()), prompt);
    }
    return prompt;
  }

  /** The prompt of an event that states it in full. */
  first(event) {
    const isWhole = event && !hasCutParts(event) && !(event.blob && hasCutParts(event.blob));
    const content = event && (this.isPartial || isWhole) ? contentOf(event) : undefined;
    return content instanceof Map
      ? new JoinedPrompt(content)
      : this.isPartial
        ? new JoinedPrompt(new Map())
        : null;
  }

  next(prompt, event) {
    const isKnown = prompt !== null && (this.isPartial || !hasCutParts(event));
    const changed = isKnown ? prompt.changed(valueOf(event)?.get("prompt_delta")) : null;
    return changed ?? (this.isPartial ? new JoinedPrompt(new Map()) : null);
  }
}

const fullPrompts = new JoinedPrompts(false);
const partialPrompts = new JoinedPrompts(true);

/**
 * The full prompt of a model call; undefined if a part of it, other than the rest of a text, is not
 * in this file. A partial one has an element for each message that is not in this file.
 */
function promptOf(session, event, isPartial = false) {
  return (isPartial ? partialPrompts : fullPrompts).of(session, event)?.value();
}

/**
 * Whether an embedded value lacks members or elements; a text that is cut is there all the same.
 */
function hasCutParts(embedded) {
  const value = valueOf(embedded);
  return (embedded.cuts ?? []).some(
    ([pointer]) => typeof pointerTokens(pointer).reduce(memberOf, value) !== "string",
  );
}

/** The line of a model call as it was recorded, also if its prompt is embedded as a change. */
function recordedValue(session, event) {
  const value = valueOf(event);
  const full = event.repeats && value !== undefined ? promptOf(session, event) : undefined;
  return full === undefined
    ? value
    : keepCuts(
        value,
        new Map(
          [...value].map(([name, member]) =>
            name === "prompt_delta" ? ["prompt", full] : [name, member],
          ),
        ),
      );
}

function index(part, name) {
  return Number(part.get(name)?.text ?? 0);
}

/** The number of elements of a part of a changed array. */
function span(part) {
  return part.has("new")
    ? wholeSize(part.get("new"))
    : Math.min(Math.max(index(part, "to") - index(part, "from"), 0), MOST_MISSING);
}

function pointerTokens(pointer) {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function withMember(map, [name, ...rest], value) {
  const copy = keepCuts(map, new Map(map));
  if (rest.length > 0) {
    copy.set(name, withMember(map.get(name) ?? new Map(), rest, value));
  } else if (value === undefined) {
    copy.delete(name);
  } else {
    copy.set(name, value);
  }
  return copy;
}
