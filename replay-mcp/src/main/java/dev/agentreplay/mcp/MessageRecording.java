package dev.agentreplay.mcp;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.mcp.OpenRequests.Request;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the messages between a client and a server as the events of a session: requests that are
 * acts of a side as calls, others as kept messages. Messages must arrive in an order in which a
 * request is before its response. A failure of recording reaches the caller only by the methods
 * {@link #requireStarted}, {@link #addBeforeForwarding}, {@link #skip} and {@link #requireShort}.
 * Safe for use by several threads.
 */
final class MessageRecording {

  private final GuardedSession session;

  /** Whether a message that cannot be recorded ends the conversation. */
  private final boolean isRequired;

  private final OpenRequests requests = new OpenRequests();
  private final ServerSettings settings = new ServerSettings();
  private long lines;

  /** The line of the last message of the client; 0 if there is none. */
  private long lastOfClient;

  /** Whether everything of the last line was recorded. */
  private boolean isLineRecorded = true;

  private boolean isWarned;
  private boolean isEnded;

  /**
   * Creates a recording.
   *
   * @param isRequired whether a message that cannot be recorded ends the conversation
   */
  MessageRecording(GuardedSession session, boolean isRequired) {
    this.session = session;
    this.isRequired = isRequired;
    this.isWarned = session.writeFailure() != null;
  }

  /** The clock of latencies. */
  long nanoTime() {
    return session.nanoTime();
  }

  /**
   * Records a line: a message, a batch, or a text that is neither.
   *
   * @param text returns the line without its end
   * @param nanos the time of its arrival
   */
  synchronized void add(Side sender, Supplier<String> text, long nanos) {
    if (isEnded) {
      return;
    }
    lines++;
    isLineRecorded = true;
    boolean isRead = false;
    try {
      List<Message> messages = Message.read(sender, lines, text.get());
      isRead = messages.stream().noneMatch(Message::isUnreadable);
      for (Message message : messages) {
        add(message, nanos);
      }
      if (sender == Side.CLIENT) {
        lastOfClient = lines;
      }
    } catch (Throwable e) {
      isLineRecorded = false;
      RecordingFailures.rethrowIfFatal(e);
      session.report("message", e);
      session.leaveGap("line %d, of the %s, was not recorded: %s"
          .formatted(lines, sender.id(), e.getClass().getName()));
    } finally {
      if (!isRead && sender == Side.SERVER) {
        requests.unread();
      }
    }
  }

  /**
   * Records a line, and checks that it may be forwarded. No line of the other side comes between
   * both.
   *
   * @throws IOException if the session has ended, or if the line could not be recorded and this
   *     ends the conversation
   */
  synchronized void addBeforeForwarding(Side sender, Supplier<String> text, long nanos)
      throws IOException {
    add(sender, text, nanos);
    requireRecorded();
  }

  /**
   * Records a gap in place of a line that was not kept, because it is too long, and checks that the
   * line may be forwarded.
   *
   * @throws IOException if the session has ended
   */
  synchronized void skip(Side sender, long bytes, ContentHash hash) throws IOException {
    if (!isEnded) {
      leaveGap(sender, bytes, hash);
    }
    requireRecorded();
  }

  private void leaveGap(Side sender, long bytes, ContentHash hash) {
    lines++;
    if (sender == Side.SERVER) {
      requests.unread();
    } else {
      lastOfClient = lines;
    }
    session.leaveGap("line %d, of the %s, was not recorded: it has %d bytes, and the hash %s"
        .formatted(lines, sender.id(), bytes, hash));
  }

  /**
   * Checks that the session was started.
   *
   * @throws IOException if it was not, and a message that cannot be recorded ends the conversation
   */
  void requireStarted() throws IOException {
    Throwable failure = session.writeFailure();
    if (isRequired && failure != null) {
      throw failure instanceof IOException io
          ? io
          : new IOException("the session cannot be started: " + Failure.message(failure), failure);
    }
  }

  /** Checks that the last line was recorded. */
  private void requireRecorded() throws IOException {
    if (isEnded) {
      throw new IOException("the session has ended");
    }
    Throwable failure = session.writeFailure();
    if (failure == null) {
      if (isRequired && !isLineRecorded) {
        throw new IOException(
            "line %d was not forwarded, because it was not recorded; the reason was reported"
                .formatted(lines));
      }
      return;
    }
    if (isRequired) {
      throw new IOException(
          "line %d was not forwarded, because it cannot be recorded: %s"
              .formatted(lines, Failure.message(failure)),
          failure);
    }
    if (!isWarned) {
      isWarned = true;
      session.report("message", failure);
    }
  }

  /**
   * Checks that a line that is too long to be recorded may be forwarded.
   *
   * @throws IOException if a message that cannot be recorded ends the conversation
   */
  void requireShort(Side sender) throws IOException {
    if (isRequired) {
      throw new IOException(
          "a line of the %s was not forwarded, because it is too long to be recorded"
              .formatted(sender.id()));
    }
  }

  private void add(Message message, long nanos) {
    if (message.isRequest()) {
      request(message, nanos);
    } else if (message.isResponse()) {
      response(message, nanos);
    } else if (Methods.CANCELLED.equals(message.method())) {
      cancel(message, nanos);
    } else {
      keep(message, message.type(null), owner(message));
    }
  }

  private void request(Message message, long nanos) {
    Methods.Kind kind = Methods.kind(message);
    JsonObject kept = Kept.ofRequest(
        Kept.of(message, message.type(null), owner(message)), message.id(), Events.rest(message));
    String callId =
        switch (kind) {
          case TOOL ->
            recorded(session.call(() -> {
              var call = Events.toolCall(id(message), message);
              return call.withMeta(Kept.meta(exact(
                  kept,
                  message,
                  () -> Events.request(call, call.params().value(), Events.rest(message)))));
            }));
          case MODEL ->
            recorded(session.modelCall(id -> {
              var call = Sampling.call(id, message);
              return call.withMeta(Kept.meta(exact(
                  kept,
                  message,
                  () -> Events.request(call, call.prompt().value(), Events.rest(message)))));
            }));
          case KEPT -> {
            settings.request(message);
            keep(message, message.type(null), owner(message));
            yield null;
          }
        };
    if (message.id() != null) {
      requests.add(new Request(message, callId, nanos));
    }
  }

  /** Notes whether a call was recorded, and returns its id. */
  private @Nullable String recorded(@Nullable String callId) {
    isLineRecorded &= callId != null;
    return callId;
  }

  private void emit(String what, Supplier<? extends ReplayEvent> event) {
    isLineRecorded &= session.emit(what, event);
  }

  /** Records the result of a call, or a gap if the call was not recorded. */
  private void result(
      String what, @Nullable String callId, Function<String, ? extends ReplayEvent> result) {
    if (callId == null) {
      isLineRecorded = false;
      session.result(what, null, result);
    } else {
      emit(what, () -> result.apply(callId));
    }
  }

  private interface Rebuilt {
    JsonObject message();
  }

  /** Adds what restores the text of a request of the server. */
  private static JsonObject exact(JsonObject kept, Message message, Rebuilt rebuilt) {
    JsonValue id = message.id();
    return message.sender() == Side.CLIENT || id == null
        ? kept
        : ExactText.keep(kept, message, rebuilt.message().with("id", id));
  }

  private static String id(Message message) {
    JsonValue id = message.id();
    return id instanceof JsonString text ? text.value() : String.valueOf(id);
  }

  /** The line of the message of the client that a message of the server belongs to; 0 for none. */
  private long owner(Message message) {
    if (message.sender() == Side.CLIENT) {
      return 0;
    }
    Request request = requests.ownerOf(message);
    return request == null ? lastOfClient : request.line;
  }

  private void keep(Message message, String type, long owner) {
    emit("RuntimeEvent", () -> {
      JsonObject kept = Kept.of(message, type, owner);
      return Kept.event(
          message,
          type,
          message.sender() == Side.CLIENT
              ? kept
              : ExactText.keep(kept, message, Kept.payload(message)));
    });
  }

  private void response(Message message, long nanos) {
    Side caller = message.sender().other();
    Request request = requests.take(caller, message.id());
    if (request == null) {
      Request cancelled = requests.takeCancelled(caller, message.id());
      String method = cancelled == null ? null : cancelled.method;
      keep(message, message.type(method), cancelled == null ? owner(message) : cancelled.line);
      return;
    }
    String type = message.type(request.method);
    long owner = request.line;
    switch (request.kind) {
      case TOOL ->
        result("ToolResult", request.callId, id -> {
          var result = Events.toolResult(id, request.isToolCall, message);
          return result
              .withLatencyMillis(millis(request, nanos))
              .withMeta(Kept.meta(exactResponse(
                  message,
                  type,
                  owner,
                  result.output().value(),
                  result.outcome().error())));
        });
      case MODEL ->
        result("ModelResult", request.callId, id -> {
          var result = Events.modelResult(id, message);
          return result
              .withLatencyMillis(millis(request, nanos))
              .withMeta(Kept.meta(exactResponse(
                  message, type, owner, result.answer().value(), result.finish().error())));
        });
      case KEPT -> {
        stated(request, message);
        keep(message, type, owner);
      }
    }
  }

  private static JsonObject exactResponse(
      Message message,
      String type,
      long owner,
      @Nullable JsonValue value,
      @Nullable Failure failure) {
    JsonObject kept = Kept.of(message, type, owner);
    JsonValue id = message.id();
    return message.sender() == Side.CLIENT || id == null
        ? kept
        : ExactText.keep(kept, message, Events.response(id, value, failure));
  }

  private static long millis(Request request, long nanos) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos - request.nanos));
  }

  /** Records the settings that a response of the server states. */
  private void stated(Request request, Message response) {
    Settings stated = settings.response(request.method, request.isFurtherPage, response);
    if (!stated.values().isEmpty()) {
      emit("Settings", () -> stated);
    }
  }

  /** Ends the call that its caller no longer waits for. */
  private void cancel(Message message, long nanos) {
    keep(message, message.type(null), owner(message));
    JsonValue id = message.params().get("requestId");
    Request request = requests.cancel(message.sender(), id);
    if (request == null || request.kind == Methods.Kind.KEPT) {
      return;
    }
    String reason = Events.reason(message);
    JsonObject kept = Kept.of(message, message.type(null), request.line);
    result(
        request.kind == Methods.Kind.TOOL ? "ToolResult" : "ModelResult",
        request.callId,
        callId -> {
          ReplayEvent result = request.kind == Methods.Kind.TOOL
              ? Events.cancelledTool(callId, reason).withLatencyMillis(millis(request, nanos))
              : Events.cancelledModel(callId, reason).withLatencyMillis(millis(request, nanos));
          return result.withMeta(Kept.meta(kept));
        });
  }

  /** The number of requests of the client that wait for their responses. */
  synchronized long openRequests() {
    return requests.ofClient();
  }

  /** Whether a line of the server that was not read may be the response to an open request. */
  synchronized boolean isUnsure() {
    return requests.perhapsAnswered() > 0;
  }

  /** Ends the session, unless it is a session of the caller. */
  synchronized void end(SessionEnd end) {
    isEnded = true;
    session.end(() -> end);
  }

  /** Closes the session without an end, unless it is a session of the caller. */
  synchronized void close() {
    isEnded = true;
    session.close();
  }
}
