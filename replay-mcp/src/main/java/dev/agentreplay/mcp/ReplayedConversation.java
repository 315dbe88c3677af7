package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a conversation in a replay. Calls are requested from the scope of the
 * replay; what makes a connection is answered from the recording, or by the server if there is one.
 * A response of that server to a call is sent when it has been compared, so that a later
 * notification may overtake it. Each side's messages are accepted in order, by one thread at a
 * time; otherwise safe for use by several threads.
 */
final class ReplayedConversation implements AutoCloseable {

  /** The code of errors for requests that the replay does not answer: an internal error. */
  private static final int NOT_ANSWERED = -32603;

  private interface Work {
    void run(Turn turn) throws Exception;
  }

  private final AgentScope scope;
  private final RecordedMessages recorded;
  private final Receiver toClient;
  private final Consumer<Throwable> onFailure;
  private final StatedSettings settings;
  private final ClientRequests asked;
  private final ServedMessages served;
  private final @Nullable LiveServer server;
  private final AtomicLong linesOfClient = new AtomicLong();
  private final AtomicLong linesOfServer = new AtomicLong();
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
   * @param onFailure receives what is not a failure of a call, and ends the conversation
   */
  ReplayedConversation(
      AgentScope scope,
      Receiver toClient,
      @Nullable Receiver toServer,
      Consumer<Throwable> onFailure)
      throws IOException {
    this.scope = scope;
    this.recorded = scope.recorded() == null
        ? RecordedMessages.none()
        : RecordedMessages.read(scope.recorded());
    this.toClient = toClient;
    this.onFailure = onFailure;
    this.settings = new StatedSettings(scope);
    this.asked = new ClientRequests(scope, toClient);
    this.served = new ServedMessages(recorded, toClient, asked, settings, toServer != null);
    this.server = toServer == null ? null : new LiveServer(toServer, settings);
  }

  /** The messages of the recording. */
  RecordedMessages recorded() {
    return recorded;
  }

  /** Sends the messages that the recorded server has sent before the client, unless one is live. */
  void begin() {
    if (server == null) {
      work(null, turn -> served.send(0, null, null, turn));
    }
  }

  /** Accepts a line of the client. Returns when its requests are placed in the replay and sent. */
  void fromClient(String text) {
    LiveServer live = server;
    for (Message message : Message.read(Side.CLIENT, linesOfClient.incrementAndGet(), text)) {
      JsonValue id = message.isRequest() ? message.id() : null;
      if (message.isResponse()) {
        if (!asked.accept(message) && live != null) {
          live.send(message.text());
        }
      } else if (id != null && Methods.kind(message) != Methods.Kind.KEPT) {
        work(id, turn -> call(message, id, turn));
      } else if (live != null) {
        live.connect(message, failure -> refuse(id, failure));
      } else {
        work(id, turn -> answer(message, id, turn));
      }
    }
  }

  /**
   * Runs the work for a message on a thread, until its turn ends.
   *
   * @param id the id of the request; null if it is none
   */
  private void work(@Nullable JsonValue id, Work work) {
    Turn turn = new Turn();
    running.register();
    try {
      workers.execute(() -> {
        try {
          work.run(turn);
        } catch (Throwable e) {
          refuse(id, e);
          onFailure.accept(e);
        } finally {
          turn.end();
          running.arriveAndDeregister();
        }
      });
    } catch (RuntimeException | Error e) {
      running.arriveAndDeregister();
      throw e;
    }
    turn.awaitEnd();
  }

  /** Answers a message of the client that is not a call, as it was answered in the recording. */
  private void answer(Message message, @Nullable JsonValue id, Turn turn) {
    long line = recorded.take(message);
    if (line == 0) {
      if (id != null) {
        answerUnknown(message, id);
      }
      return;
    }
    if (id != null) {
      settings.request(message);
    }
    try {
      if (!served.send(line, message, null, turn) && id != null) {
        answerUnknown(message, id);
      }
    } catch (Exception e) {
      refuse(id, e);
    }
  }

  /** Answers a request that the recording lacks. */
  private void answerUnknown(Message message, JsonValue id) {
    if (Methods.PING.equals(message.method()) || Methods.SET_LEVEL.equals(message.method())) {
      toClient.send(Events.response(id, JsonObject.EMPTY, null).toString());
      return;
    }
    try {
      scope.execute(ToolCall.of("", Methods.PREFIX + message.method(), message.params()));
    } catch (Exception miss) {
      refuse(id, miss);
    }
  }

  /** Requests a call of the client from the replay. */
  private void call(Message request, JsonValue id, Turn turn) {
    LiveServer live = server;
    AtomicReference<@Nullable Message> executed = new AtomicReference<>();
    ToolCall call = Events.toolCall("", request);
    try {
      ToolResult result = live == null
          ? scope.execute(call)
          : scope.execute(call, issued -> live.execute(issued.id(), request, turn, executed::set));
      Message response = executed.get();
      if (response != null) {
        toClient.send(response.text());
      } else {
        serve(request, id, result, turn);
      }
    } catch (CancellationException cancelled) {
      // its caller no longer waits for it
    } catch (Exception e) {
      refuse(id, e);
    }
  }

  /** Serves a recorded result, or none of a cancelled call. */
  private void serve(Message request, JsonValue id, ToolResult result, Turn turn) throws Exception {
    Failure failure = result.outcome().error();
    boolean isCancelled = failure != null && Failure.CANCELLED.equals(failure.name());
    String response = isCancelled ? null : RecordedMessages.response(id, result);
    JsonObject kept = Kept.of(result);
    long line = kept == null ? 0 : Kept.request(kept);
    if (line != 0) {
      served.send(line, request, response, turn);
    } else if (response != null) {
      toClient.send(response); // of a result that was not made from a message
    }
  }

  /** Accepts a line of the server that executes. Returns when its requests are sent. */
  void fromServer(String text) {
    LiveServer live = Objects.requireNonNull(server);
    for (Message message : Message.read(Side.SERVER, linesOfServer.incrementAndGet(), text)) {
      JsonValue id = message.isRequest() ? message.id() : null;
      if (message.isResponse()) {
        if (!live.accept(message)) {
          toClient.send(message.text());
        }
      } else if (id != null && Methods.kind(message) != Methods.Kind.KEPT) {
        work(null, turn -> respond(live, message, id, turn));
      } else {
        if (Methods.CANCELLED.equals(message.method())) {
          asked.cancel(message);
        }
        toClient.send(message.text());
      }
    }
  }

  /** Answers a request of the server that executes. */
  private void respond(LiveServer live, Message request, JsonValue id, Turn turn) {
    try {
      ReplayEvent result = asked.ask(request, null, turn);
      live.send(RecordedMessages.response(id, result));
    } catch (Exception e) {
      live.send(error(id, e));
    }
  }

  private void refuse(@Nullable JsonValue id, Throwable reason) {
    if (id != null) {
      toClient.send(error(id, reason));
    }
  }

  private static String error(JsonValue id, Throwable reason) {
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

  /** Whether requests of the client are not answered yet. */
  boolean isBusy() {
    return running.getRegisteredParties() > 1 || (server != null && server.isConnecting());
  }

  /** Ends the wait for responses of the client, which has ended. */
  void clientEnded() {
    asked.end();
  }

  /** Answers the requests that wait for the server, which has ended, with an error. */
  void serverEnded() {
    if (server != null) {
      server.ended();
    }
  }

  /** Ends the waits for responses of both sides, also later ones. */
  void endWaits() {
    asked.end();
    if (server != null) {
      server.cancelAll();
    }
  }

  /** Ends all waits, without waiting for the answers. */
  void abort() {
    endWaits();
    workers.shutdown();
  }

  /** Waits for the answers to all messages of the client, which has ended. */
  @Override
  public void close() {
    endWaits();
    running.awaitAdvance(running.arrive());
    workers.shutdown();
  }
}
