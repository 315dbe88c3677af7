/** Members that identify an event but do not describe it. */
const DULL =
  /^(event|type|t|ts|id|session_id|step_id|created_at|.*_hash|hash|replay_version|tool|model|imported)$/;

/** The content of an event: its main member, or the members that describe it. */
function about(event) {
  const value = valueOf(event);
  if (value === undefined) {
    return event.size === undefined
      ? "not in this file"
      : `not in this file: ${count(event.size, "character")}`;
  }
  const member = shownMember(event, value);
  const main = member === undefined ? undefined : value.get(member);
  return main !== undefined ? main : new Map([...value].filter(([name]) => !DULL.test(name)));
}

/** A step on one line: the answer of a model, the parameters of a tool, the task of a session. */
function summaryOf(unit) {
  const { call } = unit;
  const known = {
    ModelCall: modelSummary,
    ModelResult: modelSummary,
    ReplayHeader: headerSummary,
    SessionStart: startSummary,
    SessionEnd: endSummary,
    FileState: fileSummary,
    RuntimeEvent: recordSummary,
    ToolCall: (each) => callSummary(each.call),
  }[unit.kind];
  const summary = known?.(unit);
  if (summary) {
    return line(summary, 400);
  }
  const name = unit.isTool || unit.kind === "ModelCall" ? "" : (call.name ?? "");
  const text = shortPaths(brief(unit.kind === "ModelCall" ? lastMessage(call) : about(call), 400));
  return line(name === "" ? text : name + "  " + text);
}

/** The end of a long path is more informative than its beginning. */
function shortPaths(text) {
  return text.replace(
    /(?:\/[^\s/:,"']+){4,}/g,
    (path) => "…/" + path.split("/").slice(-2).join("/"),
  );
}

/** The answer of a model: its text, the tools that it asks for, or its error. */
function modelSummary(unit) {
  const result = unit.kind === "ModelResult" ? unit.call : unit.result;
  if (!result) {
    return null;
  }
  const value = valueOf(result);
  const error = value?.get?.("error");
  if (result.ok === false && error !== undefined && error !== null) {
    return errorWords(error);
  }
  const answer = contentOf(result);
  const messages = Message.ofAnswer(answer, contentCut(result));
  if (messages === null) {
    return isContainer(answer) ? brief(answer, 400) : null;
  }
  const text = messages
    .map((message) => message.text)
    .filter((each) => each !== "")
    .join(" ");
  const calls = messages
    .flatMap((message) => message.partsOf("call"))
    .map(({ name, value: args }) => `${name}(${callLabel(name, args)})`);
  const said = calls.length > 0 && text.length > 120 ? line(text, 120) : text;
  const thought = messages
    .flatMap((message) => message.partsOf("thinking"))
    .map((part) => part.text)
    .join(" ");
  return (
    [said, calls.length > 0 ? "→ " + calls.join(", ") : ""]
      .filter((each) => each !== "")
      .join("  ") || (thought ? "thinking: " + thought : null)
  );
}

/**
 * The arguments of a call in short: of an edit the file, unless the call runs something besides.
 */
function callLabel(name, args) {
  const edited = Edits.of(args, name);
  return shortPaths((edited?.command === "" ? edited.file : null) ?? callWords(args, 160));
}

/** The last message of a prompt, or else the content of the call. */
function lastMessage(event) {
  const change = ChangedPrompt.of(null, event);
  const read = change ? null : ReadPrompt.of(contentOf(event));
  const last = (change ? change.added : (read?.messages ?? [])).at(-1);
  if (last === undefined) {
    return change ? `the messages of line ${event.base}` : about(event);
  }
  if (last === MISSING) {
    return "the last messages are not in this file";
  }
  const message = Message.of(last);
  const result = message.partsOf("result").at(-1);
  return message.text || (result ? (result.value ?? "") : last);
}

/** The parameters of a tool; of an edit only the file and the first changed lines. */
function callSummary(event) {
  const params = contentOf(event);
  const edited = Edits.of(params, event.name);
  if (!edited || (edited.file === null && edited.command === "")) {
    return null;
  }
  const [first] = edited.shown;
  const words =
    first.patch !== undefined
      ? patchedWords(first.patch)
      : first.written !== undefined
        ? line(first.written, 200)
        : first.before === ""
          ? "+ " + line(first.after, 200)
          : changedWords(first);
  const more = edited.shown.length - 1;
  const command = edited.command === "" ? "" : line(edited.command, 200) + "  ";
  const others = more > 0 ? ` and ${count(more, "more edit")}` : "";
  return `${command}${shortPaths(edited.file ?? "")}  ${words}${others}`;
}

function changedWords({ before, after }) {
  const [a, b] = [before, after].map((text) => text.split("\n"));
  const at = a.findIndex((text, i) => text !== b[i]);
  return at < 0
    ? `+ ${line(b[a.length] ?? "", 120)}`
    : `${line(a[at], 120)} → ${line(b[at] ?? "nothing", 120)}`;
}

/** The first changed line of a patch. */
function patchedWords(patch) {
  return line(/^(?:\+(?!\+\+ )|-(?!-- )).*$/m.exec(patch)?.[0] ?? "", 200);
}

/** The trace that a session was imported from; null for other logs. */
function headerSummary({ call }) {
  const origin = valueOf(call)?.get("imported_from");
  const files = origin instanceof Map ? origin.get("files") : undefined;
  return Array.isArray(files)
    ? ["imported from " + (textOf(origin, "format") ?? "a trace")]
        .concat(files.map((file) => textOf(file, "name") ?? ""))
        .join(", ")
    : null;
}

function startSummary({ call }) {
  const value = valueOf(call);
  const tags = value?.get("tags");
  return (
    textOf(value, "task", "instructions") ??
    (Array.isArray(tags) && tags.length > 0 ? brief(tags, 400) : textOf(value, "session_id"))
  );
}

/** The message in a record that an import keeps; null for other events of a runtime. */
function recordSummary({ call }) {
  const message = call.imported && Message.inRecord(contentOf(call));
  return message?.text ? `${message.role}: ${message.text}` : null;
}

function endSummary({ call }) {
  const value = valueOf(call);
  return [
    textOf(value, "exact_status", "status", "outcome"),
    textOf(value, "error_message"),
    textOf(value, "summary"),
  ]
    .filter(Boolean)
    .join(": ");
}

/** A change of a file: its path, what happened to it, and its size. */
function fileSummary({ call }) {
  const value = valueOf(call);
  if (value === undefined || call.name === undefined) {
    return null;
  }
  const size = value.get("bytes");
  const bytesOf = size instanceof JsonNumber ? `, ${count(Number(size.text), "byte")}` : "";
  return `${shortPaths(call.name)}  ${fileChange(value)}${bytesOf}`;
}

function fileChange(value) {
  const [before, after] = ["hash_before", "hash_after"].map(
    (name) => typeof value.get(name) === "string",
  );
  return before && after ? "changed" : after ? "created" : before ? "deleted" : "state";
}

/** The name of an error without its package, and its message. */
function errorWords(error) {
  return error instanceof Map
    ? [shortClass(textOf(error, "name", "type", "code") ?? ""), textOf(error, "message") ?? ""]
        .filter((each) => each !== "")
        .join(": ") || brief(error)
    : brief(error);
}

function shortClass(name) {
  return /^[\w$.]+\.[\w$]+$/.test(name) ? name.slice(name.lastIndexOf(".") + 1) : name;
}

/**
 * A failure as a word or two for a row: its exit code, or the name of the error; null for a
 * success.
 */
function failureWords(unit) {
  const event = unit.result ?? unit.call;
  if (event.ok !== false) {
    return null;
  }
  return event.exit !== undefined && event.exit !== 0
    ? `exit ${event.exit}`
    : event.error !== undefined && unit.isTool
      ? middle(shortClass(event.error), 28)
      : null;
}

/** A text that is cut in its middle if it is too long. */
function middle(text, length) {
  return text.length <= length
    ? text
    : text.slice(0, Math.ceil(length / 2) - 1) +
        "…" +
        text.slice(text.length - Math.floor(length / 2));
}
