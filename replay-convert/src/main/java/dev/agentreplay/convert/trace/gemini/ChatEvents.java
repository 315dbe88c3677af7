package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.Conversation.Mark;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the records of one chat: its metadata, its messages, and what changes them. */
final class ChatEvents {

  static final String MESSAGE = "message";
  static final String SET = "$set";
  static final String REWIND = "$rewindTo";

  private static final Set<String> NOTICES = Set.of("info", "warning", "error");

  /** Writes the chat of a sub-agent. */
  interface Agents {
    void write(TraceSession session, String agent, @Nullable String call) throws IOException;
  }

  private final TraceSession session;
  private final Meta lane;
  private final Conversation conversation;
  private final AnswerEvents answers;

  /** The messages by id, each with the end of the conversation before it. */
  private final Map<String, Mark> marks = new LinkedHashMap<>();

  /** The messages that were imported, by id, with their hashes. */
  private final Map<String, ContentHash> imported = new HashMap<>();

  private boolean hasMessages;

  ChatEvents(TraceSession session, Meta lane, Agents agents) {
    this.session = session;
    this.lane = lane;
    this.conversation = session.conversation(lane.agent());
    this.answers = new AnswerEvents(session, lane, agents);
  }

  /** The type of the record on a line. */
  static String type(JsonObject json) {
    if (json.has(REWIND)) {
      return "rewind";
    } else if (json.get(SET) instanceof JsonObject) {
      return "set";
    } else if (GeminiReader.isMetadata(json)) {
      return "chat";
    }
    String type = SourceHead.text(json, "type");
    return type == null ? "record" : type;
  }

  /** Writes the record of a line. */
  void write(SourceRecord record) throws IOException {
    switch (type(record.json())) {
      case "rewind" -> rewind(record);
      case "set" -> set(record);
      case "chat" -> metadata(record);
      default -> message(record);
    }
  }

  /** Writes what a chat states as a whole. */
  void metadata(SourceRecord chat) throws IOException {
    List<SourceRecord> messages = chat.split(MESSAGE, GeminiReader.MESSAGES);
    SessionStart start = session.start();
    boolean isOwn = lane.agent() == null
        && chat.get(GeminiReader.SESSION_ID) instanceof JsonString id
        && id.value().equals(start.meta().sessionId());
    if (isOwn && !session.isStarted() && !start.meta().extra().has(Names.IMPORTED)) {
      chat.move("SessionStart/session_id", GeminiReader.SESSION_ID);
      session.start(start, chat);
    } else {
      session.keep(chat, lane);
    }
    for (SourceRecord message : messages) {
      message(message);
    }
  }

  /** Returns to the conversation before a message; to its beginning if the message is unknown. */
  private void rewind(SourceRecord record) throws IOException {
    Mark mark = record.text(REWIND) == null ? null : marks.get(record.text(REWIND));
    if (mark == null) {
      conversation.clear();
      marks.clear();
    } else {
      conversation.rewind(mark);
      List<String> ids = List.copyOf(marks.keySet());
      ids.subList(ids.indexOf(record.text(REWIND)), ids.size()).forEach(marks::remove);
    }
    record.derive("ModelCall/prompt", REWIND);
    session.keep(record, lane);
  }

  /** A change of the metadata, or of all messages, as when they were summarized or shortened. */
  private void set(SourceRecord record) throws IOException {
    boolean isFirst = !hasMessages;
    List<SourceRecord> messages = record.split("set/" + MESSAGE, SET, GeminiReader.MESSAGES);
    session.keep(record, lane);
    if (messages.isEmpty()) {
      return;
    }
    if (isFirst) {
      for (SourceRecord message : messages) {
        message(message);
      }
      return;
    }
    conversation.clear();
    marks.clear();
    for (SourceRecord message : messages) {
      String id = message.text("id");
      mark(id);
      if ("user".equals(message.text("type"))) {
        conversation.add(user(message));
      } else if ("gemini".equals(message.text("type"))) {
        answers.addTo(conversation, message);
      }
      message.derive("ModelCall/prompt", "content");
      if (id != null && CanonicalJson.SERDE.hash(message.json()).equals(imported.get(id))) {
        message.dropAll("the message was imported before it was changed for later prompts");
      } else {
        session.keep(message, lane.withTime(SourceTimes.take(message, "timestamp")));
      }
    }
  }

  private void mark(@Nullable String id) {
    if (id != null) {
      marks.put(id, conversation.mark());
    }
  }

  /** Writes a message. */
  void message(SourceRecord message) throws IOException {
    String type = String.valueOf(message.text("type"));
    String id = message.text("id");
    hasMessages = true;
    mark(id);
    if (id != null) {
      imported.put(id, CanonicalJson.SERDE.hash(message.json()));
    }
    if (type.equals("gemini")) {
      answers.write(message);
      return;
    }
    Meta meta = lane.withTime(SourceTimes.take(message, "timestamp"));
    if (type.equals("user")) {
      message.derive("ModelCall/prompt", "content");
      conversation.add(user(message));
      String text = MessageText.of(message.get("content"));
      if (text != null && lane.agent() == null && !text.startsWith("<")) {
        session.task(message, text, "content");
      }
      session.message(message, meta);
      return;
    }
    if (!NOTICES.contains(type)) {
      message.unknown();
    }
    session.keep(message, meta);
  }

  private static JsonObject user(SourceRecord message) {
    JsonValue content = message.get("content");
    return content instanceof JsonArray
        ? JsonObject.of("parts", content, "role", "user")
        : JsonObject.of("content", content, "role", "user");
  }
}
