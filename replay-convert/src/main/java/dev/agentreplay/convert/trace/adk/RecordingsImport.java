package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one session from recordings: model calls with their prompts, and calls of tools. */
final class RecordingsImport {

  private static final String LLM = "llm_recording";
  private static final String TOOL = "tool_recording";
  private static final String REQUEST = "llm_request";
  private static final String CONFIG = "config";

  /** The result of a call, which waits for the agents that the call started. */
  private record Result(ToolResult event, SourceRecord response) {}

  private final TraceSession session;
  private final List<Result> results = new ArrayList<>();
  private final AgentLanes lanes = new AgentLanes();
  private final UniqueIds ids = new UniqueIds();
  private final Map<String, List<JsonValue>> prompts = new HashMap<>();
  private final Set<JsonValue> userMessages = new HashSet<>();

  private RecordingsImport(TraceSession session) {
    this.session = session;
  }

  static void read(TraceOutput output, JsonObject document) throws IOException {
    TraceSession session = output.begin(null, null);
    SourceRecord root = session.record(
        document, "recordings", SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(document));
    List<SourceRecord> recordings = root.split("recording", "recordings");
    if (recordings.isEmpty() && root.array("recordings").size() > 0) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, SourcePlace.DOCUMENT, "a recording is not an object"));
    }
    session.start(session.start(), root);
    RecordingsImport reading = new RecordingsImport(session);
    for (SourceRecord recording : recordings) {
      reading.write(recording);
    }
    reading.writeResults(null);
  }

  private void write(SourceRecord recording) throws IOException {
    Meta meta = lanes.of(recording.text(AdkNames.path(recording, "agent_name")));
    if (meta.agent() != null) {
      recording.move("agent", AdkNames.path(recording, "agent_name"));
    }
    writeResults(meta);
    if (recording.get(AdkNames.path(recording, LLM)) instanceof JsonObject) {
      model(recording, meta);
    } else if (recording.get(AdkNames.path(recording, TOOL)) instanceof JsonObject) {
      tool(recording, meta);
    } else {
      recording.unknown();
      session.keep(recording, meta);
    }
  }

  private void model(SourceRecord recording, Meta meta) throws IOException {
    String[] contents = AdkNames.path(recording, LLM, REQUEST, "contents");
    user(recording, contents);
    Conversation conversation = session.conversation(meta.agent());
    String[] system = AdkNames.path(recording, LLM, REQUEST, CONFIG, "system_instruction");
    JsonValue instruction = recording.move("ModelCall/prompt/system", system);
    if (instruction != null) {
      conversation.system(instruction);
    }
    JsonValue tools = recording.move(
        "ModelCall/prompt/context/tools", AdkNames.path(recording, LLM, REQUEST, CONFIG, "tools"));
    if (tools != null) {
      conversation.context(JsonObject.of("tools", tools));
    }
    extend(conversation, meta, recording.array(contents));
    recording.move("ModelCall/prompt/messages", contents);
    JsonObject.Builder parameters = JsonObject.builder();
    String[] config = AdkNames.path(recording, LLM, REQUEST, CONFIG);
    recording.object(config).forEach((name, value) -> {
      String[] path = AdkNames.path(recording, LLM, REQUEST, CONFIG, name);
      if (!name.equals(system[3]) && !name.equals("tools")) {
        recording.move("ModelCall/parameters/" + name, path);
        parameters.add(name, value);
      }
    });
    String[] model = AdkNames.path(recording, LLM, REQUEST, "model");
    recording.move("ModelCall/model", model);
    recording.generate("ModelCall/id", "numbered");
    String id = ids.unused("model");
    List<SourceRecord> responses = responses(recording);
    session.emit(
        conversation.call(
            id, recording.text(model), new ModelCall.Parameters(parameters.build()), meta),
        recording);
    for (int i = 0; i < responses.size(); i++) {
      if (i < responses.size() - 1) {
        session.keep(responses.get(i), meta); // a part of a streamed answer
      } else {
        session.emit(Answers.result(responses.get(i), id, meta), responses.get(i));
      }
    }
  }

  private static List<SourceRecord> responses(SourceRecord recording) {
    List<SourceRecord> responses = new ArrayList<>(
        recording.split("llm_response", AdkNames.path(recording, LLM, "llm_responses")));
    SourceRecord single =
        recording.child("llm_response", AdkNames.path(recording, LLM, "llm_response"));
    if (single != null) {
      responses.add(single);
    }
    return responses;
  }

  /** Makes the conversation that of a prompt, which a recording states in full. */
  private void extend(Conversation conversation, Meta meta, JsonArray contents) {
    List<JsonValue> before = prompts.getOrDefault(String.valueOf(meta.agent()), List.of());
    List<JsonValue> now = contents.values();
    boolean isLonger =
        now.size() >= before.size() && now.subList(0, before.size()).equals(before);
    if (!isLonger) {
      conversation.clear();
    }
    now.subList(isLonger ? before.size() : 0, now.size()).forEach(conversation::add);
    prompts.put(String.valueOf(meta.agent()), now);
  }

  /** Writes the message of the user that a call is the first to answer. */
  private void user(SourceRecord recording, String[] contents) throws IOException {
    JsonValue index = recording.get(AdkNames.path(recording, "user_message_index"));
    if (index == null || !userMessages.add(index)) {
      return;
    }
    JsonArray messages = recording.array(contents);
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (messages.get(i) instanceof JsonObject message
          && "user".equals(String.valueOf(role(message)))
          && Answers.text(message) != null) {
        SourceRecord user = session.record(
            message,
            "user",
            recording.place().child(new JsonPointer(List.of(contents)).append(i)),
            CanonicalJson.SERDE.hash(message));
        String text = Answers.text(message);
        if (text != null) {
          session.task(user, text, "parts");
        }
        session.message(user, Meta.NONE);
        return;
      }
    }
  }

  private static @Nullable String role(JsonObject message) {
    JsonValue role = message.get("role");
    return role == null || !role.typeName().equals("string") ? null : role.asString();
  }

  private void tool(SourceRecord recording, Meta meta) throws IOException {
    String[] name = AdkNames.path(recording, TOOL, "tool_call", "name");
    String tool = recording.text(name);
    if (tool == null) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, recording.place(), "a tool recording does not name its tool"));
      session.keep(recording, meta);
      return;
    }
    recording.move("ToolCall/tool", name);
    String[] idPath = AdkNames.path(recording, TOOL, "tool_call", "id");
    String id = recording.text(idPath);
    if (id == null || id.isBlank()) {
      recording.generate("ToolCall/id", "numbered");
      id = ids.unused("call");
    } else {
      recording.move("ToolCall/id", idPath);
    }
    JsonValue args =
        recording.move("ToolCall/params", AdkNames.path(recording, TOOL, "tool_call", "args"));
    SourceRecord response =
        recording.child("tool_response", AdkNames.path(recording, TOOL, "tool_response"));
    ToolCall call = ToolCall.of(id, tool, args == null ? JsonObject.EMPTY : args);
    lanes.called(id, tool, args instanceof JsonObject object ? object : JsonObject.EMPTY);
    session.emit(call.withMeta(meta), recording);
    if (response != null) {
      String stated = response.text("id");
      if (stated != null) {
        response.move("ToolResult/id", "id");
      }
      JsonValue output = response.move("ToolResult/output", "response");
      results.add(
          new Result(ToolResult.of(stated == null ? id : stated, output).withMeta(meta), response));
    }
  }

  /**
   * Writes the results that wait. A recording has its call and its result, and what the agents do
   * that the call started follows it: the result is written when their caller continues.
   *
   * @param lane the lane that continues; null for all
   */
  private void writeResults(@Nullable Meta lane) throws IOException {
    for (Result result : List.copyOf(results)) {
      if (lane == null || Objects.equals(lane.agent(), result.event().meta().agent())) {
        results.remove(result);
        session.emit(result.event(), result.response());
      }
    }
  }
}
