package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.order.Ordered;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ExchangeRefusedException;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a subject, several at the same time. They are matched and recorded in the
 * order in which they arrive: a request begins when the one before it has its place.
 */
final class SubjectRequests implements Closeable {

  private static final long LAST_ANSWERS_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final AgentScope scope;
  private final SubjectOutput out;
  private final SubjectSession session;
  private final int maxOutstanding;
  private final SubjectThreads threads = new SubjectThreads();

  /** The requests that are not answered, and the calls whose output is late, by id. */
  private final Map<JsonValue, SubjectRequest> outstanding = new ConcurrentHashMap<>();

  /** The requests for which something is being done. */
  private final Set<SubjectRequest> running = ConcurrentHashMap.newKeySet();

  /** The scope of each lane; used by the reader only. */
  private final Map<String, AgentScope> lanes = new HashMap<>();

  SubjectRequests(AgentScope scope, SubjectOutput out, SubjectSession session, int maxOutstanding) {
    this.scope = scope;
    this.out = out;
    this.session = session;
    this.maxOutstanding = maxOutstanding;
  }

  /** Begins to answer a request; called by the reader only. */
  void accept(SubjectMessage message) throws Wrong, IOException {
    if (message.type() == SubjectMessage.Type.OUTPUT) {
      output(message);
      return;
    }
    SubjectRequest request = new SubjectRequest(message);
    if (outstanding.size() >= maxOutstanding) {
      throw new SubjectException(
          Reason.LIMIT, "more than %,d requests are not answered yet".formatted(maxOutstanding));
    }
    if (outstanding.putIfAbsent(message.id(), request) != null) {
      throw new Wrong(message.id(), "the id of a request that is not answered yet is used again");
    }
    String lane = message.text(Names.AGENT);
    AgentScope lanesScope = lane == null ? scope : lane(lane, message);
    // checked by the reader, so that a wrong request has no effect
    Answer answer = answer(request, lanesScope);
    running.add(request);
    threads.add(onPlaced -> run(request, answer, onPlaced));
  }

  private AgentScope lane(String lane, SubjectMessage message) throws Wrong {
    if (lane.isBlank()) {
      throw message.wrong(Names.AGENT, "a string that is not blank");
    }
    AgentScope known = lanes.get(lane);
    if (known == null) {
      known = scope.agent(lane, message.text(Names.PARENT));
      lanes.put(lane, known);
    }
    return known;
  }

  /**
   * Gives the output of a call that the subject ran to the thread that waits for it. The output of
   * a call that timed out is discarded; its id may be used again after that.
   */
  private void output(SubjectMessage message) throws Wrong {
    SubjectRequest request = outstanding.get(message.id());
    if (request == null) {
      throw SubjectRequest.notToBeRun(message);
    }
    if (request.take(message)) {
      outstanding.remove(message.id());
    }
  }

  /** Whether a message is the output of a call that was answered without it. */
  boolean isLate(SubjectMessage message) {
    SubjectRequest request = outstanding.get(message.id());
    return message.type() == SubjectMessage.Type.OUTPUT && request != null && request.isLate();
  }

  /** Makes the answer to a request. */
  @FunctionalInterface
  private interface Answer {
    JsonObject make(JsonObject result, Runnable onPlaced) throws Exception;
  }

  /** The scope that tells when a call has its place. */
  private static AgentScope ordered(AgentScope scope, Runnable onPlaced) {
    return (AgentScope) ((Ordered<?>) scope).onPlaced(onPlaced);
  }

  private Answer answer(SubjectRequest request, AgentScope lane) throws Wrong {
    SubjectMessage message = request.message();
    return switch (message.type()) {
      case TOOL -> toolAnswer(request, lane);
      case MODEL -> modelAnswer(request, lane);
      case VALUE ->
        (result, onPlaced) -> result.with("value", SubjectValues.of(message, lane.context()));
      case EMIT -> eventAnswer(SubjectEvents.event(message), lane);
      case END -> endAnswer(request, SubjectEvents.end(message), lane);
      case HELLO, OUTPUT -> throw new IllegalStateException("not a request: " + message.type());
    };
  }

  private Answer toolAnswer(SubjectRequest request, AgentScope lane) throws Wrong {
    ToolCall call = SubjectEvents.toolCall(request.message());
    if (isLocal(request)) {
      return (result, onPlaced) -> SubjectResults.of(
          result, ordered(lane, onPlaced).execute(call, issued -> runTool(request, issued)));
    }
    return (result, onPlaced) ->
        SubjectResults.of(result, ordered(lane, onPlaced).execute(call));
  }

  private Answer modelAnswer(SubjectRequest request, AgentScope lane) throws Wrong {
    SubjectMessage message = request.message();
    ModelCall call = SubjectEvents.modelCall(message);
    Consumer<String> pieces = message.flag("stream") ? text -> piece(message, text) : text -> {};
    if (isLocal(request)) {
      return (result, onPlaced) -> SubjectResults.of(
          result,
          ordered(lane, onPlaced)
              .execute(call, pieces, (issued, into) -> runModel(request, issued)));
    }
    return (result, onPlaced) ->
        SubjectResults.of(result, ordered(lane, onPlaced).execute(call, pieces));
  }

  private static boolean isLocal(SubjectRequest request) throws Wrong {
    return request.message().flag("local");
  }

  private static Answer eventAnswer(ReplayEvent event, AgentScope lane) {
    return (result, onPlaced) -> {
      if (event instanceof Settings settings) {
        lane.settings(settings);
      } else {
        lane.emit(event);
      }
      return result;
    };
  }

  /** The end follows what the replay does; a subject that ends does not send an output. */
  private Answer endAnswer(SubjectRequest request, SessionEnd end, AgentScope lane) {
    return (result, onPlaced) -> {
      for (SubjectRequest before : running) {
        if (before != request && !isLocal(before)) {
          before.await();
        }
      }
      lane.end(end);
      return result;
    };
  }

  private void piece(SubjectMessage message, String text) {
    session.answer(SubjectOutput.message(message.id(), "piece").with("text", text));
  }

  private ToolResult runTool(SubjectRequest request, ToolCall call) throws Exception {
    return SubjectResults.tool(call.id(), request.runBySubject(out));
  }

  private ModelResult runModel(SubjectRequest request, ModelCall call) throws Exception {
    return SubjectResults.model(call.id(), request.runBySubject(out));
  }

  private void run(SubjectRequest request, Answer answer, Runnable onPlaced) {
    try {
      JsonObject message = answered(request.message(), answer, onPlaced);
      if (message != null) {
        JsonValue id = request.message().id();
        if (!request.answered()) {
          outstanding.remove(id); // before the subject may use it again
        }
        if (!session.answer(message)) {
          request.notRead();
          outstanding.put(id, request);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the subject is killed
    } finally {
      running.remove(request);
      request.done();
    }
    if (request.message().type() == SubjectMessage.Type.END) {
      session.mustExit("it ended the session");
    }
  }

  /** Returns the answer to a request; null if the conversation is over. */
  private @Nullable JsonObject answered(SubjectMessage request, Answer answer, Runnable onPlaced)
      throws InterruptedException {
    JsonValue id = request.id();
    try {
      return answer.make(SubjectOutput.message(id, "result"), onPlaced);
    } catch (ReplayMissException e) {
      session.answeredWith(e);
      return text(SubjectOutput.message(id, "miss"), e).with("miss", e.miss().json());
    } catch (ExchangeRefusedException e) {
      session.answeredWith(e);
      return text(SubjectOutput.message(id, "refused"), e);
    } catch (ReplayStoppedException e) {
      session.answeredWith(e);
      session.mustExit("it was stopped");
      return text(SubjectOutput.message(id, "stopped"), e);
    } catch (NotExecutedException e) {
      session.answeredWith(e);
      return SubjectSession.error(SubjectOutput.message(id, "error"), Names.NOT_EXECUTED, e)
          .with("reason", e.reason().id());
    } catch (TimeoutException e) {
      session.answeredWith(e);
      return SubjectSession.error(SubjectOutput.message(id, "error"), "timeout", e);
    } catch (InterruptedException e) {
      throw e;
    } catch (Wrong e) {
      session.violated(e.id(), e.exception());
      return null;
    } catch (UncheckedIOException e) {
      session.fail(e);
      return null;
    } catch (Exception e) {
      return SubjectSession.error(SubjectOutput.message(id, "error"), "failed", e);
    } catch (Error e) {
      session.fail(new IllegalStateException("a request of the subject failed: " + e, e));
      throw e;
    }
  }

  private static JsonObject text(JsonObject message, Exception reason) {
    return message.with("message", Failure.message(reason));
  }

  /** Waits for answers that are almost made. Returns the number of requests without one. */
  int awaitAnswers() throws InterruptedException {
    long end = System.nanoTime() + LAST_ANSWERS_NANOS;
    boolean isOver = true;
    for (SubjectRequest request : running) {
      isOver &= request.await(end - System.nanoTime());
    }
    int unanswered =
        (int) outstanding.values().stream().filter(request -> !request.isLate()).count();
    return isOver ? unanswered : Math.max(1, unanswered);
  }

  @Override
  public void close() {
    threads.close();
  }
}
