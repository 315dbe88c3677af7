/** The roles of messages, by the words of the formats. */
const ROLES = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["tool_execution_result", "tool"],
]);

/** The types of LangChain4j's messages, of which the role is not a member of its own. */
const TYPED_ROLES = new Set(["SYSTEM", "USER", "AI", "TOOL_EXECUTION_RESULT", "CUSTOM"]);

/** Members of messages of any format that hold what was said. */
const CONTENTS = [
  "content",
  "contents",
  "text",
  "parts",
  "tool_calls",
  "toolExecutionRequests",
  "function_call",
];

/** The other members of messages without a role; with more it is a structured value. */
const KNOWN = new Set([
  ...CONTENTS,
  "thinking",
  "reasoning_content",
  "reasoning",
  "refusal",
  "images",
  "name",
]);

/** Those of KNOWN that are shown only if they are texts. */
const TEXTS = new Set(["text", "thinking", "reasoning_content", "reasoning", "refusal", "name"]);

/** Members of a choice, which also states the reason why the model stopped. */
const OF_CHOICES = new Set(["index", "finish_reason", "logprobs"]);

/** The members of records of other tools that may have a message. */
const RECORD_MEMBERS = ["message", "payload", "llm_message", "content"];

/**
 * A message of a prompt or of an answer, read from the format of any provider. A part is an object
 * with its kind: text, thinking, call (name, value), result (name, value, failed), image, value.
 */
class Message {
  constructor(role, parts, name = null, isItem = false) {
    this.role = role;
    this.parts = parts.filter(Boolean);
    this.name = name;
    this.isItem = isItem; // a part of what an agent said, as a message of its own
  }

  /** The messages with consecutive items of one role joined. */
  static joined(messages) {
    const joined = [];
    for (const message of messages) {
      const last = joined.at(-1);
      if (message.isItem && last?.isItem && last.role === message.role) {
        joined[joined.length - 1] = new Message(
          last.role,
          [...last.parts, ...message.parts],
          last.name,
          true,
        );
      } else {
        joined.push(message);
      }
    }
    return joined;
  }

  partsOf(kind) {
    return this.parts.filter((part) => part.kind === kind);
  }

  /** The text that was said, without thinking, calls and results. */
  get text() {
    return this.partsOf("text")
      .map((part) => part.text)
      .join("\n");
  }

  /** A message of a prompt, or of an answer if the role is assistant; never null. */
  static of(value, role = "user", cut = undefined) {
    return (
      readMessage(value, role, cut) ??
      new Message(role === "user" ? "message" : role, [{ kind: "value", value }])
    );
  }

  /** The message in a record of a different tool; null if it has none. */
  static inRecord(value) {
    const states = (each) => each instanceof Map && typeof each.get("role") === "string";
    const found = states(value)
      ? value
      : RECORD_MEMBERS.map((name) => value?.get?.(name)).find((each) => states(each));
    const message = found && readMessage(found, "user");
    return message && message.parts.length > 0 ? message : null;
  }

  /**
   * The messages of an answer; null if it is a structured value that is not a message. Of a text
   * that is cut, the whole size is given.
   */
  static ofAnswer(value, cut = undefined) {
    if (typeof value === "string") {
      return [new Message("assistant", [textPart(value, "text", cut)])];
    } else if (Array.isArray(value)) {
      if (value.some((element) => element instanceof Map && isMessage(element))) {
        return answerItems(value, (element) =>
          isMessage(element) ? readMessage(element, "assistant") : null,
        );
      }
      const parts = blocks(value);
      return parts.some((part) => part.kind !== "value") ? [new Message("assistant", parts)] : null;
    } else if (!(value instanceof Map)) {
      return null;
    }
    const listed = ["choices", "output", "candidates"]
      .map((name) => value.get(name))
      .find((list) => Array.isArray(list) && list.length > 0);
    if (listed) {
      const read = (each) =>
        readMessage(each.get("message") ?? each.get("content") ?? each, "assistant") ??
        readMessage(each, "assistant");
      return listed.some((each) => each instanceof Map && read(each))
        ? answerItems(listed, read)
        : null;
    }
    const output = value.get("output"); // of Bedrock
    const inner = output instanceof Map ? output.get("message") : value.get("message");
    const message = readMessage(
      inner instanceof Map && isMessage(inner) ? inner : value,
      "assistant",
    );
    return message && message.parts.length > 0 ? [message] : null;
  }
}
