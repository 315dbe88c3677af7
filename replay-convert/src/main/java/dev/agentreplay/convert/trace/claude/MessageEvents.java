package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Map;

/** Writes what the model is shown: messages of the user, results of tools, and attachments. */
final class MessageEvents {

  private final TraceSession session;
  private final Chain chain;
  private final ResultEvents results;

  MessageEvents(TraceSession session, Chain chain, ResultEvents results) {
    this.session = session;
    this.chain = chain;
    this.results = results;
  }

  void write(SourceRecord record, JsonObject message, Conversation conversation, Meta meta)
      throws IOException {
    JsonValue content = message.get("content");
    String lane = meta.agent();
    chain.follow(record, lane, conversation);
    record.derive("ModelCall/prompt", "message");
    if (content instanceof JsonArray blocks && ResultEvents.hasResults(blocks)) {
      conversation.add(message);
      chain.extend(lane, conversation);
      results.write(record, blocks, meta);
      return;
    }
    chain.followRoot(record, lane, conversation);
    conversation.add(message);
    chain.begin(lane, conversation);
    String text = MessageText.of(content);
    boolean isTyped = lane == null && !record.isTrue("isMeta");
    if (text != null && isTyped && !text.startsWith("<")) {
      session.task(record, text, "message", "content");
    }
    session.message(record, meta);
  }

  void attachment(SourceRecord record, Conversation conversation, Meta meta) throws IOException {
    JsonValue system = record.get("attachment", "systemPrompt");
    if (system != null) {
      record.derive("ModelCall/prompt", "attachment", "systemPrompt");
      conversation.system(system);
    }
    if (record.get("attachment", "tools") instanceof JsonArray tools && isObjects(tools)) {
      record.derive("Settings/tools", "attachment", "tools");
      record.derive("ModelCall/prompt", "attachment", "tools");
      conversation.context(JsonObject.of("tools", tools));
      Settings settings =
          Settings.of(Map.of(Settings.TOOLS, new Setting(descriptions(tools), null)));
      session.derive(settings.withMeta(meta), record);
    }
    JsonValue prompt = record.get("attachment", "prompt");
    if (record.type().equals("attachment/queued_command") && prompt != null) {
      queued(record, prompt, conversation, meta);
    } else {
      session.keep(record, meta);
    }
  }

  /** Adds what the user entered during a turn, or the notice of a task in the background. */
  private void queued(SourceRecord record, JsonValue prompt, Conversation conversation, Meta meta)
      throws IOException {
    chain.follow(record, meta.agent(), conversation);
    conversation.add("user", prompt);
    chain.extend(meta.agent(), conversation);
    record.derive("ModelCall/prompt", "attachment", "prompt");
    if ("task-notification".equals(record.text("attachment", "commandMode"))) {
      session.keep(record, meta);
    } else {
      session.message(record, meta);
    }
  }

  private static boolean isObjects(JsonArray array) {
    return array.stream().allMatch(value -> value instanceof JsonObject);
  }

  /** The tools as {@link dev.agentreplay.model.ToolDescription} has them. */
  private static JsonArray descriptions(JsonArray tools) {
    return JsonArray.copyOf(tools.stream()
        .map(tool -> {
          JsonValue schema = tool.asObject().get(Names.INPUT_SCHEMA);
          return schema == null
              ? tool
              : tool.asObject().without(Names.INPUT_SCHEMA).with("schema", schema);
        })
        .toList());
  }
}
