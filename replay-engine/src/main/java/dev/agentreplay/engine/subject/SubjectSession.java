package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.LibraryVersion;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A conversation with one subject, from its first message until it exits. */
final class SubjectSession implements Closeable {

  /** The time in which the last messages of a subject that has exited arrive. */
  private static final Duration LAST_MESSAGES = Duration.ofSeconds(5);

  private final String name;
  private final ChildProcess child;
  private final SubjectLimits limits;
  private final LineInput in;
  private final SubjectOutput out;
  private final SubjectRequests requests;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
      task -> ChildProcess.daemon("replay-subject-timer", task));

  /** Completed when the output of the subject ends, or exceptionally when it has to be killed. */
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

  /** The first exception that the subject was answered with. */
  private final AtomicReference<@Nullable Exception> answered = new AtomicReference<>();

  /** The first message that was not one of the protocol; the subject may exit because of it. */
  private volatile @Nullable SubjectException violation;

  private volatile boolean hasGreeted;
  private volatile boolean hasEnded;

  SubjectSession(String name, ChildProcess child, AgentScope scope, SubjectLimits limits) {
    this.name = name;
    this.child = child;
    this.limits = limits;
    this.in = new LineInput(child.out(), limits.maxLineBytes());
    this.out = new SubjectOutput(child.in());
    this.requests = new SubjectRequests(scope, out, this, limits.maxOutstanding());
  }

  /** Answers requests until the subject exits, or must be killed. */
  void serve() throws Exception {
    ChildProcess.daemon("replay-subject", this::read).start();
    // a process that it started may keep its output open
    child.onExit(() -> later(LAST_MESSAGES, () -> ended.complete(null)));
    later(limits.hello(), this::requireGreeting);
    try {
      ended.get();
      conclude();
    } catch (ExecutionException e) {
      throw explained(e.getCause() instanceof Exception cause ? cause : e);
    } catch (SubjectException e) {
      throw explained(e);
    }
  }

  /**
   * The exception for a failure: the limit at which the subject was stopped, or what it was
   * answered with before, if it was.
   */
  private Exception explained(Exception failure) throws InterruptedException {
    if (failure instanceof SubjectException && child.hasExited()) {
      try {
        child.requireNoFault();
      } catch (NotExecutedException stopped) {
        stopped.addSuppressed(failure);
        return stopped;
      }
    }
    Exception before = answered.get();
    if (before == null || !(failure instanceof SubjectException) || before == failure) {
      return failure;
    }
    if (before instanceof TimeoutException && violation != null) {
      return failure; // a subject may continue after it
    }
    before.addSuppressed(failure);
    return before;
  }

  /** Checks how the subject ended, after its output has ended. */
  private void conclude() throws SubjectException, NotExecutedException, InterruptedException {
    // one that is to be killed gets the reason first, also after it has closed its output
    Integer exitCode = child.exitCode(violation == null ? limits.grace() : LAST_MESSAGES);
    requireNoViolation();
    if (exitCode == null) {
      throw failure(Reason.HANGING, "it closed its output, and did not exit in " + seconds());
    }
    child.requireNoFault();
    if (exitCode != 0) {
      throw failure(
          Reason.EXIT_CODE, "its exit code is %d%s".formatted(exitCode, child.errorTail()));
    }
    if (!hasGreeted) {
      throw failure(Reason.CLOSED, "it exited without a message" + child.errorTail());
    }
    // answers that are being written to a subject that does not wait for them
    int unanswered = requests.awaitAnswers();
    requireNoViolation();
    if (unanswered > 0 && !hasEnded) {
      throw failure(
          Reason.CLOSED, "it exited before %d of its requests were answered".formatted(unanswered));
    }
  }

  private void requireNoViolation() throws SubjectException {
    SubjectException violated = violation;
    if (violated != null) {
      throw violated;
    }
  }

  /** Ends the conversation if the program has not sent its first message. */
  private void requireGreeting() {
    if (!hasGreeted) {
      ended.completeExceptionally(failure(
          Reason.HANGING,
          "it did not send \"hello\" in %s: a subject keeps to the subject protocol"
              .formatted(seconds(limits.hello()))));
    }
  }

  private String seconds() {
    return seconds(limits.grace());
  }

  private static String seconds(Duration time) {
    return time.toMillis() / 1000.0 + " s";
  }

  private SubjectException failure(Reason reason, @Nullable String message) {
    return new SubjectException(reason, "the subject \"%s\": %s".formatted(name, message));
  }

  private void read() {
    try {
      for (byte[] line = in.read(); line != null; line = in.read()) {
        accept(SubjectMessage.parse(line, in.lines()));
      }
      ended.complete(null);
    } catch (Wrong e) {
      violated(e.id(), e.exception());
    } catch (SubjectException e) {
      violated(null, e);
    } catch (IOException | RuntimeException e) {
      ended.completeExceptionally(e);
    }
  }

  private void accept(SubjectMessage message) throws Wrong, IOException {
    if (message.type() == SubjectMessage.Type.HELLO) {
      greet(message);
    } else if (!hasGreeted) {
      throw new Wrong(message.id(), "expected \"hello\" as the first message");
    } else if (hasEnded && !requests.isLate(message)) {
      throw new Wrong(message.id(), "expected no message after \"end\"");
    } else {
      hasEnded |= message.type() == SubjectMessage.Type.END;
      requests.accept(message);
    }
  }

  private void greet(SubjectMessage message) throws Wrong, IOException {
    if (hasGreeted) {
      throw new Wrong(message.id(), "expected \"hello\" once");
    }
    long version = message.requiredInteger("protocol");
    message.text("name");
    if (version != ProcessCommand.PROTOCOL) {
      throw new SubjectException(
          Reason.VERSION,
          "protocol %d is not supported, expected %d".formatted(version, ProcessCommand.PROTOCOL));
    }
    hasGreeted = true;
    JsonObject greeting = SubjectOutput.message(message.id(), "result")
        .with("protocol", ProcessCommand.PROTOCOL)
        .with("name", "agentreplay");
    answer(SubjectResults.with(greeting, "version", LibraryVersion.find(SubjectSession.class)));
  }

  /** Sends the reason to the subject, which is killed unless it exits at once. */
  void violated(@Nullable JsonValue id, SubjectException reason) {
    JsonObject message =
        error(SubjectOutput.message(id, "error"), reason.reason().id(), reason);
    JsonObject last = reason.reason() == Reason.VERSION
        ? message.with("protocols", JsonArray.of(ProcessCommand.PROTOCOL))
        : message;
    SubjectException failure = failure(reason.reason(), reason.getMessage());
    violation = failure;
    child.onExit(() -> ended.completeExceptionally(failure));
    later(LAST_MESSAGES, failure);
    // on a thread of its own, which a subject that does not read blocks
    ChildProcess.daemon("replay-subject-error", () -> {
          answer(last);
          out.close();
        })
        .start();
  }

  /** The members of an error. */
  static JsonObject error(JsonObject message, String code, Throwable failure) {
    return message
        .with("code", code)
        .with("name", failure.getClass().getName())
        .with("message", Failure.message(failure));
  }

  /** Writes an answer. A subject that does not read it any more has to exit; then returns false. */
  boolean answer(JsonObject message) {
    try {
      out.send(message);
      return true;
    } catch (IOException closed) {
      later(limits.grace(), Reason.CLOSED, "it closed its input, and did not exit in " + seconds());
      return false;
    }
  }

  /** Keeps the first exception that the subject is answered with. */
  void answeredWith(Exception failure) {
    answered.compareAndSet(null, failure);
  }

  /** Kills the subject unless it exits in time, because nothing is answered any more. */
  void mustExit(String why) {
    later(limits.grace(), Reason.HANGING, "%s, and did not exit in %s".formatted(why, seconds()));
  }

  /** Ends the conversation, because the replay cannot be continued. */
  void fail(Exception failure) {
    ended.completeExceptionally(failure);
  }

  private void later(Duration delay, Reason reason, String message) {
    later(delay, failure(reason, message));
  }

  private void later(Duration delay, SubjectException failure) {
    later(delay, () -> ended.completeExceptionally(failure));
  }

  private void later(Duration delay, Runnable action) {
    try {
      ScheduledFuture<?> unused = timer.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException alreadyOver) {
      // the conversation has ended
    }
  }

  @Override
  public void close() {
    requests.close();
    timer.shutdownNow();
  }
}
