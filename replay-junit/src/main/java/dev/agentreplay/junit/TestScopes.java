package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** Starts the replays of tests, or the recordings where {@code replay.update} says so. */
final class TestScopes {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(TestScopes.class);

  private final ReplayRequest request;
  private final Path place;
  private final ExtensionContext context;
  private final ReplaySettings settings;
  private final TestHooks hooks;
  private final NextStep nextStep;

  /**
   * Creates the scopes of a test.
   *
   * @param place the place of the recording
   */
  TestScopes(ReplayRequest request, Path place, ExtensionContext context) {
    this.request = request;
    this.place = place;
    this.context = context;
    this.settings = ReplayExtension.settings(context);
    this.hooks = new TestHooks(context);
    this.nextStep = NextStep.of(request, context, hooks.takesSandbox());
  }

  /** Starts the replay of the recording, or recording. */
  TestScope start() throws IOException {
    ReplayMode mode = request.mode();
    if (mode == ReplayMode.VALIDATION) {
      throw new ParameterResolutionException(
          "an AgentScope replays a session: expected a mode, as in @ReplaySession(value = \"%s\","
                  .formatted(request.name())
              + " mode = ReplayMode.MOCK)");
    }
    if (!mode.takesAgent()) {
      throw new ParameterResolutionException(
          "an AgentScope replays a session with an agent, which the mode %s has not: expected %s"
              .formatted(mode, "MOCK, TOOLS_LIVE, MODEL_LIVE or FULL"));
    }
    RecordingsFolder folder = ReplayExtension.folder(context);
    Session recording = null;
    NoSuchFileException missing = null;
    try {
      recording = folder.open(place);
    } catch (NoSuchFileException e) {
      missing = e;
    }
    TestOutput output = TestOutput.of(context, settings.output());
    if (records(recording)) {
      SessionFolder.clear(output.directory());
      Acceptance acceptance = new Acceptance(TestCommand.of(context), System.out::println);
      return TestRecording.start(output, place, hooks.executors(), acceptance, recorded());
    }
    if (recording == null) {
      throw new ParameterResolutionException(missing(missing), missing);
    }
    SessionFolder.clear(output.directory());
    return TestReplay.start(recording, output.directory(), request, hooks, nextStep);
  }

  /** The text for a recording that is missing: first the command that makes it. */
  private String missing(@Nullable NoSuchFileException missing) {
    return "no recording at %s\n%s\n%s"
        .formatted(place, nextStep.missing(), missing == null ? "" : missing.getReason());
  }

  /**
   * Whether the session is recorded: once in a test run if it replaces a recording. A replay in a
   * sandbox needs the snapshot of a workspace, which a test does not record.
   */
  private boolean records(@Nullable Session recording) {
    return !settings.ci()
        && !hooks.takesSandbox()
        && switch (settings.update()) {
          case NONE -> false;
          case MISSING -> recording == null;
          case ALL -> recording == null || !recorded().contains(place);
        };
  }

  /** The places of the recordings that were made in this test run. */
  private Set<Path> recorded() {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Recorded.class, key -> new Recorded(), Recorded.class)
        .places();
  }

  private record Recorded(Set<Path> places) {
    Recorded() {
      this(ConcurrentHashMap.newKeySet());
    }
  }
}
