package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the calls of models: the input of the event is the prompt, its output the result. */
final class ModelEvents {

  /** The members in which references to attachments are replaced. */
  static final Set<String> USED = Set.of("input", "tools", "output", "error");

  private static final String TOOLS = "tools";

  private final TraceSession session;
  private final Prompts prompts;
  private final PendingResults results;
  private final List<Part> pool;

  /** The messages of the pool with their attachments. */
  private final IdentityHashMap<Part, JsonValue> resolved = new IdentityHashMap<>();

  /** The tools of the last call of each lane. */
  private final Map<String, JsonValue> tools = new HashMap<>();

  private long generated;

  ModelEvents(
      TraceSession session,
      Records records,
      Prompts prompts,
      PendingResults results,
      List<Part> pool) {
    this.session = session;
    this.prompts = prompts;
    this.results = results;
    this.pool = pool;
    for (Part message : pool) {
      resolved.put(message, records.attachments().resolve(Records.object(message.json())));
    }
  }

  void write(SourceRecord event, Meta meta) throws IOException {
    takeInput(event, meta);
    takeTools(event, meta);
    String id = event.text("uuid");
    if (id == null || id.isBlank()) {
      id = "model-" + ++generated;
      event.generate("ModelCall/id", "numbered");
    } else {
      event.move("ModelCall/id", "uuid");
    }
    String model = event.text("model");
    if (model != null) {
      event.move("ModelCall/model", "model");
    }
    ModelCall call = session.conversation(meta.agent()).call(id, model, parameters(event), meta);
    if (event.isTrue("pending")) {
      session.emit(call, event);
      return;
    }
    session.derive(call, event);
    writeResult(id, event, meta);
  }

  private void takeInput(SourceRecord event, Meta meta) throws IOException {
    List<JsonValue> input = new ArrayList<>();
    List<Part> places = new ArrayList<>();
    List<Part> referred = ChunkedSample.referred(event.get("input_refs"), pool);
    if (referred != null) {
      for (Part part : referred) {
        places.add(part);
        input.add(resolved.get(part));
      }
      event.derive("ModelCall/prompt", "input_refs");
      event.drop("the messages that it refers to are in the prompt", "input_refs");
    } else if (event.get("input_refs") instanceof JsonArray) {
      session.fault(new SourceFault(
          Kind.CONTRADICTION, event.place(), "the input refers to messages that are missing"));
    }
    if (event.get("input") instanceof JsonArray stated) {
      JsonPointer pointer = JsonPointer.ROOT.append("input");
      for (int i = 0; i < stated.size(); i++) {
        input.add(Records.object(stated.get(i)));
        places.add(new Part(stated.get(i), "message", event.place().child(pointer.append(i))));
      }
      event.derive("ModelCall/prompt", "input");
      event.drop("each message is in the prompt, and a record where it was first", "input");
    } else if (event.get("input") instanceof JsonString text) {
      JsonValue message = JsonObject.of("role", "user", "content", text.value());
      input.add(message);
      places.add(new Part(message, "message", event.place()));
      event.derive("ModelCall/prompt", "input");
    }
    prompts.next(input, places, meta);
  }

  private void takeTools(SourceRecord event, Meta meta) throws IOException {
    if (!(event.get(TOOLS) instanceof JsonArray offered)) {
      return;
    }
    Conversation conversation = session.conversation(meta.agent());
    JsonValue last = tools.put(meta.agent() == null ? "" : meta.agent(), offered);
    if (last == null && offered.size() == 0) {
      event.drop("no tools are offered", TOOLS);
    } else if (offered.equals(last)) {
      event.drop("equal to the ones of the call before", TOOLS);
    } else {
      conversation.context(JsonObject.of(TOOLS, offered));
      event.move("ModelCall/prompt/context/tools", TOOLS);
      if (offered.stream().allMatch(tool -> tool instanceof JsonObject)) {
        event.derive("Settings/tools", TOOLS);
        Setting setting = new Setting(descriptions(offered), null);
        session.derive(Settings.of(Map.of(Settings.TOOLS, setting)).withMeta(meta), event);
      }
    }
  }

  /** The tools as {@link dev.agentreplay.model.ToolDescription} has them. */
  private static JsonArray descriptions(JsonArray tools) {
    return JsonArray.copyOf(tools.stream()
        .map(tool -> {
          JsonValue schema = tool.asObject().get("parameters");
          return schema == null || tool.asObject().has("schema")
              ? tool
              : tool.asObject().without("parameters").with("schema", schema);
        })
        .toList());
  }

  private static Parameters parameters(SourceRecord event) {
    JsonObject.Builder parameters = JsonObject.builder();
    boolean isWhole = true;
    if (event.get("config") instanceof JsonObject config) {
      for (int i = 0; i < config.size(); i++) {
        boolean isStated = !(config.value(i) instanceof JsonNull);
        isWhole &= isStated;
        if (isStated) {
          parameters.add(config.name(i), config.value(i));
        }
      }
      if (isWhole) {
        event.move("ModelCall/parameters", "config");
      } else {
        event.derive("ModelCall/parameters", "config");
      }
    }
    JsonValue choice = event.get("tool_choice");
    if (choice != null
        && !(choice instanceof JsonNull)
        && parameters.addIfAbsent("tool_choice", choice)) {
      event.move("ModelCall/parameters/tool_choice", "tool_choice");
    }
    return new Parameters(parameters.build());
  }

  private void writeResult(String id, SourceRecord event, Meta meta) throws IOException {
    List<SourceRecord> choices = event.split("choice", "output", "choices");
    Content answer = choices.isEmpty() ? Content.NONE : answer(event, choices.get(0));
    Meta at = SampleImport.completed(event, meta, "ModelResult/t");
    ModelResult result = new ModelResult(
        id,
        answer,
        completion(event, choices),
        Usage.take(event),
        new Timing(latency(event), Timing.NONE.chunks()),
        at);
    JsonObject extra = at.extra();
    if (Usage.isCounted(event)) {
      JsonValue usage = event.move("ModelResult/" + Names.TOKEN_DETAILS, "output", "usage");
      extra = usage == null ? extra : extra.with(Names.TOKEN_DETAILS, usage);
    }
    String response = event.text("call", "response", "id");
    if (response != null) {
      event.derive("ModelResult/" + Names.RESPONSE_ID, "call", "response", "id");
      extra = extra.with(Names.RESPONSE_ID, response);
    }
    results.add(result.withMeta(at.withExtra(extra)), event, choices);
  }

  /** The answer of the first choice. Others are kept. */
  private Content answer(SourceRecord event, SourceRecord choice) {
    if (!(choice.get("message") instanceof JsonObject message)) {
      return Content.NONE;
    }
    prompts.answered(message);
    JsonValue shown = Prompts.shown(message);
    for (String name : shown.asObject().names()) {
      choice.move("ModelResult/answer", "message", name);
    }
    JsonValue text = message.get("content");
    if (text != null && text.equals(event.get("output", "completion"))) {
      event.drop("equal to the text of the answer", "output", "completion");
    }
    return Content.of(shown);
  }

  private static Completion completion(SourceRecord event, List<SourceRecord> choices) {
    String reason = choices.isEmpty() ? null : choices.get(0).text("stop_reason");
    if (reason != null) {
      choices.get(0).move("ModelResult/finish_reason", "stop_reason");
    }
    String error = event.text("error");
    if (error != null) {
      event.move("ModelResult/error", "error");
      return new Completion(reason, true, Failure.of("ModelError", error));
    }
    String refused = event.text("output", "error");
    if (refused != null) {
      event.move("ModelResult/error", "output", "error");
      return new Completion(reason, null, Failure.of("OutputError", refused));
    }
    return new Completion(reason, null, null);
  }

  private static @Nullable Long latency(SourceRecord event) {
    Long millis = SampleImport.millis(event.get("working_time"));
    if (millis != null) {
      event.derive("ModelResult/latency_ms", "working_time");
      return millis;
    }
    millis = SampleImport.millis(event.get("output", "time"));
    if (millis != null) {
      event.derive("ModelResult/latency_ms", "output", "time");
    }
    return millis;
  }
}
