package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ExchangeRefusedException;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayStoppedException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a subject, several at the same time. A request begins after the previous
 * one of its lane was answered, or is being executed for a while: requests that are served are
 * matched in their order.
 */
final class SubjectRequests implements Closeable {

  /** The time after which the next request of a lane begins. */
  private static final long TURN_MILLIS = 20;

  private static final long LAST_ANSWERS_MILLIS = 2_000;

  private final AgentScope scope;
  private final SubjectOutput out;
  private final SubjectSession session;
  private final int maxOutstanding;
  private final ExecutorService workers =
      Executors.newCachedThreadPool(task -> ChildProcess.daemon("replay-subject-request", task));

  /** The requests that are not answered, and the calls whose output is late, by id. */
  private final Map<JsonValue, Outstanding> outstanding = new ConcurrentHashMap<>();

  /** The last request of each lane, and its scope; used by the reader only. */
  private final Map<String, Outstanding> last = new HashMap<>();

  private final Map<String, AgentScope> lanes = new HashMap<>();

  /** A request that is not answered yet. */
  private static final class Outstanding {
    private final SubjectMessage request;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /** What the subject sends after it was asked to run the call itself. */
    private final CompletableFuture<SubjectMessage> output = new CompletableFuture<>();

    /** Whether the subject runs the call; guarded by this. */
    private boolean isRunByTheSubject;

    /** Whether the answer was made; guarded by this. */
    private boolean isAnswered;

    Outstanding(SubjectMessage request) {
      this.request = request;
    }

    /** Asks the subject to run the call, unless it was answered, because it timed out. */
    synchronized void askToRun(SubjectOutput out) throws IOException {
      if (!isAnswered) {
        out.send(SubjectOutput.message(request.id(), "execute"));
        isRunByTheSubject = true;
      }
    }

    /** Takes the output. Returns whether it is late. */
    synchronized boolean take(SubjectMessage message) throws Wrong {
      if (!isRunByTheSubject) {
        throw notToBeRun(message);
      }
      if (request.type() == SubjectMessage.Type.TOOL) {
        SubjectResults.tool("", message);
      } else {
        SubjectResults.model("", message);
      }
      isRunByTheSubject = false;
      output.complete(message);
      return isAnswered;
    }

    /** Ends waiting for the output. Returns whether the subject is still to send it. */
    synchronized boolean answered() {
      isAnswered = true;
      return isRunByTheSubject;
    }

    /** States that the subject did not read the answer. */
    synchronized void notRead() {
      isAnswered = false;
    }

    /** Whether the call was answered, and its output was not sent yet. */
    synchronized boolean isLate() {
      return isAnswered && isRunByTheSubject;
    }
  }

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
    Outstanding request = new Outstanding(message);
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
    Outstanding before = last.put(lane == null ? "" : lane, request);
    workers.execute(() -> run(request, before, answer));
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
    Outstanding request = outstanding.get(message.id());
    if (request == null) {
      throw notToBeRun(message);
    }
    if (request.take(message)) {
      outstanding.remove(message.id());
    }
  }

  /** Whether a message is the output of a call that was answered without it. */
  boolean isLate(SubjectMessage message) {
    Outstanding request = outstanding.get(message.id());
    return message.type() == SubjectMessage.Type.OUTPUT && request != null && request.isLate();
  }

  private static Wrong notToBeRun(SubjectMessage message) {
    return new Wrong(message.id(), "\"output\" of a call that was not to be run");
  }

  /** Makes the answer to a request. */
  @FunctionalInterface
  private interface Answer {
    JsonObject make(JsonObject result) throws Exception;
  }

  private Answer answer(Outstanding request, AgentScope lane) throws Wrong {
    SubjectMessage message = request.request;
    return switch (message.type()) {
      case TOOL -> toolAnswer(request, lane);
      case MODEL -> modelAnswer(request, lane);
      case VALUE -> result -> result.with("value", SubjectValues.of(message, lane.context()));
      case EMIT -> eventAnswer(SubjectEvents.event(message), lane);
      case END -> endAnswer(SubjectEvents.end(message), lane);
      case HELLO, OUTPUT -> throw new IllegalStateException("not a request: " + message.type());
    };
  }

  private Answer toolAnswer(Outstanding request, AgentScope lane) throws Wrong {
    ToolCall call = SubjectEvents.toolCall(request.request);
    boolean isLocal = request.request.flag("local");
    return result -> SubjectResults.of(
        result,
        isLocal ? lane.execute(call, running -> runTool(request, running)) : lane.execute(call));
  }

  private Answer modelAnswer(Outstanding request, AgentScope lane) throws Wrong {
    SubjectMessage message = request.request;
    ModelCall call = SubjectEvents.modelCall(message);
    boolean isLocal = message.flag("local");
    Consumer<String> pieces = message.flag("stream") ? text -> piece(message, text) : text -> {};
    return result -> SubjectResults.of(
        result,
        isLocal
            ? lane.execute(call, pieces, (running, into) -> runModel(request, running))
            : lane.execute(call, pieces));
  }

  private static Answer eventAnswer(ReplayEvent event, AgentScope lane) {
    return result -> {
      if (event instanceof Settings settings) {
        lane.settings(settings);
      } else {
        lane.emit(event);
      }
      return result;
    };
  }

  private static Answer endAnswer(SessionEnd end, AgentScope lane) {
    return result -> {
      lane.end(end);
      return result;
    };
  }

  private void piece(SubjectMessage message, String text) {
    session.answer(SubjectOutput.message(message.id(), "piece").with("text", text));
  }

  private ToolResult runTool(Outstanding request, ToolCall call) throws Exception {
    return SubjectResults.tool(call.id(), executed(request));
  }

  private ModelResult runModel(Outstanding request, ModelCall call) throws Exception {
    return SubjectResults.model(call.id(), executed(request));
  }

  /** Asks the subject to run a call itself, and waits for the output. */
  private SubjectMessage executed(Outstanding request)
      throws IOException, InterruptedException, ExecutionException {
    request.askToRun(out);
    return request.output.get();
  }

  private void run(Outstanding request, @Nullable Outstanding before, Answer answer) {
    try {
      if (before != null) {
        before.begun.await();
        // after this time the earlier call is executed, and this one is concurrent to it
        before.done.await(TURN_MILLIS, TimeUnit.MILLISECONDS);
      }
      request.begun.countDown();
      JsonObject message = answered(request.request, answer);
      if (message != null) {
        JsonValue id = request.request.id();
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
      request.begun.countDown();
      request.done.countDown();
    }
    if (request.request.type() == SubjectMessage.Type.END) {
      session.mustExit("it ended the session");
    }
  }

  /** Returns the answer to a request; null if the conversation is over. */
  private @Nullable JsonObject answered(SubjectMessage request, Answer answer)
      throws InterruptedException {
    JsonValue id = request.id();
    try {
      return answer.make(SubjectOutput.message(id, "result"));
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
    } catch (TimeoutException e) {
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
    workers.shutdown();
    boolean isOver = workers.awaitTermination(LAST_ANSWERS_MILLIS, TimeUnit.MILLISECONDS);
    int unanswered =
        (int) outstanding.values().stream().filter(request -> !request.isLate()).count();
    return isOver ? unanswered : Math.max(1, unanswered);
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
