package dev.agentreplay.cli;

import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.LogOptions;
import dev.agentreplay.cli.input.OpenSessions;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.text.Interruption;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.report.RunJson;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.report.TextReport;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.mcp.McpProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay mcp-proxy}. */
@Command(
    name = "mcp-proxy",
    header = "Record the tools of an MCP server over stdio, or replay them without it.",
    description = {
      "A host starts this command in place of the server, with the command of the server after --.",
      "With --record every line is recorded, and then forwarded as it is, in both directions; each run",
      "is a session in a directory below DIR. With --replay the calls of the host are answered from a",
      "session; the report on standard error states each difference from it. COMMAND runs only what is",
      "executed."
    },
    exitCodeList = {
      "0:With --replay: identical. With --record: the exit code of the server.",
      "1:Diverged.",
      "2:Wrong usage.",
      "3:Unreadable session, a server that cannot be started, or a required recording that failed.",
      "4:Incomplete, or refused.",
      "70:Internal error.",
      "130:Interrupted."
    },
    footer = {
      "  replay mcp-proxy --record sessions -- npx -y @modelcontextprotocol/server-everything",
      "  replay mcp-proxy --replay sessions/mcp-20260113T100000Z",
      "  replay mcp-proxy --replay mcp-20260113T100000Z --execute search -- ./server"
    })
final class McpProxyCommand extends TerminalCommand {

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Mixin
  LogOptions log = new LogOptions();

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description = "Directory for the sessions, created if missing.")
  @Nullable
  Path record;

  @Option(
      names = "--require-recording",
      description = "End the conversation when a message cannot be recorded; without it, the"
          + " conversation continues with a warning.")
  boolean requireRecording;

  @Option(
      names = "--replay",
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id to answer from.")
  @Nullable
  String replay;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      completionCandidates = Candidates.Modes.class,
      defaultValue = "mock",
      description = "Mode of the replay, as of 'replay run' (default: ${DEFAULT-VALUE}).")
  ReplayMode mode = ReplayMode.MOCK;

  @Option(
      names = "--execute",
      split = ",",
      paramLabel = "TOOL",
      description =
          "Tool that COMMAND executes, whatever its effect; its result is compared with the"
              + " recorded one. Comma-separated, repeatable.")
  List<String> execute = List.of();

  @Option(
      names = "--on-unmatched",
      paramLabel = "ACTION",
      defaultValue = "stop",
      completionCandidates = Candidates.Unmatched.class,
      description = "Behavior when no recorded call matches: ${COMPLETION-CANDIDATES} (default:"
          + " ${DEFAULT-VALUE}); the host gets an error of JSON-RPC.")
  OnUnmatched onUnmatched = OnUnmatched.STOP;

  @Option(
      names = "--export-report",
      paramLabel = "FILE",
      description = "Also write the report as JSON.")
  @Nullable
  Path export;

  @Option(names = "--overwrite", description = "Replace an existing file of --export-report.")
  boolean overwrite;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "Command of the server, and its arguments.")
  List<String> command = List.of();

  McpProxyCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    if (record != null) {
      return record(record);
    }
    try (OpenSessions sessions = new OpenSessions()) {
      Session session = SessionInput.requireRegularFile(
          sessions.add(input.openForReplay(String.valueOf(replay), () -> {})));
      if (export != null) {
        input.requireOutput(export);
      }
      return replay(session);
    } catch (ReplayRefusedException e) {
      complain(String.valueOf(e.getMessage()));
      return RunCommand.refused(e.reason());
    }
  }

  /** The failure of a thread as one of the command, which is an internal error. */
  private static IllegalStateException defect(Error error) {
    return new IllegalStateException("the proxy failed: " + error, error);
  }

  /** Refuses options that do not go together. */
  private void check() {
    if ((record == null) == (replay == null)) {
      throw new UsageException("expected --record DIR or --replay SESSION");
    } else if (record != null && command.isEmpty()) {
      throw new UsageException("--record requires the command of the server: -- COMMAND");
    } else if (record == null && requireRecording) {
      throw new UsageException("--require-recording requires --record");
    } else if (replay != null && !mode.takesAgent()) {
      throw new UsageException(
          "--mode: a host is replayed in mock, tools-live, model-live or full");
    } else if (!execute.isEmpty() && (replay == null || command.isEmpty())) {
      throw new UsageException(
          "--execute requires --replay and the command of the server: -- COMMAND");
    } else if (replay != null
        && mode == ReplayMode.MOCK
        && execute.isEmpty()
        && !command.isEmpty()) {
      throw new UsageException(
          "--mode mock starts no server; remove COMMAND, or add --execute TOOL");
    } else if (replay == null && export != null) {
      throw new UsageException("--export-report requires --replay");
    } else if (export == null && overwrite) {
      throw new UsageException("--overwrite requires --export-report");
    } else if (export != null && Files.exists(export) && !overwrite) {
      throw new UsageException(
          "--export-report: %s exists; --overwrite replaces it".formatted(export));
    }
  }

  private int record(Path sessions) throws IOException, InterruptedException {
    AtomicBoolean isReported = new AtomicBoolean();
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(requireRecording ? FailurePolicy.FAIL : FailurePolicy.DEGRADE);
    McpProxy proxy = McpProxy.recordingInto(sessions, options).onFailure(failure -> {
      if (!requireRecording && !isReported.getAndSet(true)) {
        complain("%s: %s was not recorded, and the conversation continues: %s"
            .formatted(failure.session(), failure.event(), failure.cause()));
      }
    });
    try {
      return proxy.run(command, terminal.in(), output());
    } catch (Error e) {
      throw defect(e);
    }
  }

  @SuppressWarnings("try") // the termination is open, not used
  private int replay(Session session) throws IOException, InterruptedException {
    CountDownLatch hasEnded = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (ActiveReplay running = Replay.of(session)
            .policy(policy())
            .onUnmatched(onUnmatched)
            .logger(log.open(terminal))
            .start();
        Interruption termination = new Interruption(terminal, reason -> hasEnded.countDown())) {
      Thread host = new Thread(() -> answer(running.scope(), failure, hasEnded), "replay-mcp-host");
      host.setDaemon(true);
      host.start();
      hasEnded.await(); // a host may terminate the process of a server, whose input is open
      rethrow(failure.get());
      ReplayReport report = running.finish();
      write(report);
      return report.passes()
          ? ExitCode.OK
          : report.isInconclusive() ? ExitCode.INCOMPLETE : ExitCode.FINDINGS;
    }
  }

  private ReplayPolicy policy() {
    ReplayPolicy policy = McpProxy.policy(mode);
    for (String tool : execute) {
      policy = policy.withTool(tool, ReplayAction.EXECUTE_AND_COMPARE);
    }
    return policy;
  }

  /** Answers the host until its output ends. */
  private void answer(
      AgentScope scope, AtomicReference<@Nullable Throwable> failure, CountDownLatch hasEnded) {
    try {
      if (command.isEmpty()) {
        McpProxy.replay(scope, terminal.in(), output());
      } else {
        McpProxy.replay(scope, command, terminal.in(), output());
      }
    } catch (Throwable e) {
      failure.set(e);
    } finally {
      hasEnded.countDown();
    }
  }

  private static void rethrow(@Nullable Throwable failed) throws IOException {
    if (failed instanceof IOException io) {
      throw io;
    } else if (failed instanceof RuntimeException defect) {
      throw defect;
    } else if (failed instanceof Error error) {
      throw defect(error);
    }
  }

  private void write(ReplayReport report) throws IOException {
    if (export != null) {
      byte[] json = (RunJson.render(report) + "\n").getBytes(StandardCharsets.UTF_8);
      if (overwrite) {
        WholeFile.replace(export, json);
      } else {
        WholeFile.create(export, json);
      }
    }
    TextOptions options = TextOptions.defaults().withColor(terminal.progress() && terminal.color());
    terminal.err().print(TextReport.render(report, options));
    terminal.err().flush();
  }

  /** Standard output, whose failures are exceptions, so that the end of the host is seen. */
  private OutputStream output() {
    PrintStream out = terminal.data();
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        flush();
      }

      @Override
      public void flush() throws IOException {
        if (out.checkError()) {
          throw new IOException("standard output is closed");
        }
      }

      @Override
      public void close() {
        out.close();
      }
    };
  }
}
