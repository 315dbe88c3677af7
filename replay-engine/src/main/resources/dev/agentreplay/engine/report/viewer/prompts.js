
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

  /** The messages that the earlier prompt does not have. */
  get added() {
    return (this.delta.get("slices")?.get("/messages") ?? []).flatMap((part) => part.get("new") ?? []);
  }

  /** The number of messages that the earlier prompt has, too; null if all of them are repeated. */
  get repeated() {
    const parts = this.delta.get("slices")?.get("/messages");
    return parts === undefined ? null
      : parts.reduce((sum, part) => sum + (part.has("new") ? 0 : index(part, "to") - index(part, "from")), 0);
  }

  /** The changed members other than the messages, by pointer. */
  get members() {
    const members = new Map(this.delta.get("set") ?? []);
    for (const pointer of this.delta.get("removed") ?? []) {
      members.set(pointer, "removed");
    }
    for (const [pointer, parts] of this.delta.get("slices") ?? []) {
      if (pointer !== "/messages") {
        members.set(pointer, parts.flatMap((part) => part.get("new") ?? [`elements ${index(part, "from")} to ${index(part, "to")} of before`]));
      }
    }
    return members;
  }

  /** The full prompt; undefined if a part of it is not in this file. */
  get full() {
    const chain = [];
    let event = this.event;
    while (event?.base !== undefined) {
      if (event.cuts?.length > 0) {
        return undefined;
      }
      chain.push(event);
      event = this.session.events[this.session.places.get(event.base)];
    }
    if (event?.cuts?.length > 0 || event?.blob?.cuts?.length > 0) {
      return undefined;
    }
    let prompt = event && (event.main === undefined ? valueOf(event.blob ?? {}) : valueOf(event)?.get(event.main));
    while (prompt instanceof Map && chain.length > 0) {
      prompt = changedPrompt(prompt, valueOf(chain.pop())?.get("prompt_delta"));
    }
    return prompt instanceof Map ? prompt : undefined;
  }
}

function index(part, name) {
  return Number(part.get(name).text);
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
    const joined = parts.flatMap((part) => part.get("new") ?? (base ?? []).slice(index(part, "from"), index(part, "to")));
    result = withMember(result, pointerTokens(pointer), joined);
  }
  return result;
}

function pointerTokens(pointer) {
  return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function withMember(map, [name, ...rest], value) {
  const copy = new Map(map);
  if (rest.length > 0) {
    copy.set(name, withMember(map.get(name) ?? new Map(), rest, value));
  } else if (value === undefined) {
    copy.delete(name);
  } else {
    copy.set(name, value);
  }
  return copy;
}
