package dev.agentreplay.mcp;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** The receivers of the failures of open connecting requests. */
  private final Map<OpenRequests.Request, Consumer<Throwable>> refusals = new LinkedHashMap<>();

  private @Nullable IOException end;

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
   * @param onFailure receives the reason if it cannot be sent, or if the server ends before it has
   *     answered a request
   */
  void connect(Message message, Consumer<Throwable> onFailure) {
    if (Methods.CANCELLED.equals(message.method())) {
      cancel(message);
      return;
    }
    if (!message.isRequest()) {
      toServer.send(message.text(), onFailure);
      return;
    }
    settings.request(message);
    IOException ended = add(message, onFailure);
    if (ended != null) {
      onFailure.accept(ended);
      return;
    }
    toServer.send(message.text(), failure -> {
      if (takeConnecting(message.id()) != null) {
        onFailure.accept(failure);
      }
    });
  }

  /** Adds a connecting request, unless the server has ended: returns the reason then. */
  private @Nullable IOException add(Message message, Consumer<Throwable> onFailure) {
    synchronized (connecting) {
      if (end == null) {
        OpenRequests.Request request = new OpenRequests.Request(message, null, 0);
        connecting.add(request);
        refusals.put(request, onFailure);
      }
      return end;
    }
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
      OpenRequests.Request request = connecting.take(Side.CLIENT, id);
      if (request != null) {
        refusals.remove(request);
      }
      return request;
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

  /** Answers all open and later requests with an error, because the server has ended. */
  void ended() {
    IOException reason = new IOException("the server has ended");
    responses.end(reason);
    List<Consumer<Throwable>> open;
    synchronized (connecting) {
      end = end == null ? reason : end;
      open = List.copyOf(refusals.values());
      refusals.keySet().forEach(connecting::remove);
      refusals.clear();
    }
    open.forEach(each -> each.accept(reason));
  }

  /** Ends all waits, because the client has ended. */
  void cancelAll() {
    responses.end(new CancellationException("the client has ended"));
  }
}
