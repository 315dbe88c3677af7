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
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** The scope of a test that replays its recording. */
final class TestReplay implements TestScope {

  private static final String LOGGER = "dev.agentreplay.junit";

  private final ActiveReplay replay;
  private final Session recording;
  private final Path directory;
  private final NextStep nextStep;

  private TestReplay(ActiveReplay replay, Session recording, Path directory, NextStep nextStep) {
    this.replay = replay;
    this.recording = recording;
    this.directory = directory;
    this.nextStep = nextStep;
  }

  /**
   * Starts a replay.
   *
   * @param directory the directory of its session, without a session in it
   */
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
    hooks.configure(replay);
    try {
      return new TestReplay(replay.start(), recording, directory, nextStep);
    } catch (ReplayRefusedException e) {
      String restore = e.reason() == ReplayRefusedException.Reason.INVALID
          ? NextStep.invalid(recording) + "\n"
          : "";
      throw new ParameterResolutionException(
          e.getMessage() + "\n" + restore + nextStep.differs(), e);
    }
  }

  @Override
  public AgentScope scope() {
    return replay.scope();
  }

  @Override
  public void passed() throws IOException {
    ReplayReport report = replay.finish();
    if (!report.isIdentical()) {
      throw mismatch(report, null);
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
    return ReplayMismatch.of(report, recording, session(), cause, nextStep);
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
  public void close() throws IOException {
    replay.close();
  }
}
