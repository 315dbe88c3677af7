package dev.agentreplay.cli;

import dev.agentreplay.cli.demo.DemoAgent;
import dev.agentreplay.cli.demo.DemoTools;
import dev.agentreplay.cli.text.EventText;
import dev.agentreplay.cli.text.RunLog;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import dev.agentreplay.sandbox.replay.ReplaySandboxOptions;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code replay demo}. */
@Command(
    name = "demo",
    header = "Record a sample session, verify it, tamper with it, diff two runs, and replay one.",
    description =
        "Runs a scripted agent with real tools in a temporary directory, and narrates each step.",
    exitCodeList = {"0:Done.", "1:A step had an unexpected result.", "2:Wrong usage."},
    footer = {"  replay demo", "  replay demo --out demo-sessions"})
final class DemoCommand extends TerminalCommand {

  /** The command line that started this process, for the hints. */
  private static final String COMMAND = System.getProperty("replay.command", "replay");

  private static final int LINES_A_CHECKPOINT = 8;

  private static final String BEFORE = "is 11, expected 12";
  private static final String AFTER = "is 12, expected 12";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory to keep the sessions in; new or empty.")
  @Nullable
  Path out;

  @Option(
      names = "--deterministic",
      description = "Record with a stepped clock, so that each run makes the same bytes.")
  boolean deterministic;

  private final Style style;

  DemoCommand(Terminal terminal) {
    super(terminal);
    this.style = terminal.style();
  }

  @Override
  public Integer call() throws Exception {
    Path kept = out;
    if (kept != null && !FileTree.isNewOrEmpty(kept)) {
      throw new UsageException("--out: expected a new or empty directory, found " + kept);
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
      Path sessions = kept == null ? temporary.path() : Files.createDirectories(kept);
      boolean asExpected = demonstrate(sessions, temporary.path().resolve("workspaces"));
      print(
          kept == null
              ? "\nTo keep the sessions: %s demo --out DIR\n".formatted(COMMAND)
              : "\nThe sessions are in %s: try %s show %s\n"
                  .formatted(
                      Style.plain(kept.toString()),
                      COMMAND,
                      Style.plain(kept.resolve("first").toString())));
      print("To sign a session: %s keygen KEY, then %s sign SESSION --key KEY\n"
          .formatted(COMMAND, COMMAND));
      return asExpected ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private boolean demonstrate(Path sessions, Path workspaces) throws Exception {
    heading(1, "Record", "an agent finds out why a test fails, and fixes it");
    Path first =
        record(sessions.resolve("first"), workspaces.resolve("first"), false, Circumstances.none());
    show(first);

    heading(2, "Verify", "every recorded value against its hash, every call against the receipt");
    VerificationReport sound = verify(first);

    heading(3, "Tamper", "in a copy, one byte of what the test printed: 11 becomes 12");
    VerificationReport tampered = verify(tamper(first, sessions.resolve("tampered")));

    heading(4, "Run again", "with one changed tool: search now prints only file names");
    Path second = record(
        sessions.resolve("second"), workspaces.resolve("second"), true, Circumstances.none());
    show(second);

    heading(5, "Diff", "the first divergence is the root cause");
    SessionDiff diff = SessionDiff.between(Session.open(first), Session.open(second));
    print(TextReport.render(diff.withNames("first", "second"), textOptions()));

    heading(6, "Replay", "the agent again, on recorded results: no tool runs");
    ReplayReport replayed = replay(first, DemoAgent.SEARCHED);

    print("\nThe same with one changed parameter:\n\n");
    ReplayReport missed = replay(first, "price");

    heading(7, "Isolate", "the tools again, in a sandbox, on a copy of the recorded files");
    boolean isIsolated = isolate(workspaces);

    return sound.verdict() == Verdict.VALID
        && tampered.count(FindingCode.OUTPUT_HASH_MISMATCH) == 1
        && !diff.isIdentical()
        && replayed.isIdentical()
        && missed.missed() == 1
        && isIsolated;
  }

  private ReplayReport replay(Path directory, String searched)
      throws IOException, InterruptedException {
    ToolExecutor none = call -> {
      throw new IllegalStateException("a tool was executed: " + call.tool());
    };
    ReplayReport report = Replay.of(Session.open(directory))
        .mode(ReplayMode.MOCK)
        .logger(RunLog.none(terminal))
        .run(new DemoAgent(none, searched));
    print(TextReport.render(report, textOptions()));
    return report;
  }

  /** Replays in full; true if the results are as expected, or this machine has no sandbox. */
  private boolean isolate(Path workspaces) throws Exception {
    SandboxSelection selection = Sandboxes.select(SandboxChoice.automatic());
    if (selection.used() == null) {
      print("  not run: this machine has no sandbox. Reasons and remedies: %s doctor\n"
          .formatted(COMMAND));
      return true;
    }
    Path workspace = workspaces.resolve("isolated");
    Path session = record(
        workspaces.resolve("session"),
        workspace,
        false,
        Circumstances.none().withWorkspace(SnapshotCapture.of(workspace)));
    ReplayReport same = replayInFull(session, selection, false);
    print("\nThe same with a tool that writes one more byte:\n\n");
    ReplayReport differs = replayInFull(session, selection, true);
    return same.isIdentical() && differs.divergenceCount() == 1;
  }

  private ReplayReport replayInFull(Path directory, SandboxSelection selection, boolean writesMore)
      throws Exception {
    Session session = Session.open(directory);
    try (ReplaySandbox sandbox =
        ReplaySandbox.open(session, ReplayMode.FULL, ReplaySandboxOptions.of(selection))) {
      DemoTools tools = DemoTools.in(sandbox);
      ToolExecutor executor = call -> {
        ToolResult result = tools.execute(call);
        if (writesMore && call.tool().equals("edit_file")) {
          Files.writeString(
              sandbox.directory().resolve("price.sh"), " ", StandardOpenOption.APPEND);
        }
        return result;
      };
      Replay replay = sandbox.applyTo(Replay.of(session).mode(ReplayMode.FULL));
      DemoTools.names().forEach(name -> replay.tool(name, Effect.WRITES_WORKSPACE, executor));
      ReplayReport report =
          replay.logger(RunLog.none(terminal)).run(new DemoAgent(executor, DemoAgent.SEARCHED));
      print(TextReport.render(report, textOptions()));
      return report;
    }
  }

  private TextOptions textOptions() {
    return TextOptions.defaults().withWidth(Style.WIDTH).withColor(terminal.color());
  }

  private void heading(int number, String title, String text) {
    print("\n" + style.bold(number + ". " + title) + "  " + text + "\n\n");
  }

  private Path record(
      Path directory, Path workspace, boolean searchPrintsNamesOnly, Circumstances circumstances)
      throws Exception {
    DemoTools.prepare(workspace);
    DemoTools tools = DemoTools.in(workspace, searchPrintsNamesOnly);
    SessionStart start =
        SessionStart.of("demo-" + directory.getFileName()).withPolicy(PolicyId.version("demo"));
    TamperEvidenceOptions evidence =
        TamperEvidenceOptions.defaults().withCheckpointInterval(LINES_A_CHECKPOINT);
    RecorderOptions options = RecorderOptions.defaults()
        .withProducer("replay-demo@1")
        .withCircumstances(circumstances)
        .withContext(deterministic ? ContextOptions.deterministic() : ContextOptions.defaults())
        .withWriter(WriterOptions.defaults().withEvidence(evidence));
    try (SessionRecorder session = SessionRecorder.start(directory, start, options)) {
      new DemoAgent(tools, DemoAgent.SEARCHED).run(AgentScope.recording(session, Executors.none()));
    }
    return directory;
  }

  private void show(Path directory) throws IOException {
    EventText text = new EventText(style, Style.WIDTH - 2);
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        print("  " + text.render(line.event()) + "\n");
      }
    }
  }

  private VerificationReport verify(Path directory) throws IOException {
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
    String name = directory.getFileName() + "/" + Session.LOG_NAME;
    print(VerificationText.render(report, name, style));
    return report;
  }

  private static Path tamper(Path session, Path copy) throws IOException {
    Files.createDirectories(copy);
    // ISO 8859-1 maps each byte to a character and back
    String log = Files.readString(session.resolve(Session.LOG_NAME), StandardCharsets.ISO_8859_1);
    Files.writeString(
        copy.resolve(Session.LOG_NAME), log.replace(BEFORE, AFTER), StandardCharsets.ISO_8859_1);
    Files.copy(session.resolve(Session.RECEIPT_NAME), copy.resolve(Session.RECEIPT_NAME));
    return copy;
  }
}
