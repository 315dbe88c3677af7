/** The messages of a list of items of an answer; an item of an unknown form is shown as a value. */
function answerItems(items, read) {
  const messages = items.map(
    (each, i) =>
      (each instanceof Map && read(each)) ||
      new Message("assistant", block(each, cutOf(items, i)), null, true),
  );
  const missing = missingPart(items, "part");
  return Message.joined(
    missing ? [...messages, new Message("assistant", [missing], null, true)] : messages,
  );
}

/** A note on the members or elements of a container that are not in this file; null if all are. */
function missingPart(container, what) {
  const missing = isContainer(container) ? (cutSizes.get(container) ?? 0) - sizeOf(container) : 0;
  return missing > 0
    ? {
        kind: "note",
        text: `${count(missing, "more " + what)} ${missing === 1 ? "is" : "are"} not in this file`,
      }
    : null;
}

/** The parts of the blocks of a content. */
function blocks(array) {
  return [
    ...array.flatMap((each, i) => block(each, cutOf(array, i))),
    missingPart(array, "part"),
  ].filter(Boolean);
}

function textOf(map, ...names) {
  for (const name of names) {
    const value = map?.get?.(name);
    if (typeof value === "string" && value !== "") {
      return value;
    }
  }
  return undefined;
}

/** A part with a text of a member; null if it has none. The text may be cut in this file. */
function textPart(text, kind = "text", cut = undefined) {
  return typeof text === "string" && text.trim() !== "" ? { kind, text, cut } : null;
}

function memberPart(map, name, kind = "text") {
  return textPart(map.get(name), kind, cutOf(map, name));
}

function isMessage(map) {
  return (
    ROLES.has(textOf(map, "role")?.toLowerCase()) ||
    TYPED_ROLES.has(map.get("type")) ||
    item(map) !== null
  );
}

/** A message; null if the format is unknown. */
function readMessage(value, role, cut = undefined) {
  if (typeof value === "string") {
    return new Message(role, [textPart(value, "text", cut)]);
  } else if (Array.isArray(value)) {
    const parts = blocks(value);
    return parts.some((part) => part.kind !== "value") ? new Message(role, parts) : null;
  } else if (!(value instanceof Map)) {
    return null;
  }
  const own = item(value);
  if (own) {
    return own;
  }
  const stated =
    textOf(value, "role") ?? (TYPED_ROLES.has(value.get("type")) ? value.get("type") : undefined);
  if (stated === undefined && !isUnnamed(value)) {
    return null;
  }
  const known =
    ROLES.get(stated?.toLowerCase()) ??
    (stated === undefined ? role : line(stated, 40).toLowerCase());
  if (known === "tool") {
    return toolMessage(value);
  }
  const message = new Message(known, messageParts(value), textOf(value, "name") ?? null);
  // some formats return results in the name of the user
  return known === "user" &&
    message.parts.length > 0 &&
    message.parts.every((part) => part.kind === "result")
    ? new Message("tool", message.parts)
    : message;
}

/** Whether an object without a role is a message: all of its members are ones of messages. */
function isUnnamed(value) {
  const isChoice = value.has("finish_reason");
  return (
    CONTENTS.some((name) => value.has(name)) &&
    [...value].every(
      ([name, member]) =>
        (KNOWN.has(name) && (!TEXTS.has(name) || typeof member === "string" || member === null)) ||
        (isChoice && OF_CHOICES.has(name)) ||
        (name === "type" && (member === "message" || member === "text")),
    )
  );
}

function messageParts(value) {
  const content = value.get("content") ?? value.get("contents") ?? value.get("parts");
  const calls = ["tool_calls", "toolExecutionRequests"].flatMap((name) =>
    Array.isArray(value.get(name)) ? value.get(name) : [],
  );
  const missing = ["tool_calls", "toolExecutionRequests"].map((name) =>
    missingPart(value.get(name), "call"),
  );
  const images = Array.isArray(value.get("images")) ? value.get("images") : []; // of Ollama
  const single = value.get("function_call");
  return [
    memberPart(value, "thinking", "thinking"),
    memberPart(value, "reasoning_content", "thinking"),
    memberPart(value, "reasoning", "thinking"),
    ...(typeof content === "string"
      ? [
          memberPart(
            value,
            ["content", "contents", "parts"].find((name) => value.get(name) === content),
          ),
        ]
      : Array.isArray(content)
        ? blocks(content)
        : content instanceof Map
          ? isTyped(content)
            ? block(content)
            : [{ kind: "value", value: content }]
          : content instanceof JsonNumber || typeof content === "boolean"
            ? [{ kind: "value", value: content }]
            : []),
    memberPart(value, "text"),
    memberPart(value, "refusal"),
    ...images.map((image) =>
      image instanceof RecordedImage ? { kind: "image", image } : { kind: "value", value: image },
    ),
    ...[...calls, ...(single instanceof Map ? [single] : [])].map(callPart),
    ...missing,
    value.get("type") === "CUSTOM" && value.get("attributes") instanceof Map
      ? { kind: "value", value: value.get("attributes") }
      : null,
    missingPart(value, "member"),
  ];
}

function isTyped(map) {
  return typeof map.get("type") === "string";
}

/** The request of a tool in an answer: of OpenAI, LangChain4j, and others. */
function callPart(call) {
  if (!(call instanceof Map)) {
    return { kind: "value", value: call };
  }
  const inner =
    ["function", "custom"].map((name) => call.get(name)).find((each) => each instanceof Map) ??
    call;
  const name = textOf(inner, "name", "toolName", "tool_name");
  if (name === undefined) {
    return { kind: "value", value: call };
  }
  const member = ["arguments", "input", "args", "params"].find(
    (each) => inner.get(each) !== undefined,
  );
  const value = inner.get(member);
  return {
    kind: "call",
    name,
    value: jsonIn(value) ?? value,
    id: textOf(call, "id", "call_id", "toolUseId", "toolCallId"),
    cut: cutOf(inner, member),
    note: missingPart(inner, "member"),
  };
}

/** The message with the result of a tool. */
function toolMessage(value) {
  const content = ["content", "contents", "parts", "text", "output", "result", "response"]
    .map((name) => value.get(name))
    .find((each) => each !== undefined && each !== null);
  const parts = Array.isArray(content) ? blocks(content) : [];
  if (parts.some((part) => part.kind === "result")) {
    return new Message("tool", parts);
  }
  return new Message("tool", [
    resultPart(value, content, textOf(value, "toolName", "name")),
    missingPart(value, "member"),
  ]);
}

function resultPart(map, value, name = null) {
  const failed =
    map.get("isError") === true || map.get("is_error") === true || map.get("status") === "error";
  const text =
    typeof value === "string"
      ? ["content", "contents", "text", "output", "result", "response"].map((each) =>
          map.get(each) === value ? cutOf(map, each) : undefined,
        )
      : [];
  return {
    kind: "result",
    name,
    value,
    failed,
    id: textOf(map, "tool_use_id", "tool_call_id", "call_id", "toolUseId", "toolCallId", "id"),
    cut: text.find(Boolean),
  };
}

/** An item of a prompt or an answer of OpenAI's Responses; null for other messages. */
function item(map) {
  const type = map.get("type");
  if (typeof type !== "string") {
    return null;
  } else if (type === "function_call" || type === "custom_tool_call" || type === "mcp_call") {
    return new Message("assistant", [callPart(map)], null, true);
  } else if (type === "function_call_output" || type === "custom_tool_call_output") {
    return new Message("tool", [resultPart(map, map.get("output"))], null, true);
  } else if (type === "local_shell_call" && map.get("action") instanceof Map) {
    return new Message(
      "assistant",
      [{ kind: "call", name: "local_shell", value: map.get("action") }],
      null,
      true,
    );
  } else if (type === "reasoning" && !map.has("role")) {
    const texts = ["summary", "content"]
      .flatMap((name) => (Array.isArray(map.get(name)) ? map.get(name) : []))
      .map((each) => (each instanceof Map ? memberPart(each, "text", "thinking") : null));
    const part = texts.some(Boolean)
      ? texts
      : [
          memberPart(map, "text", "thinking") ?? {
            kind: "note",
            text: "thinking that is not in the log",
          },
        ];
    return new Message("assistant", part, null, true);
  }
  return null;
}

/** The parts of one block of a content: of OpenAI, Anthropic, LangChain4j, MCP, Gemini, Bedrock, OTel. */
function block(value, cut = undefined) {
  if (typeof value === "string") {
    return [textPart(value, "text", cut)].filter(Boolean);
  } else if (!(value instanceof Map)) {
    return [{ kind: "value", value }];
  }
  const type = textOf(value, "type")?.toLowerCase().replaceAll("-", "_");
  const parts = type === undefined ? untypedBlock(value) : typedBlock(type, value);
  // a tree states itself what is cut
  return parts === undefined
    ? [{ kind: "value", value }]
    : [...parts, missingPart(value, "member")].filter(Boolean);
}

function typedBlock(type, value) {
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
      return [memberPart(value, "text") ?? memberPart(value, "content")]; // of OpenTelemetry
    case "refusal":
      return [memberPart(value, "refusal")];
    case "thinking":
    case "reasoning":
    case "reasoning_text":
    case "summary_text":
      return ["thinking", "text", "reasoning", "content"]
        .map((name) => memberPart(value, name, "thinking"))
        .filter(Boolean)
        .slice(0, 1);
    case "redacted_thinking":
      return [{ kind: "note", text: "redacted thinking" }];
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
    case "tool_call":
    case "function_call":
      return [callPart(value)];
    case "tool_result":
    case "mcp_tool_result":
    case "web_search_tool_result":
    case "tool_call_response": {
      const content = ["content", "output", "result", "response"]
        .map((name) => value.get(name))
        .find((each) => each !== undefined);
      return [resultPart(value, content, textOf(value, "toolName", "name"))];
    }
    case "image":
    case "image_url":
    case "input_image":
      return [imagePart(value)];
    default:
      return undefined;
  }
}

function untypedBlock(value) {
  const map = (...names) =>
    names.map((name) => value.get(name)).find((each) => each instanceof Map);
  const call = map("functionCall", "toolUse");
  const result = map("functionResponse", "toolResult");
  const image = map("inlineData", "image");
  return call
    ? [callPart(call)]
    : result
      ? [
          resultPart(
            result,
            result.get("response") ?? result.get("content"),
            textOf(result, "name"),
          ),
        ]
      : image
        ? [imagePart(image)]
        : value.size <= 3 && typeof value.get("text") === "string"
          ? [memberPart(value, "text", value.get("thought") === true ? "thinking" : "text")]
          : undefined;
}

/** An image: the one that the file embeds in a member, or what is known about it. */
function imagePart(value) {
  const holders = [
    value,
    ...["source", "image", "image_url"]
      .map((name) => value.get(name))
      .filter((each) => each instanceof Map),
  ];
  for (const holder of holders) {
    const image = [...holder.values()].find((each) => each instanceof RecordedImage);
    if (image) {
      return { kind: "image", image };
    }
  }
  const url = holders
    .map((holder) => textOf(holder, "url", "image_url", "fileUri", "file_id"))
    .find(Boolean);
  return url === undefined || url.startsWith("data:")
    ? { kind: "value", value }
    : { kind: "note", text: `image at ${line(url, 300)}, which is not in the log` };
}
