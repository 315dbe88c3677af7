
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
    return parts === undefined ? null
      : parts.reduce((sum, part) => sum + (part.has("new") ? 0 : span(part)), 0);
  }

  /** The number of messages of the earlier prompt that this one no longer has. */
  get dropped() {
    const base = this.session?.events[this.session.places.get(this.event.base)];
    const earlier = base && ReadPrompt.of(promptOf(this.session, base, true))?.messages;
    return this.repeated === null || !Array.isArray(earlier) ? 0 : Math.max(0, earlier.length - this.repeated);
  }

  /** Whether the element of an array of the full prompt is one that the earlier prompt does not have. */
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
        members.set(pointer, parts.flatMap((part) => part.get("new") ?? [`elements ${index(part, "from")} to ${index(part, "to")} of before`]));
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

/** The full prompts that were put together last, by event. */
const fullPrompts = new Map();

/** The prompts that were put together last of which parts are not in this file, by event. */
const partialPrompts = new Map();

/**
 * The full prompt of a model call; undefined if a part of it, other than the rest of a text, is not in this file.
 * A partial one has an element for each message that is not in this file.
 */
function promptOf(session, event, isPartial = false) {
  const kept = isPartial ? partialPrompts : fullPrompts;
  const chain = [];
  let at = event;
  while (at?.base !== undefined && !kept.has(at)) {
    if (!isPartial && hasCutParts(at)) {
      return undefined;
    }
    chain.push(at);
    at = session.events[session.places.get(at.base)];
  }
  if (!isPartial && (!at || hasCutParts(at) || (at.blob && hasCutParts(at.blob)))) {
    return undefined;
  }
  const nothing = isPartial ? new Map() : undefined;
  let prompt = kept.get(at) ?? (at && contentOf(at));
  prompt = prompt instanceof Map ? prompt : nothing;
  while (prompt instanceof Map && chain.length > 0) {
    prompt = changedPrompt(prompt, valueOf(chain.pop())?.get("prompt_delta")) ?? nothing;
  }
  if (!(prompt instanceof Map)) {
    return undefined;
  }
  if (kept.size > 20) {
    kept.delete(kept.keys().next().value);
  }
  kept.set(event, prompt);
  return prompt;
}

/** Whether an embedded value lacks members or elements; a text that is cut is there all the same. */
function hasCutParts(embedded) {
  const value = valueOf(embedded);
  return (embedded.cuts ?? []).some(([pointer]) =>
    typeof pointerTokens(pointer).reduce(memberOf, value) !== "string");
}

/** The line of a model call as it was recorded, also if its prompt is embedded as a change. */
function recordedValue(session, event) {
  const value = valueOf(event);
  const full = event.repeats && value !== undefined ? promptOf(session, event) : undefined;
  return full === undefined ? value
    : keepCuts(value, new Map([...value].map(([name, member]) => (name === "prompt_delta" ? ["prompt", full] : [name, member]))));
}

function index(part, name) {
  return Number(part.get(name)?.text ?? 0);
}

/** The number of elements of a part of a changed array. */
function span(part) {
  return part.has("new") ? wholeSize(part.get("new"))
    : Math.min(Math.max(index(part, "to") - index(part, "from"), 0), MOST_MISSING);
}

/** A changed array; elements that are not in this file are missing ones. */
function joinedParts(parts, base) {
  const joined = [];
  const cuts = new Map();
  for (const part of parts) {
    const source = part.get("new") ?? (Array.isArray(base) ? base : []);
    const from = part.has("new") ? 0 : index(part, "from");
    for (let at = from; at < from + span(part); at++) {
      const cut = cutOf(source, at);
      if (cut !== undefined) {
        cuts.set(String(joined.length), cut);
      }
      joined.push(at < source.length ? source[at] : MISSING);
    }
  }
  cutMembers.set(joined, cuts);
  return joined;
}

/** A prompt with a change; undefined if the change is not in this file. */
function changedPrompt(prompt, delta) {
  if (!(delta instanceof Map)) {
    return undefined;
  }
  let result = prompt;
  for (const pointer of delta.get("removed") ?? []) {
    result = withMember(result, pointerTokens(pointer), undefined);
  }
  for (const [pointer, value] of delta.get("set") ?? []) {
    result = withMember(result, pointerTokens(pointer), value);
  }
  for (const [pointer, parts] of delta.get("slices") ?? []) {
    const base = pointerTokens(pointer).reduce((value, name) => (value instanceof Map ? value.get(name) : undefined), prompt);
    result = withMember(result, pointerTokens(pointer), joinedParts(parts, base));
  }
  return result;
}

function pointerTokens(pointer) {
  return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
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

/** The parts of a prompt: messages, the system prompt, the tools, and the other members. */
class ReadPrompt {
  static MESSAGES = ["messages", "input", "contents"];

  constructor(place, messages, rest) {
    this.place = place;
    this.messages = messages;
    this.rest = rest;
    this.systemName = null;
    this.tools = [];
  }

  /**
   * The parts of a prompt; null if it is not a text, messages, or an object with one of these. Of
   * a text that is cut, the whole size is given.
   */
  static of(prompt, cut = undefined) {
    const text = (value, size) => {
      const messages = [value];
      return size === undefined ? messages : (cutMembers.set(messages, new Map([["0", size]])), messages);
    };
    if (typeof prompt === "string") {
      return new ReadPrompt(null, text(prompt, cut), new Map());
    } else if (Array.isArray(prompt)) {
      return new ReadPrompt(null, padded(prompt), new Map());
    } else if (!(prompt instanceof Map)) {
      return null;
    }
    const place = ReadPrompt.MESSAGES.find((name) => Array.isArray(prompt.get(name)) || typeof prompt.get(name) === "string");
    const rest = keepCuts(prompt, new Map(prompt));
    rest.delete(place);
    const stated = place === undefined ? [] : prompt.get(place);
    const read = new ReadPrompt(place ?? null, Array.isArray(stated) ? padded(stated) : text(stated, cutOf(prompt, place)), rest);
    read.takeSystem();
    read.takeTools();
    return place === undefined && read.system === undefined ? null : read;
  }

  takeSystem() {
    const name = ["system", "instructions", "systemInstruction", "system_instruction"]
      .find((each) => this.rest.has(each) && this.rest.get(each) !== null);
    const message = name && readMessage(this.rest.get(name), "system", cutOf(this.rest, name));
    if (message) {
      this.systemName = name;
      this.system = message.parts;
      this.rest.delete(name);
    }
  }

  takeTools() {
    const context = this.rest.get("context");
    if (Array.isArray(this.rest.get("tools"))) {
      this.tools = this.rest.get("tools");
      this.rest.delete("tools");
    } else if (context instanceof Map && Array.isArray(context.get("tools"))) {
      this.tools = context.get("tools");
      const others = keepCuts(context, new Map(context));
      others.delete("tools");
      this.rest.delete("context");
      if (others.size > 0) {
        this.rest.set("context", others);
      }
    }
  }

  /** Whether a changed member is, or contains, the tools. */
  isOfTools(pointer) {
    return pointer === "/tools" || pointer === "/context" || pointer.startsWith("/context/tools");
  }
}
