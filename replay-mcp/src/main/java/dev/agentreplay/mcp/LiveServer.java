package dev.agentreplay.mcp;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server that executes the calls that the policy of a replay executes, and answers what makes
 * the connection. Safe for use by several threads.
 */
final class LiveServer {

  private final Receiver toServer;
  private final StatedSettings settings;
  private final Awaited responses = new Awaited();
  private final OpenRequests connecting = new OpenRequests();

  LiveServer(Receiver toServer, StatedSettings settings) {
    this.toServer = toServer;
    this.settings = settings;
  }

  /** Sends a message that is not a request. */
  void send(String text) {
    toServer.send(text);
  }

  /**
   * Executes a request of the client.
   *
   * @param turn ends when the request is sent
   * @param executed receives the response
   */
  ToolResult execute(String callId, Message request, Turn turn, Consumer<Message> executed)
      throws Exception {
    try {
      Message response = responses.ask(request, toServer, turn::end);
      executed.accept(response);
      return Events.toolResult(callId, Methods.isToolCall(request), response);
    } catch (CancellationException e) {
      return Events.cancelledTool(callId, Failure.message(e));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /**
   * Passes a message of the client on that is not a call.
   *
   * @param onFailure receives the reason if it cannot be sent
   */
  void connect(Message message, Consumer<Throwable> onFailure) {
    if (Methods.CANCELLED.equals(message.method())) {
      cancel(message);
      return;
    }
    if (message.isRequest()) {
      settings.request(message);
      synchronized (connecting) {
        connecting.add(new OpenRequests.Request(message, null, 0));
      }
    }
    toServer.send(message.text(), failure -> {
      takeConnecting(message.id());
      onFailure.accept(failure);
    });
  }

  /** Cancels a request, unless it is one that the server does not know, since it was served. */
  private void cancel(Message cancellation) {
    JsonValue id = cancellation.params().get("requestId");
    boolean isKnown = responses.cancel(id, Events.reason(cancellation));
    if (isKnown || takeConnecting(id) != null) {
      toServer.send(cancellation.text());
    }
  }

  private OpenRequests.@Nullable Request takeConnecting(@Nullable JsonValue id) {
    synchronized (connecting) {
      return connecting.take(Side.CLIENT, id);
    }
  }

  /** Accepts a response. Returns whether a call waits for it; another is for the client. */
  boolean accept(Message response) {
    if (responses.accept(response.id(), response)) {
      return true;
    }
    OpenRequests.Request request = takeConnecting(response.id());
    if (request != null) {
      settings.response(request.method, request.isFurtherPage, response);
    }
    return false;
  }

  /** Whether a message that makes the connection is not answered yet. */
  boolean isConnecting() {
    synchronized (connecting) {
      return connecting.ofClient() > 0;
    }
  }

  /** Ends all waits with an error, because the server has ended. */
  void ended() {
    responses.end(new IOException("the server has ended"));
  }

  /** Ends all waits, because the client has ended. */
  void cancelAll() {
    responses.end(new CancellationException("the client has ended"));
  }
}
