package dev.agentreplay.mcp;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a recorded session: those of the server by the line of the message of the client
 * that they belong to. Safe for use by several threads.
 */
final class RecordedMessages {

  /** The place of a message of the server after a message of the client. */
  enum Role {
    /** The response to it. */
    RESPONSE,
    /** A notification, or a request that is not a call. */
    MESSAGE,
    /** A call of the client's model, or of a method of the client. */
    CALL
  }

  /**
   * A message of the server.
   *
   * @param event its event
   * @param kept the member of the event that restores it
   */
  record OfServer(Role role, long line, ReplayEvent event, JsonObject kept) {}

  /**
   * The members by which a message of the client is matched.
   *
   * @param method its method, or the text of the line
   */
  private record Key(String method, JsonObject params) {}

  private final @Nullable Session session;
  private final Map<Long, List<OfServer>> belonging = new HashMap<>();
  private final Map<Long, Long> answers = new HashMap<>();
  private final Map<Key, Deque<Long>> ofClient = new HashMap<>();
  private final TreeSet<String> protocolVersions = new TreeSet<>();
  private @Nullable Key initialize;

  private RecordedMessages(@Nullable Session session) {
    this.session = session;
  }

  /** The messages of no session. */
  static RecordedMessages none() {
    return new RecordedMessages(null);
  }

  static RecordedMessages read(Session session) throws IOException {
    RecordedMessages messages = new RecordedMessages(session);
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        JsonObject kept = Kept.of(line.event());
        if (kept != null) {
          messages.add(line.event(), kept);
        }
      }
    }
    return messages;
  }

  private void add(ReplayEvent event, JsonObject kept) throws IOException {
    long line = Kept.line(kept);
    long request = Kept.request(kept);
    boolean isResult = event instanceof ToolResult || event instanceof ModelResult;
    if (Kept.isOfServer(kept)) {
      boolean isCall = event instanceof ToolCall || event instanceof ModelCall;
      boolean isResponse = isResult || isResponse(event);
      Role role = isCall ? Role.CALL : isResponse ? Role.RESPONSE : Role.MESSAGE;
      belonging
          .computeIfAbsent(request, key -> new ArrayList<>())
          .add(new OfServer(role, line, event, kept));
    } else if (isResult) {
      answers.put(request, line);
    } else if (event instanceof RuntimeEvent) {
      Key key = key(value(event.content()));
      ofClient.computeIfAbsent(key, any -> new ArrayDeque<>(1)).add(line);
      if (key.method().equals(Methods.INITIALIZE) && initialize == null) {
        initialize = key;
      }
    }
  }

  private boolean isResponse(ReplayEvent event) throws IOException {
    JsonObject message = value(event.content());
    if (message.get("result") instanceof JsonObject result
        && result.get("protocolVersion") instanceof JsonString version) {
      protocolVersions.add(version.value());
    }
    Message response = new Message(Side.SERVER, 0, null, "", message);
    // one to a text that is not JSON has the id null
    return response.isResponse() && response.id() != null;
  }

  private static Key key(JsonObject message) {
    String method = message.get("method") instanceof JsonString name ? name.value() : null;
    if (method == null) {
      return new Key(message.toString(), JsonObject.EMPTY);
    }
    JsonObject params =
        message.get("params") instanceof JsonObject object ? object : JsonObject.EMPTY;
    // ids of requests differ between runs
    return new Key(method, params.without("_meta", "requestId"));
  }

  /** The versions of the protocol that the server has agreed to. */
  List<String> protocolVersions() {
    return List.copyOf(protocolVersions);
  }

  /**
   * Takes the line of a kept message of the client that is equal to this one; the last such line is
   * taken several times. Returns 0 if there is none.
   */
  synchronized long take(Message message) {
    Key key = key(Kept.payload(message));
    Deque<Long> lines = ofClient.get(key);
    if (lines == null && key.method().equals(Methods.INITIALIZE) && initialize != null) {
      lines = ofClient.get(initialize); // a client of a different version
    }
    if (lines == null) {
      return 0;
    }
    return lines.size() > 1 ? lines.remove() : lines.element();
  }

  /** The messages of the server that belong to a message of the client, in order. */
  List<OfServer> belongingTo(long line) {
    return belonging.getOrDefault(line, List.of());
  }

  /** The line of the recorded response to a request of the server; 0 if there is none. */
  long answerTo(long line) {
    return answers.getOrDefault(line, 0L);
  }

  /** The value of a content; empty if the session lacks it. */
  private JsonObject value(Content content) throws IOException {
    JsonValue value = session == null ? content.value() : session.resolve(content);
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /**
   * The text of a message of the server that is not a response to a call.
   *
   * @param id the id in place of the recorded one; null for that
   * @param token the progress token in place of the recorded one; null for that
   */
  String text(OfServer message, @Nullable JsonValue id, @Nullable JsonValue token)
      throws IOException {
    ReplayEvent event = message.event();
    String whole = ExactText.whole(message.kept());
    JsonObject json = value(event.content());
    if (event instanceof ToolCall call) {
      json = Events.request(call, json, Kept.rest(message.kept()));
    } else if (event instanceof ModelCall call) {
      json = Events.request(call, json, Kept.rest(message.kept()));
    } else if (Kept.text(json) != null) {
      return whole == null ? String.valueOf(Kept.text(json)) : whole;
    }
    boolean hasToken = token != null
        && json.get("params") instanceof JsonObject params
        && params.has("progressToken")
        && !token.equals(params.get("progressToken"));
    if (whole != null && !hasToken) {
      return id == null ? whole : ExactText.withId(whole, id);
    }
    if (hasToken && json.get("params") instanceof JsonObject params) {
      json = json.with("params", params.with("progressToken", token));
    }
    JsonValue present = id == null ? Kept.id(message.kept()) : id;
    return ExactText.ordered(present == null ? json : json.with("id", present), message.kept());
  }

  /** The text of the response to a call, which the event of its result states. */
  static String response(JsonValue id, ReplayEvent result) {
    JsonObject kept = Kept.of(result);
    String whole = kept == null ? null : ExactText.whole(kept);
    if (whole != null) {
      return ExactText.withId(whole, id);
    }
    JsonObject message = result instanceof ToolResult tool
        ? Events.response(
            id,
            tool.output().value(),
            Events.isError(tool.outcome().error()) ? tool.outcome().error() : null)
        : Events.response(
            id, result.content().value(), ((ModelResult) result).finish().error());
    return ExactText.ordered(message, kept == null ? JsonObject.EMPTY : kept);
  }
}
