package dev.agentreplay.cli;

import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A tiny agent: a loop that asks a model for the next step, runs it, and returns the result to the
 * model. The model is a few rules, so that the demonstration needs no network; it decides by what
 * the tools return, as a real one does.
 */
final class DemoAgent {

  private record Action(String tool, JsonObject params) {}

  private static final String TEST = "sh test.sh";
  private static final String BUG = " - 1 ))";

  private final SessionRecorder session;
  private final DemoTools tools;
  private boolean testPassed;

  DemoAgent(SessionRecorder session, DemoTools tools) {
    this.session = session;
    this.tools = tools;
  }

  void run() throws IOException, InterruptedException {
    Action action = new Action("read_file", JsonObject.of("path", "README.md"));
    while (action != null) {
      PendingCall call = session.call(action.tool(), action.params());
      DemoTools.Output output = tools.call(action.tool(), action.params());
      double utility = output.outcome().succeeded() ? 0.5 : -0.5;
      call.result(output.text(), output.outcome(), utility, output.sideEffects());
      action = decide(action, output);
    }
    session.emit(Verification.of(CommandRun.of(TEST, testPassed ? 0 : 1)).withDelta(1L));
    session.end(testPassed ? Status.SUCCESS : Status.FAILED, 0.9);
  }

  private @Nullable Action decide(Action last, DemoTools.Output output) {
    return switch (last.tool()) {
      case "read_file" -> output.text().contains(BUG) ? fix() : test();
      case "shell" -> output.outcome().equals(Outcome.exit(0)) ? note() : search();
      case "search" ->
        output.text().contains(BUG)
            ? fix()
            : new Action("read_file", JsonObject.of("path", output.text().strip()));
      case "edit_file" -> test();
      default -> null;
    };
  }

  private static Action test() {
    return new Action("shell", JsonObject.of("command", TEST));
  }

  private static Action search() {
    return new Action("search", JsonObject.of("text", "$1 * $2"));
  }

  private static Action fix() {
    return new Action("edit_file", JsonObject.of("path", "price.sh", "old", BUG, "new", " ))"));
  }

  private Action note() {
    testPassed = true;
    return new Action(
        "write_file",
        JsonObject.of("path", "CHANGES.md", "content", "price.sh: no longer one too low\n"));
  }
}
