/** The number of messages of a prompt that are shown at once, if all of them are new. */
const MOST_MESSAGES = 12;

/**
 * The names of the tools that messages ask for, by the ids of the calls; they are read on demand.
 */
class CalledNames {
  /** @param read returns the message at a place; null if it is not in this file */
  constructor(length, read) {
    this.next = length - 1;
    this.read = read;
    this.known = new Map();
  }

  /** The name of the tool of a call, of the last one with this id; undefined if there is none. */
  get(id) {
    while (id !== undefined && this.next >= 0 && !this.known.has(id)) {
      const calls = this.read(this.next--)?.partsOf("call") ?? [];
      for (const call of calls.reverse()) {
        if (call.id && !this.known.has(call.id)) {
          this.known.set(call.id, call.name);
        }
      }
    }
    return this.known.get(id);
  }
}

/** Messages as a chat. */
function chat(messages, names) {
  return Message.joined(messages).map((message) => chatMessage(message, names));
}

/** A message as a block of a chat; the names are those of the called tools. */
function chatMessage(message, names = new Map()) {
  const role = ROLES.get(message.role) ?? "other";
  return el(
    `article.chat.of-${role}`,
    {},
    el(
      "h4",
      {},
      message.role,
      message.name ? el("span.about", {}, " " + line(message.name, 60)) : null,
    ),
    message.parts.length === 0
      ? el("p.about", {}, "an empty message")
      : message.parts.map((part) => chatPart(part, names)),
  );
}

function chatPart(part, names = new Map()) {
  switch (part.kind) {
    case "text":
      return part.cut !== undefined || jsonIn(part.text) === undefined
        ? longText(part.text, { cut: part.cut })
        : tree(part.text, new Map(), 1);
    case "thinking":
      return fold(
        ["Thinking", el("span.preview", {}, line(part.text, 120))],
        () => longText(part.text, { cut: part.cut }),
        "part.thinking",
      );
    case "call":
      return chatCall(part);
    case "result":
      return chatResult(part, names);
    case "image":
      return part.image.element();
    case "note":
      return el("p.cut", {}, part.text);
    default:
      return tree(part.value, cutsIn(part.value), 1);
  }
}

/** A tool that the model asked for. */
function chatCall({ name, value, cut, note }) {
  const edited = Edits.of(value, name, cut);
  const cuts = cutsIn(value, cut);
  const brief = edited ? null : callWords(value);
  const isShort = brief !== null && cuts.size === 0 && brief.length <= 90 && !brief.includes("↵");
  return el(
    "div.chat-call",
    {},
    el("p", {}, "→ ", el("b.name", {}, name), isShort ? el("span.text", {}, `(${brief})`) : null),
    edited
      ? edited.elements()
      : isShort
        ? null
        : isContainer(value)
          ? tree(value, cuts, 1)
          : longText(String(value ?? ""), { cut }),
    note ? chatPart(note) : null,
  );
}

/** The result of a tool that the model was given. */
function chatResult({ name, value, failed, id, cut }, names) {
  const label = [
    failed ? el("b.failed", {}, "✕ failed ") : null,
    name || names.get(id)
      ? el("b.name", {}, name ?? names.get(id))
      : id
        ? el("span.about", {}, `for ${line(id, 60)}`)
        : null,
  ];
  const parts =
    value instanceof RecordedImage
      ? [{ kind: "image", image: value }]
      : Array.isArray(value)
        ? blocks(value)
        : null;
  return el(
    "div.chat-result",
    {},
    label.some(Boolean) ? el("p", {}, label) : null,
    parts
      ? parts.map((part) => chatPart(part, names))
      : typeof value === "string"
        ? chatPart({ kind: "text", text: value, cut })
        : value === undefined || value === null
          ? el("p.about", {}, "no result")
          : tree(value, cutsIn(value), 1),
  );
}

/** The arguments of a call on one line, as a call of a function has them. */
function callWords(value, length = 240) {
  return value === undefined || value === null
    ? ""
    : value instanceof Map && value.size === 0
      ? ""
      : value instanceof Map
        ? line(
            [...value].map(([name, each]) => `${name}: ${argumentWords(each, length)}`).join(", "),
            length,
          )
        : argumentWords(value, length);
}

function argumentWords(value, length) {
  return typeof value === "string"
    ? `"${line(value, length)}"`
    : isContainer(value)
      ? Array.isArray(value)
        ? brief(value, length)
        : `{${brief(value, length)}}`
      : brief(value, length);
}

/** The prompt of a model call as a chat: what is new in it, and in folds what is not. */
class PromptChat {
  constructor(session, event, onOpenLine) {
    this.event = event;
    this.onOpenLine = onOpenLine;
    this.change = ChangedPrompt.of(session, event);
    this.prompt = this.change ? this.change.known : contentOf(event);
  }

  /**
   * The elements of the chat; null if the prompt is not of a known form, or is not in this file.
   */
  elements() {
    const read = ReadPrompt.of(this.prompt, contentCut(this.event));
    if (read === null) {
      return null;
    }
    const isNew = this.change ? this.change.isNew(read.place) : () => true;
    const set = this.change?.members;
    const isSystemNew = !this.change || set.has("/" + read.systemName);
    const { messages } = read;
    const at = (i) =>
      messages[i] === MISSING ? null : Message.of(messages[i], "user", cutOf(messages, i));
    const names = new CalledNames(messages.length, at);
    const there = messages.reduce((n, message) => n + (message !== MISSING), 0);
    const runs = []; // of messages that are shown in the same way
    messages.forEach((message, i) => {
      const missing = message === MISSING;
      const fresh = isNew(i) && (this.change !== null || missing || i >= there - MOST_MESSAGES);
      const last = runs.at(-1);
      if (last?.fresh !== fresh || last.missing !== missing) {
        runs.push({ fresh, missing, from: i, to: i });
      }
      runs.at(-1).to = i + 1;
    });
    const shown = ({ from, to }) =>
      inHundreds(to - from, (first, end) =>
        chat(
          Array.from({ length: end - first }, (_, i) => at(from + first + i)),
          names,
        ),
      );
    return [
      this.about(),
      read.system === undefined
        ? null
        : isSystemNew
          ? chatMessage(new Message("system", read.system))
          : fold("System prompt, unchanged", () => chatMessage(new Message("system", read.system))),
      runs.map((run) =>
        run.missing
          ? missingMessages(run.to - run.from, run.fresh)
          : run.fresh
            ? shown(run)
            : fold(count(run.to - run.from, "earlier message"), () => shown(run)),
      ),
      read.tools.length === 0
        ? null
        : toolFold(
            read.tools,
            this.change && ![...set.keys()].some((pointer) => read.isOfTools(pointer)),
          ),
      read.rest.size === 0
        ? null
        : fold(["Other parts of the prompt", el("span.preview", {}, brief(read.rest, 120))], () =>
            tree(read.rest, cutsIn(read.rest), 2),
          ),
      [missingPart(this.prompt, "member")].filter(Boolean).map((part) => chatPart(part)),
    ];
  }

  /** A note on the call whose prompt this one continues. */
  about() {
    if (!this.change) {
      return null;
    }
    const { base } = this.event;
    const dropped = this.change.dropped;
    return el(
      "p.about",
      {},
      "continues the prompt of ",
      el("button.link", { type: "button", click: () => this.onOpenLine(base) }, `line ${base}`),
      dropped > 0 ? `, without ${count(dropped, "message")} of it` : "",
    );
  }
}

/** A note on messages that are not in this file. */
function missingMessages(size, isNew) {
  return el(
    "p.cut",
    {},
    !isNew
      ? `${count(size, "earlier message")}, not in this file`
      : `${count(size, "more message")} ${size === 1 ? "is" : "are"} not in this file`,
  );
}

/** The tools of a prompt, in a fold. */
function toolFold(tools, isUnchanged) {
  const missing = missingPart(tools, "tool");
  return [
    missing ? chatPart(missing) : null,
    fold(
      [
        count(tools.length, "tool"),
        isUnchanged ? ", unchanged" : "",
        el("span.preview", {}, line(tools.map(toolName).join(", "), 160)),
      ],
      () =>
        el(
          "ul.tools-offered",
          {},
          tools.map((tool) => {
            const inner =
              tool instanceof Map && tool.get("function") instanceof Map
                ? tool.get("function")
                : tool;
            const description = textOf(inner, "description");
            return el(
              "li",
              {},
              fold(
                [
                  el("b.name", {}, toolName(tool)),
                  description ? el("span.preview", {}, line(description, 160)) : null,
                ],
                () => [
                  description ? longText(description, { cut: cutOf(inner, "description") }) : null,
                  tree(inner, cutsIn(inner), 2),
                ],
              ),
            );
          }),
        ),
    ),
  ];
}

function toolName(tool) {
  return (
    textOf(tool, "name") ??
    textOf(tool?.get?.("function"), "name") ??
    textOf(tool, "type") ??
    "unnamed"
  );
}
