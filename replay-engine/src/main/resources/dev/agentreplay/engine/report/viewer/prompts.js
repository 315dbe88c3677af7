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
      return size === undefined
        ? messages
        : (cutMembers.set(messages, new Map([["0", size]])), messages);
    };
    if (typeof prompt === "string") {
      return new ReadPrompt(null, text(prompt, cut), new Map());
    } else if (Array.isArray(prompt)) {
      return new ReadPrompt(null, padded(prompt), new Map());
    } else if (!(prompt instanceof Map)) {
      return null;
    }
    const place = ReadPrompt.MESSAGES.find(
      (name) => Array.isArray(prompt.get(name)) || typeof prompt.get(name) === "string",
    );
    const rest = keepCuts(prompt, new Map(prompt));
    rest.delete(place);
    const stated = place === undefined ? [] : prompt.get(place);
    const read = new ReadPrompt(
      place ?? null,
      Array.isArray(stated) ? padded(stated) : text(stated, cutOf(prompt, place)),
      rest,
    );
    read.takeSystem();
    read.takeTools();
    return place === undefined && read.system === undefined ? null : read;
  }

  takeSystem() {
    const name = ["system", "instructions", "systemInstruction", "system_instruction"].find(
      (each) => this.rest.has(each) && this.rest.get(each) !== null,
    );
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
