package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.mcp.RecordedMessages.OfServer;
import dev.agentreplay.mcp.RecordedMessages.Role;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a conversation in a replay. Calls are requested from the scope of the
 * replay; what makes a connection is answered from the recording, or by the server if there is one.
 * Safe for use by several threads.
 */
final class ReplayedConversation implements AutoCloseable {

  /** The code of errors for requests that the replay does not answer: an internal error. */
  private static final int NOT_ANSWERED = -32603;

  private final AgentScope scope;
  private final RecordedMessages recorded;
  private final Consumer<String> toClient;
  private final @Nullable Consumer<String> toServer;
  private final Awaited client = new Awaited();
  private final Awaited server = new Awaited();
  private final ServerSettings settings = new ServerSettings();
  private final OpenRequests connecting = new OpenRequests();
  private final Phaser running = new Phaser(1);
  private final ExecutorService workers = Executors.newCachedThreadPool(task -> {
    Thread thread = new Thread(task, "replay-mcp-request");
    thread.setDaemon(true);
    return thread;
  });

  /**
   * Creates a conversation.
   *
   * @param toClient receives the messages of the server; called by several threads
   * @param toServer receives messages for a server that executes; null if there is none
   */
  ReplayedConversation(
      AgentScope scope, Consumer<String> toClient, @Nullable Consumer<String> toServer)
      throws IOException {
    this.scope = scope;
    this.recorded = scope.recorded() == null
        ? RecordedMessages.none()
        : RecordedMessages.read(scope.recorded());
    this.toClient = toClient;
    this.toServer = toServer;
  }

  /** The messages of the recording. */
  RecordedMessages recorded() {
    return recorded;
  }

  /** Accepts a line of the client. Returns when its requests are placed in the replay. */
  void fromClient(String text) {
    for (Message message : Message.read(Side.CLIENT, 0, text)) {
      if (message.isResponse()) {
        if (!client.accept(message.id(), message)) {
          pass(message);
        }
      } else if (message.isRequest() && Methods.kind(message) != Methods.Kind.KEPT) {
        work(turn -> call(message, turn));
      } else if (toServer != null) {
        if (Methods.CANCELLED.equals(message.method())) {
          server.cancel(message.params().get("requestId"), Events.reason(message));
        }
        connect(message);
      } else {
        work(turn -> answer(message, turn));
      }
    }
  }

  private interface Work {
    void run(Turn turn) throws Exception;
  }

  private void work(Work work) {
    Turn turn = new Turn();
    running.register();
    workers.execute(() -> {
      try {
        work.run(turn);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception ended) {
        // the scope has entered it into the ledger of the replay
      } finally {
        turn.end();
        running.arriveAndDeregister();
      }
    });
    turn.awaitEnd();
  }

  /** Passes a message of the client on to the server, if there is one. */
  private void pass(Message message) {
    if (toServer != null) {
      toServer.accept(message.text());
    }
  }

  /** Passes a message that makes a connection on to the server. */
  private void connect(Message message) {
    JsonValue id = message.id();
    if (message.isRequest() && id != null) {
      synchronized (settings) {
        settings.request(message);
        connecting.add(id, new OpenRequests.Request(message, Methods.Kind.KEPT, null, 0));
      }
    }
    pass(message);
  }

  /** Answers a message of the client that is not a call, as it was answered in the recording. */
  private void answer(Message message, Turn turn) {
    long line = recorded.take(message);
    JsonValue id = message.id();
    if (line == 0) {
      if (message.isRequest() && id != null) {
        answerUnknown(message, id);
      }
      return;
    }
    if (message.isRequest()) {
      synchronized (settings) {
        settings.request(message);
      }
    }
    try {
      send(line, message, null, turn);
    } catch (Exception e) {
      if (message.isRequest() && id != null) {
        refuse(id, e);
      }
    }
  }

  /** Answers a request that the recording lacks. */
  private void answerUnknown(Message message, JsonValue id) {
    if (Methods.PING.equals(message.method()) || Methods.SET_LEVEL.equals(message.method())) {
      toClient.accept(Events.response(id, JsonObject.EMPTY, null).toString());
      return;
    }
    try {
      scope.execute(ToolCall.of("", Methods.PREFIX + message.method(), message.params()));
    } catch (Exception miss) {
      refuse(id, miss);
    }
  }

  /** Requests a call of the client from the replay. */
  private void call(Message request, Turn turn) {
    JsonValue id = Objects.requireNonNull(request.id());
    AtomicReference<@Nullable Message> executed = new AtomicReference<>();
    ToolCall call = Events.toolCall("", request);
    try {
      ToolResult result = toServer == null
          ? scope.execute(call)
          : scope.execute(call, issued -> {
            turn.end();
            return execute(request, issued.id(), executed);
          });
      Message live = executed.get();
      if (live != null) {
        toClient.accept(live.text());
      } else if (!isCancelled(result)) {
        send(line(result), request, RecordedMessages.response(id, result), turn);
      } else {
        send(line(result), request, null, turn);
      }
    } catch (CancellationException cancelled) {
      // its caller no longer waits for it
    } catch (Exception e) {
      refuse(id, e);
    }
  }

  private ToolResult execute(
      Message request, String callId, AtomicReference<@Nullable Message> executed)
      throws Exception {
    try {
      Message response = server.ask(
          Objects.requireNonNull(request.id()), request.text(), Objects.requireNonNull(toServer));
      executed.set(response);
      return Events.toolResult(callId, request, response);
    } catch (CancellationException e) {
      return Events.cancelledTool(callId, Failure.message(e));
    }
  }

  private static boolean isCancelled(ToolResult result) {
    Failure failure = result.outcome().error();
    return failure != null && Failure.CANCELLED.equals(failure.name());
  }

  /** The line of the request that a recorded result belongs to; 0 if it is not from a message. */
  private static long line(ReplayEvent result) {
    JsonObject kept = Kept.of(result);
    return kept == null ? 0 : Kept.request(kept);
  }

  /**
   * Sends the messages that belong to a recorded message of the client, in order.
   *
   * @param line the line of that message
   * @param message the message of the client in its place; null for a response
   * @param response the text of the response to it; null if it is a kept message
   */
  private void send(long line, @Nullable Message message, @Nullable String response, Turn turn)
      throws Exception {
    boolean hasResponse = false;
    for (OfServer each : recorded.belongingTo(line)) {
      if (each.role() == Role.CALL) {
        turn.end();
        ask(each);
      } else if (each.role() == Role.MESSAGE) {
        toClient.accept(
            recorded.text(each, null, message == null ? null : message.progressToken()));
      } else if (response != null && each.event() instanceof ToolResult) {
        hasResponse = true;
        toClient.accept(response);
      } else if (message != null && message.id() != null && !(each.event() instanceof ToolResult)) {
        stated(message, each);
        toClient.accept(recorded.text(each, message.id(), null));
      }
    }
    if (response != null && !hasResponse) {
      toClient.accept(response); // of an imported log
    }
  }

  /** Records the settings that a recorded response states. */
  private void stated(Message request, OfServer response) throws IOException {
    for (Message message : Message.read(Side.SERVER, 0, recorded.text(response, null, null))) {
      stated(request, message);
    }
  }

  private void stated(Message request, Message response) {
    if (response.json() != null && response.json().get("result") instanceof JsonObject result) {
      Settings stated;
      synchronized (settings) {
        stated = settings.response(
            String.valueOf(request.method()), result, request.params().has("cursor"));
      }
      if (!stated.values().isEmpty()) {
        scope.settings(stated);
      }
    }
  }

  /** Issues a recorded request of the server to the client again. */
  private void ask(OfServer request) throws Exception {
    String text = recorded.text(request, id(request), null);
    for (Message message : Message.read(Side.SERVER, 0, text)) {
      ask(message, request.event());
    }
    send(recorded.answerTo(request.line()), null, null, new Turn());
  }

  /** The id of a recorded request: its own, unless a server may use it at the same time. */
  private @Nullable JsonValue id(OfServer request) {
    return toServer == null ? null : JsonString.of("replay-" + request.line());
  }

  /**
   * Issues a request of the server to the client.
   *
   * @param event its recorded event; null if the server has made it
   */
  private ReplayEvent ask(Message request, @Nullable ReplayEvent event) throws Exception {
    if (Methods.kind(request) == Methods.Kind.MODEL) {
      ModelCall call = event instanceof ModelCall model
          ? new ModelCall("", model.model(), model.prompt(), model.parameters(), model.meta())
          : Sampling.call("", request);
      return scope.execute(call, piece -> {}, (issued, pieces) -> {
        try {
          return Events.modelResult(issued.id(), askClient(request));
        } catch (CancellationException e) {
          return Events.cancelledModel(issued.id(), Failure.message(e));
        }
      });
    }
    return scope.execute(Events.toolCall("", request), issued -> {
      try {
        return Events.toolResult(issued.id(), request, askClient(request));
      } catch (CancellationException e) {
        return Events.cancelledTool(issued.id(), Failure.message(e));
      }
    });
  }

  private Message askClient(Message request) throws Exception {
    return client.ask(Objects.requireNonNull(request.id()), request.text(), toClient);
  }

  /** Accepts a line of the server that executes. */
  void fromServer(String text) {
    for (Message message : Message.read(Side.SERVER, 0, text)) {
      if (message.isResponse()) {
        if (!server.accept(message.id(), message)) {
          passResponse(message);
        }
      } else if (message.isRequest() && Methods.kind(message) != Methods.Kind.KEPT) {
        work(turn -> {
          turn.end();
          respond(message);
        });
      } else {
        if (Methods.CANCELLED.equals(message.method())) {
          client.cancel(message.params().get("requestId"), Events.reason(message));
        }
        toClient.accept(message.text());
      }
    }
  }

  private void passResponse(Message message) {
    OpenRequests.Request request;
    synchronized (settings) {
      request = connecting.take(Side.CLIENT, message.id());
    }
    if (request != null) {
      stated(request.message(), message);
    }
    toClient.accept(message.text());
  }

  /** Answers a request of the server that executes. */
  private void respond(Message request) {
    JsonValue id = Objects.requireNonNull(request.id());
    try {
      pass(ask(request, null), id);
    } catch (Exception e) {
      if (toServer != null) {
        toServer.accept(error(id, e));
      }
    }
  }

  private void pass(ReplayEvent result, JsonValue id) {
    if (toServer != null) {
      toServer.accept(RecordedMessages.response(id, result));
    }
  }

  private void refuse(JsonValue id, Exception reason) {
    toClient.accept(error(id, reason));
  }

  private static String error(JsonValue id, Exception reason) {
    Throwable cause = reason instanceof CompletionException && reason.getCause() != null
        ? reason.getCause()
        : reason;
    JsonObject error =
        JsonObject.of("code", NOT_ANSWERED, "message", "replay: " + Failure.message(cause));
    if (cause instanceof ReplayMissException miss) {
      error = error.with("data", JsonObject.of("miss", miss.miss().kind().id()));
    }
    return JsonObject.of("jsonrpc", "2.0", "id", id, "error", error).toString();
  }

  /** Ends the wait for responses of the server that executes. */
  void serverEnded() {
    server.end();
  }

  /** Waits for the answers to all messages of the client, which has ended. */
  @Override
  public void close() {
    client.end();
    server.end();
    running.awaitAdvance(running.arrive());
    workers.shutdown();
  }
}
