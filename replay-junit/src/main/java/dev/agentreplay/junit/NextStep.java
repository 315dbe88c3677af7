package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySettings.Update;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The step that follows the failure of a replay, in messages.
 *
 * @param command the command that runs the test again
 * @param shared the name of a recording that several invocations of a test share; null if there is
 *     one invocation, or one recording for each
 * @param isSandboxed whether the replay is in a sandbox, so that the test does not record
 */
record NextStep(TestCommand command, @Nullable String shared, boolean isSandboxed) {

  private static final String INDEX = "{index}";

  /** The next step after the failure of the test of a context. */
  static NextStep of(ReplayRequest request, ExtensionContext context, boolean isSandboxed) {
    String name = request.name();
    boolean isShared = name != null
        && !name.contains(INDEX)
        && !TestOutput.invocations(context).isEmpty();
    return new NextStep(TestCommand.of(context), isShared ? name : null, isSandboxed);
  }

  /** The text for a recording that is missing. */
  String missing() {
    return text("to record it", Update.MISSING);
  }

  /** The text for a recording that differs. */
  String differs() {
    String again = text("to record it again", Update.ALL);
    return shared == null || isSandboxed
        ? again
        : ("all invocations of this test replay one recording: if their requests differ, name it"
                + " \"%s-%s\", and record with %s=%s\n%s")
            .formatted(
                shared, INDEX, ReplaySettings.UPDATE, ReplaySettings.name(Update.MISSING), again);
  }

  /** The text for a recording that is not valid. */
  static String invalid(Session recording) {
    return ("restore it, as from version control; git must not convert its line ends"
            + " (-text in .gitattributes); replay verify %s lists what is wrong")
        .formatted(Shown.path(recording));
  }

  /** The text for tools that were not executed although the mode is to execute them. */
  static String notExecuted(ReplayMode mode, Collection<String> tools) {
    String effects = tools.stream()
        .map(tool -> ".withEffect(%s, Effect.PURE)".formatted(Shown.name(tool)))
        .collect(Collectors.joining());
    return ("to execute them, declare their effects in a @BeforeReplay method, as in"
            + " replay.policy(ReplayPolicy.of(ReplayMode.%s)%s)")
        .formatted(mode, effects);
  }

  private String text(String purpose, Update update) {
    if (isSandboxed) {
      return purpose + ", run its agent with a SnapshotCapture of the workspace: a test with a"
          + " ReplaySandbox records nothing";
    }
    ReplaySettings settings = command.settings();
    String text = command.text(purpose, update);
    if (!settings.ci()) {
      return text;
    }
    String refused = settings.update() == Update.NONE
        ? ""
        : "%s=%s is refused: "
            .formatted(ReplaySettings.UPDATE, ReplaySettings.name(settings.update()));
    return refused + "nothing is recorded where the environment variable CI is set\n" + text;
  }
}
