package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ExchangeRefusedException;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.opentest4j.AssertionFailedError;

/** The scope of a test that replays its recording. */
final class TestReplay implements TestScope {

  private static final String LOGGER = "dev.agentreplay.junit";

  /**
   * The sandbox of the replay of a test. The only class that refers to {@code replay-sandbox}, an
   * optional dependency: it is loaded only if a method has the sandbox as a parameter.
   *
   * @param sandbox the workspace and the sandbox of its programs
   */
  record OpenSandbox(ReplaySandbox sandbox) implements Closeable {

    /** Opens the sandbox of a replay, and sets its circumstances, workspace and isolation. */
    static OpenSandbox open(Session recording, ReplayMode mode, Replay replay) throws IOException {
      ReplaySandbox opened = ReplaySandbox.open(recording, mode);
      opened.applyTo(replay);
      return new OpenSandbox(opened);
    }

    @Override
    public void close() throws IOException {
      sandbox.close();
    }
  }

  private final ActiveReplay replay;
  private final Session recording;
  private final Path directory;
  private final NextStep nextStep;
  private final RecordingRules rules;
  private final RecordingAcceptance accepted;
  private final @Nullable OpenSandbox sandbox;

  private TestReplay(
      ActiveReplay replay,
      Session recording,
      Path directory,
      NextStep nextStep,
      RecordingRules rules,
      RecordingAcceptance accepted,
      @Nullable OpenSandbox sandbox) {
    this.replay = replay;
    this.sandbox = sandbox;
    this.recording = recording;
    this.directory = directory;
    this.nextStep = nextStep;
    this.rules = rules;
    this.accepted = accepted;
  }

  /**
   * Starts a replay.
   *
   * @param directory the directory of its session, without a session in it
   */
  @SuppressWarnings("try") // a sandbox whose replay does not start is closed
  static TestReplay start(
      Session recording, Path directory, ReplayRequest request, TestHooks hooks, NextStep nextStep)
      throws IOException {
    Replay replay = Replay.of(recording)
        .mode(request.mode())
        .onUnmatched(request.onUnmatched())
        .directory(directory)
        .logger(new DebugLogger(System.getLogger(LOGGER)));
    if (request.mode() != ReplayMode.MOCK) {
      replay.executors(hooks.executors());
    }
    OpenSandbox sandbox = null;
    try {
      sandbox = hooks.takesSandbox() ? OpenSandbox.open(recording, request.mode(), replay) : null;
      hooks.configure(replay, sandbox);
      RecordingRules rules = RecordingRules.of(Acceptance.place(recording));
      RecordingAcceptance accepted =
          RecordingAcceptance.of(recording, ReplaySettings.current().accepted());
      replay.comparison(accepted.applyTo(rules.applyTo(replay.comparison())));
      return new TestReplay(
          replay.start(), recording, directory, nextStep, rules, accepted, sandbox);
    } catch (IOException | RuntimeException | Error e) {
      try (OpenSandbox closed = sandbox) {
        if (e instanceof ReplayRefusedException refused) {
          throw refused(refused, recording, nextStep);
        }
        throw e;
      }
    }
  }

  private static ParameterResolutionException refused(
      ReplayRefusedException e, Session recording, NextStep nextStep) {
    String next =
        switch (e.reason()) {
          case INVALID -> NextStep.invalid(recording) + "\n" + nextStep.differs();
          case NO_SANDBOX -> "replay doctor reports what this machine can isolate";
          case VERSION, HASH_ONLY, CIRCUMSTANCES, NO_WORKSPACE, WORKSPACE_LIMIT, PUBLISHED, FORK ->
            nextStep.differs();
        };
    return new ParameterResolutionException(e.getMessage() + "\n" + next, e);
  }

  /** The sandbox of the replay as the parameter of a method; null if no method has it. */
  @Nullable
  Object sandbox() {
    return sandbox == null ? null : sandbox.sandbox();
  }

  @Override
  public AgentScope scope() {
    return replay.scope();
  }

  @Override
  public void passed() throws IOException {
    ReplayReport report = replay.finish();
    if (!report.passes()) {
      throw mismatch(report, null);
    }
    String unused = accepted.passed(report);
    if (unused != null) {
      throw new AssertionFailedError(unused + "\nrecorded: " + Shown.path(recording));
    }
  }

  @Override
  public Throwable failed(Throwable failure) {
    try {
      ReplayReport report = replay.finish(failure);
      if (report.divergences().stream().anyMatch(TestReplay::isOfRequest) || isOfReplay(failure)) {
        return mismatch(report, failure);
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private AssertionError mismatch(ReplayReport report, @Nullable Throwable cause)
      throws IOException {
    return ReplayMismatch.of(
        report, recording, session(), cause, rules.text() + accepted.text(report), nextStep);
  }

  /**
   * Whether a divergence is that of a request, and not only a consequence of the failure: then the
   * session ends differently, and without the requests that were to follow.
   */
  private static boolean isOfRequest(ReplayDivergence divergence) {
    Divergence compared = divergence.comparison();
    return divergence.miss() != null
        || (divergence.replayLine() != null
            && (compared == null || compared.kind() != DivergenceKind.END));
  }

  /** Whether a failure, or one of its causes, was thrown by the scope because of the replay. */
  private static boolean isOfReplay(Throwable failure) {
    return Failed.causes(failure).stream()
        .anyMatch(each -> each instanceof ReplayMissException
            || each instanceof ReplayStoppedException
            || each instanceof ExchangeRefusedException);
  }

  @Override
  public @Nullable Session session() {
    try {
      return Session.open(directory);
    } catch (IOException unreadable) {
      return null; // the failure of the test is reported without its session
    }
  }

  @Override
  @SuppressWarnings("try") // closed after the replay
  public void close() throws IOException {
    try (OpenSandbox closed = sandbox) {
      replay.close();
    }
  }
}
