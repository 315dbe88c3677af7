package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** The scope of a test that runs its model and tools, and makes its recording if it passes. */
final class TestRecording implements TestScope {

  private final SessionRecorder recorder;
  private final AgentScope scope;
  private final Path place;
  private final Acceptance acceptance;
  private final Set<Path> recorded;

  /** The first request that nothing could execute, also if the agent caught the exception. */
  private final AtomicReference<@Nullable IllegalStateException> notExecuted =
      new AtomicReference<>();

  private TestRecording(
      SessionRecorder recorder,
      Executors executors,
      Path place,
      Acceptance acceptance,
      Set<Path> recorded) {
    this.recorder = recorder;
    this.scope = AgentScope.recording(recorder, complete(executors));
    this.place = place;
    this.acceptance = acceptance;
    this.recorded = recorded;
  }

  /**
   * Starts recording.
   *
   * @param output the directory of the session, without a session in it
   * @param place the place of the recording that the session is to be
   * @param recorded the places of the recordings of this test run, to which that place is added
   */
  static TestRecording start(
      TestOutput output, Path place, Executors executors, Acceptance acceptance, Set<Path> recorded)
      throws IOException {
    RecorderOptions options = RecorderOptions.defaults()
        .withSalted(false) // the same in every run
        .withContext(ContextOptions.defaults().withRecords(true));
    SessionRecorder recorder =
        SessionRecorder.start(output.directory(), SessionStart.of(output.sessionId()), options);
    return new TestRecording(recorder, executors, place, acceptance, recorded);
  }

  /** Executors that report what the others do not execute. */
  private Executors complete(Executors executors) {
    Executors complete = executors.withOtherTools(call -> {
      throw notExecuted("tool " + call.tool(), "scope.run");
    });
    return executors.model() != null
        ? complete
        : complete.withModel((call, pieces) -> {
          throw notExecuted("model " + call.model(), "scope.execute");
        });
  }

  private IllegalStateException notExecuted(String what, String method) {
    IllegalStateException exception = new IllegalStateException(
        "the %s cannot be recorded, because nothing executes it: pass its code to %s, or add it to"
                .formatted(what, method)
            + " a method \"@ReplayExecutors static Executors live()\" of the test class");
    notExecuted.compareAndSet(null, exception);
    return exception;
  }

  @Override
  public AgentScope scope() {
    return scope;
  }

  @Override
  public void passed() throws IOException {
    IllegalStateException caught = notExecuted.get();
    if (caught != null) {
      throw caught;
    }
    Session session = recorder.session();
    if (RecordedLog.read(session).isBlank()) {
      throw new AssertionFailedError(
          "nothing was recorded: the test requested nothing from its AgentScope");
    }
    if (session.receipt() == null) {
      recorder.end(Status.SUCCESS);
    }
    recorder.close();
    session = Session.open(recorder.directory());
    Session recording = RecordingsFolder.planned(place);
    if (!isSame(session, recording)) {
      String refusal = acceptance.offer(session, recording, DiffOptions.defaults());
      if (refusal != null) {
        throw new AssertionFailedError(
            "the session of this run was not recorded at %s\n%s".formatted(place, refusal));
      }
    }
    recorded.add(place);
  }

  /** Whether the recording exists, is valid, and has the same content. */
  private static boolean isSame(Session session, Session planned) throws IOException {
    if (Files.notExists(planned.log())) {
      return false;
    }
    Session recording = Session.open(planned.log());
    return SessionMatch.damage(recording) == null
        && SessionDiff.between(recording, session).isIdentical();
  }

  @Override
  public Throwable failed(Throwable failure) {
    return failure;
  }

  @Override
  public @Nullable Session session() {
    try {
      return recorder.session();
    } catch (IOException unreadable) {
      return null; // the failure of the test is reported without its session
    }
  }

  @Override
  public void close() throws IOException {
    recorder.close();
  }
}
