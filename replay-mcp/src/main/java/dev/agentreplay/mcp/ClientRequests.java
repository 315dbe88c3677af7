package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a server in a replay, recorded or made by a live server. The client answers them
 * where the policy of the replay executes the model, or the tool with the name of the method. Safe
 * for use by several threads.
 */
final class ClientRequests {

  private final AgentScope scope;
  private final Receiver toClient;
  private final Awaited responses = new Awaited();

  ClientRequests(AgentScope scope, Receiver toClient) {
    this.scope = scope;
    this.toClient = toClient;
  }

  /**
   * Issues a request to the client.
   *
   * @param event its recorded event; null if a live server has made it
   * @param turn ends when the request is sent
   * @return the result
   */
  ReplayEvent ask(Message request, @Nullable ReplayEvent event, Turn turn) throws Exception {
    if (Methods.kind(request) == Methods.Kind.MODEL) {
      ModelCall call = event instanceof ModelCall model
          ? new ModelCall("", model.model(), model.prompt(), model.parameters(), model.meta())
          : Sampling.call("", request);
      return scope.execute(call, piece -> {}, (issued, pieces) -> {
        try {
          return Events.modelResult(issued.id(), askClient(request, turn));
        } catch (CancellationException e) {
          return Events.cancelledModel(issued.id(), Failure.message(e));
        }
      });
    }
    return scope.execute(Events.toolCall("", request), issued -> {
      try {
        return Events.toolResult(issued.id(), false, askClient(request, turn));
      } catch (CancellationException e) {
        return Events.cancelledTool(issued.id(), Failure.message(e));
      }
    });
  }

  private Message askClient(Message request, Turn turn) throws Exception {
    return responses.ask(request, toClient, turn::end);
  }

  /** Passes a response on to the thread that waits for it. Returns whether one does. */
  boolean accept(Message response) {
    return responses.accept(response.id(), response);
  }

  /** Ends the wait for the response to a request that the server has cancelled. */
  void cancel(Message cancellation) {
    responses.cancel(cancellation.params().get("requestId"), Events.reason(cancellation));
  }

  /** Ends all waits, because the client has ended. */
  void end() {
    responses.end(new CancellationException("the client has ended"));
  }
}
