package dev.agentreplay.cli;

import dev.agentreplay.cli.input.AgentPrograms;
import dev.agentreplay.cli.input.BudgetOptions;
import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.InputOptions;
import dev.agentreplay.cli.input.JsonFile;
import dev.agentreplay.cli.input.RecordInput;
import dev.agentreplay.cli.input.RecordInput.OpenRecord;
import dev.agentreplay.cli.input.RecordRules;
import dev.agentreplay.cli.input.SandboxInput;
import dev.agentreplay.cli.output.SessionReplayOutput;
import dev.agentreplay.cli.text.Interruption;
import dev.agentreplay.cli.text.SessionProgress;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.agents.ProcessAgents;
import dev.agentreplay.records.agents.RoundTimeouts;
import dev.agentreplay.records.replay.SessionReplay;
import dev.agentreplay.records.replay.SessionReplayRefusedException;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay session replay}. */
@Command(
    name = "replay",
    header = "Replay a session record, and report each difference from the recorded messages.",
    description = {
      "There is no default mode, because agents may cost money:",
      "",
      "  mode      runs                                          compares",
      "  verify    the same agents, or takes a record of them    messages of one agent",
      "  compare   other agents, or takes records of them        messages of one role",
      "  trace     nothing: steps through the messages           texts with their hashes",
      "",
      "Agents are the program of --agents; a record of a run elsewhere is that of --against. The",
      "similarity of messages that differ is that of their characters, unless --judge knows their",
      "meaning. docs/how-to/replay-a-session-record.md shows examples."
    },
    exitCodeList = {
      "0:The replay matches: it is complete, and reaches all thresholds.",
      "1:The replay diverges; or, in the mode trace, a text was altered.",
      "2:Wrong usage.",
      "3:Unreadable input, or a program that cannot be started.",
      "4:Incomplete (an agent failed, a time-out, a budget), undecided (texts are missing), or refused.",
      "130:Interrupted."
    },
    footer = {
      "  replay session replay record.json --mode trace",
      "  replay session replay record.json --mode verify --agents 'python3 agents.py'",
      "  replay session replay record.json --mode verify --against monday/record.json",
      "  replay session replay record.json --mode compare --roster new_roster.json --agents ./agents"
    })
final class SessionReplayCommand extends TerminalCommand {

  @Mixin
  RecordInput input = new RecordInput();

  @Mixin
  SessionReplayOutput output = new SessionReplayOutput();

  @Mixin
  RecordRules rules = new RecordRules();

  @Mixin
  InputOptions inputs = new InputOptions();

  @Mixin
  AgentPrograms programs = new AgentPrograms();

  @Mixin
  BudgetOptions budget = new BudgetOptions();

  @Parameters(
      index = "0",
      paramLabel = "RECORD",
      description = "File or directory of a record, or its id or session id in the store.")
  String name = "";

  @Option(
      names = "--mode",
      required = true,
      paramLabel = "MODE",
      completionCandidates = Candidates.RecordModes.class,
      description = "Mode: ${COMPLETION-CANDIDATES}.")
  Mode mode = Mode.TRACE;

  @Option(
      names = "--roster",
      paramLabel = "FILE",
      description = "With --mode compare: JSON file with the roster of agents to run. Several are"
          + " compared in a matrix.")
  List<Path> rosters = new ArrayList<>();

  @Option(
      names = "--against",
      paramLabel = "RECORD",
      description = "Record of a run elsewhere, in place of agents that run. With --mode compare"
          + " repeatable.")
  List<String> against = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description =
          "Time-out of the whole replay in seconds (default: none but those of the rounds).")
  @Nullable
  Duration timeout;

  @Option(
      names = "--round-timeout",
      paramLabel = "S",
      description = "Time-out of a round in seconds (default: 10 times its recorded duration, at"
          + " least 60).")
  @Nullable
  Duration roundTimeout;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed that the agents are given (default: a fixed one).")
  @Nullable
  Long seed;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  boolean quiet;

  /** The replay that runs, or ran last. */
  private volatile @Nullable SessionReplay running;

  private volatile @Nullable String aborted;

  /** A session with which the record is compared: a roster to run, or a record of a run. */
  private record Other(
      String name, @Nullable List<AgentRosterEntry> roster, @Nullable OpenRecord record) {}

  SessionReplayCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    check();
    OpenRecord opened = input.open(name);
    List<Other> others = others();
    programs.files().forEach(input::add);
    inputs.files().forEach(input::add);
    output.check(input, opened, mode, others.size());
    try {
      return mode == Mode.TRACE ? trace(opened) : replay(opened, others);
    } catch (SessionReplayRefusedException e) {
      complain(e.getMessage() + hint(e.reason()));
      output.refuse(opened, mode, e, terminal);
      return ExitCode.INCOMPLETE;
    } catch (ReplayRefusedException e) {
      complain(e.getMessage() + RunCommand.hint(e.reason()));
      return ExitCode.INCOMPLETE;
    }
  }

  private int trace(OpenRecord opened) throws IOException {
    SessionReplay replay = SessionReplay.of(opened.record()).texts(opened.texts());
    rules.selectRounds(replay);
    SessionReplayResult result = replay.trace();
    output.trace(result, opened, terminal);
    return ExitCode.of(result);
  }

  private int replay(OpenRecord opened, List<Other> others) throws IOException {
    List<SessionReplayResult> results = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int code = ExitCode.OK;
    try (Interruption interruption = new Interruption(terminal, this::abort);
        ReplaySandbox sandbox = programs.open(against.isEmpty())) {
      for (Other other : others) {
        SessionReplayResult result;
        try {
          result = replay(opened, other, sandbox);
        } catch (SessionReplayRefusedException e) {
          if (results.isEmpty()) {
            throw e;
          }
          // the agents of the others have run: their results are not lost
          complain(other.name() + ": " + e.getMessage() + hint(e.reason()));
          code = Math.max(code, ExitCode.INCOMPLETE);
          continue;
        }
        results.add(result);
        names.add(other.name());
        code = Math.max(code, ExitCode.of(result));
        if (result.isAborted()) {
          break;
        }
      }
      SandboxInput.tellKept(sandbox, "agents", terminal);
      output.write(results, names, opened, terminal);
      return interruption.isInterrupted() ? ExitCode.INTERRUPTED : code;
    }
  }

  /** Aborts the replay that runs, and those that follow. */
  private void abort(String reason) {
    aborted = reason;
    SessionReplay replay = running;
    if (replay != null) {
      replay.abort(reason);
    }
  }

  private SessionReplayResult replay(
      OpenRecord opened, Other other, @Nullable ReplaySandbox sandbox) throws IOException {
    SessionReplay replay = SessionReplay.of(opened.record())
        .texts(opened.texts())
        .timeouts(new RoundTimeouts(roundTimeout, timeout))
        .budget(budget.budget())
        .seed(seed);
    rules.applyTo(replay, programs.judge(sandbox, terminal));
    if (other.roster() != null) {
      replay.roster(other.roster());
    } else if (mode == Mode.COMPARISON && other.record() != null) {
      replay.roster(other.record().record().inputs().agentRoster());
    }
    if (inputs.areGiven()) {
      SessionRecord ran =
          other.record() == null ? opened.record() : other.record().record();
      replay.inputs(inputs.applyTo(ran.inputs()));
    }
    try (ProcessAgents agents = other.record() == null ? programs.agents(sandbox, terminal) : null;
        SessionProgress progress = new SessionProgress(terminal, quiet)) {
      if (other.record() != null) {
        replay.against(other.record().record(), other.record().texts());
      }
      running = replay;
      if (aborted != null) {
        replay.abort(aborted);
      }
      return replay.agents(agents).listener(progress).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private List<Other> others() throws IOException {
    List<Other> others = new ArrayList<>();
    for (Path roster : rosters) {
      others.add(new Other(
          roster.toString(),
          JsonFile.read(
              input.add(roster), "a roster of agents", value -> SessionRecords.readRoster(value)),
          null));
    }
    if (mode == Mode.VERIFICATION && against.isEmpty()) {
      others.add(new Other("agents", null, null));
    }
    for (String record : against) {
      others.add(new Other(record, null, input.open(record)));
    }
    return others;
  }

  /** Refuses options that do not go together. */
  private void check() {
    programs.check();
    boolean runs = programs.areAgentsGiven();
    switch (mode) {
      case TRACE -> {
        if (runs || programs.hasJudge() || !against.isEmpty() || !rosters.isEmpty()) {
          throw new UsageException(
              "--mode trace runs nothing: it excludes --agents, --against, --roster and --judge");
        }
      }
      case VERIFICATION -> {
        if (!rosters.isEmpty()) {
          throw new UsageException(
              "--roster requires --mode compare: --mode verify runs the recorded agents");
        }
        if (against.isEmpty() && !programs.hasAgents()) {
          throw new UsageException(
              "--mode verify requires --agents CMD (default: $REPLAY_AGENTS), the program"
                  + " that runs the agents, or --against RECORD, a record of their run elsewhere");
        }
        if (against.size() > 1) {
          throw new UsageException(
              "--mode verify requires one --against RECORD, found " + against.size());
        }
      }
      case COMPARISON -> {
        if (rosters.isEmpty() && against.isEmpty()) {
          throw new UsageException(
              "--mode compare requires --roster FILE, the agents to run, or --against" + " RECORD");
        }
        if (!rosters.isEmpty() && !against.isEmpty()) {
          throw new UsageException(
              "--roster and --against exclude each other: a record has its roster");
        }
        if (!rosters.isEmpty() && !programs.hasAgents()) {
          throw new UsageException(
              "--roster requires --agents CMD (default: $REPLAY_AGENTS), the program that"
                  + " runs them");
        }
      }
    }
    requireDifferent("--roster", rosters);
    requireDifferent("--against", against);
    if (runs && !against.isEmpty()) {
      throw new UsageException("--agents and --against exclude each other");
    }
  }

  /** Refuses a session that is given twice: a matrix names its rows by them. */
  private void requireDifferent(String option, List<?> values) {
    Set<Object> different = new HashSet<>();
    for (Object value : values) {
      if (!different.add(value)) {
        throw new UsageException(
            "%s: expected different ones, found %s twice".formatted(option, value));
      }
    }
  }

  private static String hint(SessionReplayRefusedException.Reason reason) {
    return switch (reason) {
      case NOT_REPLAYABLE -> "; --force replays it anyway";
      case TEXTS ->
        "; --content DIR has more texts, --feed replayed gives the agents their own messages, and"
            + " --force gives them those that are there";
      case INPUTS -> "; --inputs warn replays it anyway";
      case INTERVENTIONS -> "; --interventions reapply gives them to the agents";
      case BUDGET -> "; --budget tokens=N limits the agents without prices";
    };
  }
}
