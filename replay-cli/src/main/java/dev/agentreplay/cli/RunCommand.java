package dev.agentreplay.cli;

import dev.agentreplay.cli.VerifyCommand.RequirementName;
import dev.agentreplay.cli.accept.NoAcceptedOption;
import dev.agentreplay.cli.fork.ForkOptions;
import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.CircumstanceOptions;
import dev.agentreplay.cli.input.DiffRules;
import dev.agentreplay.cli.input.LogOptions;
import dev.agentreplay.cli.input.OpenSessions;
import dev.agentreplay.cli.input.Programs;
import dev.agentreplay.cli.input.RunLimits;
import dev.agentreplay.cli.input.SandboxInput;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.input.TrustOptions;
import dev.agentreplay.cli.output.NextCommands;
import dev.agentreplay.cli.repeat.RepeatOption;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.DiffLimitException;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.repeat.RepeatedReport;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.engine.replay.policy.UnknownCircumstanceException;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.subject.SubjectProcess;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay run}. */
@Command(
    name = "run",
    header = "Replay a session, and report each difference from the recording.",
    description = {
      "By default the recording is only verified, and compared with --against SESSION: nothing runs. In the",
      "other modes an agent or the recorded requests run on recorded or live tools and models:",
      "",
      "  mode         agent      tools                         models     values",
      "  validation   none       none                          none       none",
      "  mock         required   recorded                      recorded   recorded",
      "  tools-live   required   executed, except external     recorded   recorded",
      "  model-live   required   recorded                      executed   recorded",
      "  full         optional   executed, except external     executed   recorded",
      "  node         none       executed if they change       executed   recorded",
      "                          no files, each by itself",
      "",
      "What is executed is compared with the recorded result. --fork-at serves what is before a call, and",
      "executes what differs after it. docs/how-to/replay-an-agent.md shows examples."
    },
    exitCodeList = {
      "0:Identical, or no divergence is as severe as --fail-on.",
      "1:Diverged; or, in the mode validation, the recording is not valid.",
      "2:Wrong usage.",
      "3:Unreadable input, an unsupported version, or a program that cannot be started.",
      "4:Incomplete (aborted, over a limit, a recording without its end), unverified, or refused.",
      "130:Interrupted."
    },
    footer = {
      "  replay run sessions/fix-auth",
      "  replay run --against sessions/tuesday sessions/monday",
      "  replay run --mode mock --subject agent.sh sessions/fix-auth",
      "  replay run --mode node --model model.sh --budget calls=50 sessions/fix-auth",
      "  replay run --fork-at 14 --set /output/exit=1 --model model.sh --subject agent.sh fix-auth"
    })
final class RunCommand extends TerminalCommand {

  /** The indent of a command below the next step of the report. */
  private static final String NEXT = " ".repeat(14);

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Mixin
  RunOutput output = new RunOutput();

  @Mixin
  DiffRules rules = new DiffRules();

  @Mixin
  NoAcceptedOption accepted = new NoAcceptedOption();

  @Mixin
  RepeatOption repeat = new RepeatOption();

  @Mixin
  RunLimits limits = new RunLimits();

  @Mixin
  Programs programs = new Programs();

  @Mixin
  ForkOptions forking = new ForkOptions();

  @Mixin
  CircumstanceOptions circumstances = new CircumstanceOptions();

  @Mixin
  LogOptions log = new LogOptions();

  @Mixin
  TrustOptions trust = new TrustOptions(terminal);

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id to replay.")
  String name = "";

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      completionCandidates = Candidates.Modes.class,
      description = "Mode: ${COMPLETION-CANDIDATES} (default: validation; with --fork-at, mock).")
  @Nullable
  ReplayMode givenMode;

  private ReplayMode mode = ReplayMode.VALIDATION;

  @Option(
      names = "--against",
      paramLabel = "SESSION",
      description = "Recorded session that the mode validation compares with this one.")
  @Nullable
  String against;

  @Option(
      names = "--on-unmatched",
      paramLabel = "ACTION",
      defaultValue = "stop",
      completionCandidates = Candidates.Unmatched.class,
      description = "Behavior when no recorded exchange matches a request:"
          + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); position serves the one at the"
          + " same place.")
  OnUnmatched onUnmatched = OnUnmatched.STOP;

  @Option(
      names = "--stop-on-divergence",
      description = "Stop at the first result that differs from the recorded one.")
  boolean stopOnDivergence;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of models and of values that were not recorded (default: the recorded" + " seed).")
  @Nullable
  Long seed;

  @Option(
      names = "--stream-pace",
      paramLabel = "PACE",
      defaultValue = "at-once",
      completionCandidates = Candidates.Paces.class,
      description =
          "Pace of recorded streams: ${COMPLETION-CANDIDATES} (default:" + " ${DEFAULT-VALUE}).")
  StreamPace pace = StreamPace.AT_ONCE;

  @Option(
      names = "--receipt",
      paramLabel = "FILE",
      description = "Receipt of the session (default: RECEIPT.json next to the log).")
  @Nullable
  Path receipt;

  @Option(
      names = "--require",
      split = ",",
      paramLabel = "WHAT",
      description = "Evidence that must be present and match: ${COMPLETION-CANDIDATES}.")
  List<RequirementName> requirements = List.of();

  @Option(
      names = "--force",
      description = "Replay a recording that is not valid, or of an unsupported version.")
  boolean force;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress.")
  boolean quiet;

  RunCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  @SuppressWarnings("try") // the log is open, not used
  public Integer call() throws IOException {
    mode =
        givenMode != null ? givenMode : forking.isFork() ? ReplayMode.MOCK : ReplayMode.VALIDATION;
    check();
    TextOptions text = output.text(terminal, rules.maxInText());
    try (TerminalReplay running = new TerminalReplay(terminal, mode, quiet || log.isJson());
        OpenSessions sessions = new OpenSessions()) {
      Session session = withReceipt(SessionInput.requireRegularFile(
          sessions.add(input.openForReplay(name, running::awaitEnd))));
      Session other = against == null
          ? null
          : SessionInput.requireRegularFile(sessions.add(input.openForReplay(against, () -> {})));
      addInputs(session, other);
      output.check(input);
      int unmet = unmet(session);
      if (unmet != ExitCode.OK) {
        return unmet;
      }
      return repeat.isRepeated()
          ? repeat(session, running, text)
          : replay(session, other, running, text);
    } catch (ReplayRefusedException e) {
      complain(e.getMessage() + hint(e.reason()));
      output.refuse(name, mode, e, terminal);
      return refused(e.reason());
    } catch (UnknownCircumstanceException e) {
      throw circumstances.unknown(e);
    } catch (DiffLimitException e) {
      throw new IOException(e.getMessage() + "; --max-steps N compares longer ones", e);
    } catch (RunawayPatternException e) {
      throw new UsageException("--normalize: " + e.getMessage());
    }
  }

  private int replay(
      Session session, @Nullable Session other, TerminalReplay running, TextOptions text)
      throws IOException {
    try (ReplaySandbox sandbox = programs.open(session, mode)) {
      Replay replay = create(session, other, sandbox);
      output.addTo(replay, session);
      SubjectProcess agent = programs.agent(sandbox, terminal);
      ReplayReport report = output.run(() -> running.run(replay, agent));
      output.write(report, text, terminal);
      accepted.tell(List.of(report), terminal);
      if (output.isText()) {
        List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
        new NextCommands(arguments, name).after(report).forEach(line -> print(NEXT + line + "\n"));
      }
      SandboxInput.tellKept(sandbox, "replay", terminal);
      return running.isInterrupted() ? ExitCode.INTERRUPTED : output.exitCode(report);
    }
  }

  private Replay create(Session session, @Nullable Session other, @Nullable ReplaySandbox sandbox)
      throws IOException {
    Replay replay = Replay.of(session)
        .mode(mode)
        .against(other)
        .fork(forking.fork(programs.hasModel()))
        .comparison(accepted.applyTo(rules.options(output.isText()), session))
        .verification(verification())
        .onUnmatched(onUnmatched)
        .stopOnDivergence(stopOnDivergence)
        .pace(pace)
        .seed(seed)
        .force(force)
        .logger(log.open(terminal));
    limits.applyTo(replay);
    programs.addTo(replay, sandbox, terminal);
    circumstances.applyTo(
        replay, sandbox == null ? Circumstances.defaults() : sandbox.circumstances());
    return replay;
  }

  private int repeat(Session session, TerminalReplay running, TextOptions text) throws IOException {
    RepeatedReport report = output
        .repeated()
        .run(
            session,
            repeat.times(),
            directory -> once(session, directory),
            running::isInterrupted,
            text,
            terminal);
    output.openPage(terminal);
    accepted.tell(report.reports(), terminal);
    return report.isInterrupted()
        ? ExitCode.INTERRUPTED
        : switch (report.verdict()) {
          case PASSED -> ExitCode.OK;
          case DIVERGED -> ExitCode.FINDINGS;
          case INCOMPLETE -> ExitCode.INCOMPLETE;
        };
  }

  /** Runs one of several replays, with a sandbox and a control of its own. */
  private ReplayReport once(Session session, @Nullable Path directory) throws IOException {
    try (TerminalReplay running = new TerminalReplay(terminal, mode, quiet || log.isJson());
        ReplaySandbox sandbox = programs.open(session, mode)) {
      Replay replay = create(session, null, sandbox).directory(directory);
      ReplayReport report = running.run(replay, programs.agent(sandbox, terminal));
      SandboxInput.tellKept(sandbox, "replay", terminal);
      return report;
    }
  }

  /** Adds the files that the command reads, so that its output does not replace them. */
  private void addInputs(Session session, @Nullable Session other) throws IOException {
    input.addInput(receipt);
    for (Session each : other == null ? List.of(session) : List.of(session, other)) {
      input.addInput(each.receipt());
      input.addInput(each.envelope());
      input.addInput(each.publicCheckpoint());
    }
    trust.files().forEach(input::addInput);
    input.addInput(limits.prices());
    programs.files().forEach(input::addInput);
    input.addInput(forking.file());
    rules.files().forEach(input::addInput);
  }

  /** The next step after a refusal, for the end of its message. */
  static String hint(ReplayRefusedException.Reason reason) {
    return switch (reason) {
      case VERSION, INVALID -> "; --force replays it anyway";
      case CIRCUMSTANCES ->
        "; --present, --tools and --workspace state what is now, and --force replays it anyway";
      case NO_WORKSPACE -> ": --workspace DIR";
      case WORKSPACE_LIMIT -> "; --max-temp BYTES raises it";
      case NO_SANDBOX ->
        "; replay doctor reports more, and --unsafe-no-sandbox starts programs without isolation";
      case FORK -> "; replay forks lists the lines";
      case HASH_ONLY, PUBLISHED -> "";
    };
  }

  /** The exit code of a refusal. */
  static int refused(ReplayRefusedException.Reason reason) {
    return switch (reason) {
      case VERSION -> ExitCode.UNREADABLE;
      case INVALID,
          HASH_ONLY,
          CIRCUMSTANCES,
          NO_WORKSPACE,
          WORKSPACE_LIMIT,
          NO_SANDBOX,
          FORK,
          PUBLISHED -> ExitCode.INCOMPLETE;
    };
  }

  /**
   * Verifies what was requested explicitly; the exit code of a refusal, whose reason is printed.
   */
  private int unmet(Session session) throws IOException {
    if (force || (requirements.isEmpty() && !trust.areGiven())) {
      return ExitCode.OK;
    }
    VerificationReport report = SessionVerifier.of(verification()).verify(session);
    int code = ExitCode.of(report);
    if (code == ExitCode.OK) {
      return code;
    }
    terminal.err().print(VerificationText.render(report, name, new Style(false)));
    if (code == ExitCode.FINDINGS) {
      throw new ReplayRefusedException(
          ReplayRefusedException.Reason.INVALID,
          "the session is not replayed, because it does not meet what is required");
    }
    return code;
  }

  private VerifyPolicy verification() throws IOException {
    return trust.applyTo(VerifyPolicy.defaults()
        .requiring(
            requirements.stream().map(name -> name.requirement).toArray(Requirement[]::new)));
  }

  private Session withReceipt(Session session) throws IOException {
    if (receipt == null) {
      return session;
    }
    if (!Files.exists(receipt)) {
      throw new NoSuchFileException(receipt.toString());
    }
    if (Files.isDirectory(receipt)) {
      throw new IOException(receipt + ": is a directory");
    }
    return session.withReceipt(receipt);
  }

  /** Refuses options that do not go together. */
  private void check() throws IOException {
    forking.check(mode);
    programs.check(mode, forking.isFork(), forking.tools());
    circumstances.check();
    if (against != null && mode != ReplayMode.VALIDATION) {
      throw new UsageException("--against requires --mode validation");
    }
    output.check(mode);
    repeat.check(mode, output.format(), forking.isFork(), output.overwrites());
  }
}
