package dev.agentreplay.cli;

import dev.agentreplay.cli.fork.TrialPrograms;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.OpenSessions;
import dev.agentreplay.cli.input.Programs;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Interruption;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.attribution.Attribution;
import dev.agentreplay.engine.attribution.AttributionJson;
import dev.agentreplay.engine.attribution.AttributionReport;
import dev.agentreplay.engine.attribution.AttributionText;
import dev.agentreplay.engine.attribution.SessionOutcome;
import dev.agentreplay.engine.attribution.Trial;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay attribute}. */
@Command(
    name = "attribute",
    header = "Find which differences between two sessions made their outcomes differ.",
    description = {
      "The agent runs on the first session with some of the second one's answers, prompts, parameters,",
      "model and values. Delta debugging finds a minimal set with which it has the outcome of the second.",
      "Both sessions and earlier trials answer its requests; --model and --tools execute others."
    },
    exitCodeList = {
      "0:Explained, or the outcomes are equal.",
      "1:Unexplained, or the agent does not reproduce the first session.",
      "2:Wrong usage.",
      "3:Unreadable input, or a program that cannot be started.",
      "4:Undecided: no answer to a request, a limit, or too few repetitions; or refused.",
      "130:Interrupted."
    },
    footer = {
      "  replay attribute --subject agent.sh sessions/monday sessions/tuesday",
      "  replay attribute --outcome answer --model model.sh --repeat 8 --subject agent.sh monday tuesday"
    })
final class AttributeCommand extends TerminalCommand {

  /** The outcomes that can be compared. */
  enum OutcomeName {
    STATUS,
    ANSWER,
    CALLS;

    SessionOutcome outcome() {
      return switch (this) {
        case STATUS -> SessionOutcome.status();
        case ANSWER -> SessionOutcome.answer();
        case CALLS -> SessionOutcome.calls();
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Mixin
  Programs programs = new Programs();

  @Parameters(index = "0", paramLabel = "FIRST", description = "Session on which the agent runs.")
  String first = "";

  @Parameters(
      index = "1",
      paramLabel = "SECOND",
      description = "Session with the different outcome, of the same agent.")
  String second = "";

  @Option(
      names = "--outcome",
      paramLabel = "WHAT",
      description =
          "Outcome that is compared: ${COMPLETION-CANDIDATES} (default: the first in which"
              + " the sessions differ). status includes the exit codes of the last verification.")
  @Nullable
  OutcomeName outcome;

  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "200",
      description = "Maximum number of trials (default: ${DEFAULT-VALUE}).")
  int trials = Attribution.DEFAULT_TRIALS;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      description = "Maximum number of calls of models and tools that all trials execute.")
  @Nullable
  Long maxCalls;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of trials of each set of differences, in each of which the model is executed;"
              + " at least 4 (default: ${DEFAULT-VALUE}).")
  int repeats = 1;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "New or empty directory for the sessions of the trials.")
  @Nullable
  Path out;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  boolean quiet;

  @Mixin
  FormatOption format = new FormatOption();

  /** The attribution that an interrupt aborts; null before it begins. */
  private volatile @Nullable Attribution running;

  AttributeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (!programs.hasAgent()) {
      throw new UsageException("attribute requires --subject CMD, the agent to run");
    }
    programs.check(ReplayMode.MOCK, true, Map.of());
    if (repeats > 1 && !programs.hasModel()) {
      throw new UsageException("--repeat requires --model, which may answer differently each time");
    }
    if (out != null && !FileTree.isNewOrEmpty(out)) {
      throw new UsageException("--out: expected a new or empty directory, found " + out);
    }
    try (Interruption interruption = new Interruption(terminal, this::abort);
        OpenSessions sessions = new OpenSessions()) {
      Session one = SessionInput.requireRegularFile(
          sessions.add(input.openForReplay(first, interruption::awaitEnd)));
      Session other = SessionInput.requireRegularFile(
          sessions.add(input.openForReplay(second, interruption::awaitEnd)));
      return attribute(one, other, interruption);
    } catch (ReplayRefusedException e) {
      complain(String.valueOf(e.getMessage()));
      return ExitCode.INCOMPLETE;
    }
  }

  private int attribute(Session one, Session other, Interruption interruption) throws IOException {
    Attribution attribution = limited(Attribution.between(one, other)
        .outcome(outcome == null ? null : outcome.outcome())
        .directory(out)
        .listener(this::tell));
    running = attribution;
    if (interruption.isInterrupted()) {
      return ExitCode.INTERRUPTED;
    }
    try (TrialPrograms trials = new TrialPrograms(programs, one, terminal)) {
      AttributionReport report = attribution.replay(trials::configure).run(trials::run);
      if (format.isJson()) {
        terminal.json().print(AttributionJson.render(report) + "\n");
      } else {
        print(AttributionText.render(report));
      }
      if (interruption.isInterrupted()) {
        return ExitCode.INTERRUPTED;
      }
      return switch (report.verdict()) {
        case EQUAL, EXPLAINED -> ExitCode.OK;
        case UNEXPLAINED, NOT_REPRODUCED -> ExitCode.FINDINGS;
        case UNDECIDED -> ExitCode.INCOMPLETE;
      };
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void abort(String reason) {
    Attribution begun = running;
    if (begun != null) {
      begun.abort(reason);
    }
  }

  private Attribution limited(Attribution attribution) {
    try {
      Attribution limited = attribution.maxTrials(trials).repeats(repeats);
      return maxCalls == null ? limited : limited.maxCalls(maxCalls);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private void tell(Trial trial) {
    if (!quiet) {
      complain("trial %d, with %s of the second: %s%s"
          .formatted(
              trial.number(),
              trial.differences().isEmpty() ? "nothing" : trial.differences(),
              trial.result().id(),
              trial.reason() == null ? "" : ": " + trial.reason()));
    }
  }
}
