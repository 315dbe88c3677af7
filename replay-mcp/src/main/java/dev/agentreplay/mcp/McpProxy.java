package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.FailurePolicy;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A proxy between a client and a server over stdio, which records their messages, or replays those
 * of a session. It needs no SDK of the Model Context Protocol.
 *
 * <pre>{@code
 * int exitCode = McpProxy.recordingInto(Path.of("sessions"))
 *     .run(List.of("npx", "-y", "@modelcontextprotocol/server-everything"), System.in, System.out);
 * }</pre>
 *
 * <p>When it records, each line is recorded as durably as the
 * {@link dev.agentreplay.io.recording.Durability} of the session specifies, and then forwarded with
 * its bytes unchanged, also one that is not a message: after a crash of the proxy the log has every
 * line that client or server received. The conversation waits for the disk. A line of more than 64
 * MiB, or a twentieth of the maximum heap if that is less, is forwarded in pieces; a
 * {@link dev.agentreplay.model.RecordingGap} has its length and its hash. The server writes to the
 * standard error of this process. {@link McpRecorder} specifies the events.
 *
 * <p>If a line cannot be recorded, the {@link FailurePolicy} of the session decides:
 *
 * <ul>
 *   <li>{@link FailurePolicy#DEGRADE}: the conversation continues. The failure is reported, and the
 *       log has a {@link dev.agentreplay.model.RecordingGap} when it can be written again.
 *   <li>{@link FailurePolicy#FAIL}: the line is not forwarded, also if only a part of it cannot be
 *       recorded, or if it is too long; the server is ended, and {@link #run} throws the reason.
 * </ul>
 *
 * <p>When the client ends, the input of the server is closed. The proxy then waits for the server
 * as long as it has open requests or sends messages, and as long as the client reads them. A server
 * that has nothing to do for five seconds, and does not end, is terminated, and so is one that
 * sends nothing for five minutes, also if it has open requests, or if the client does not read.
 *
 * <p>The session has no end if the server ends with success, and one of its lines that is too long,
 * or is not valid JSON, may be the response to an open request.
 *
 * <p>A proxy is used by one thread; a recording proxy may be used for several servers.
 */
public final class McpProxy {

  private final GuardedSession.Start start;
  private final FailurePolicy policy;
  private final RecordingFailures failures = new RecordingFailures("dev.agentreplay.mcp");
  private long graceMillis = ServerProcess.GRACE_MILLIS;
  private long maxSilenceMillis = ServerProcess.MAX_SILENCE_MILLIS;
  private int maxLineBytes = LineFeed.maxRecordedBytes();

  McpProxy(GuardedSession.Start start, FailurePolicy policy) {
    this.start = start;
    this.policy = policy;
  }

  /**
   * Creates a proxy that records each run of a server as a session in its own directory, with
   * default options and {@link FailurePolicy#DEGRADE}, so that failures of recording do not affect
   * client and server.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpProxy recordingInto(Path sessions) {
    return recordingInto(
        sessions, RecorderOptions.defaults().withFailurePolicy(FailurePolicy.DEGRADE));
  }

  /**
   * Creates a proxy that records each run of a server as a session in its own directory, named
   * {@code mcp-} and the time.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpProxy recordingInto(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    return new McpProxy(
        () -> SessionRecorder.startIn(sessions, SessionStart.of("mcp"), options),
        options.failurePolicy());
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger
   * {@code dev.agentreplay.mcp}.
   *
   * @return this
   */
  public McpProxy onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /** Sets the time after which a server that has nothing to do is terminated. */
  McpProxy graceMillis(long millis) {
    graceMillis = millis;
    return this;
  }

  /** Sets the time without output after which a server is terminated when the client has ended. */
  McpProxy maxSilenceMillis(long millis) {
    maxSilenceMillis = millis;
    return this;
  }

  /** Sets the maximum length of a line that is recorded. */
  McpProxy maxLineBytes(int bytes) {
    maxLineBytes = bytes;
    return this;
  }

  /**
   * Runs a server until it ends. When {@code in} ends, so does the input of the server; when the
   * JVM ends, so does the server.
   *
   * @param command the program of the server, and its arguments
   * @param in the messages of the client; one more read of it may be in progress when this method
   *     returns
   * @param out receives the messages of the server; closed at their end
   * @return the exit code of the server
   * @throws IOException if the server cannot be started, or the session cannot be started or a line
   *     not be recorded and its policy is {@link FailurePolicy#FAIL}
   * @throws InterruptedException if this thread is interrupted; the server is ended then
   */
  public int run(List<String> command, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    try (ServerProcess server =
        ServerProcess.start(command, graceMillis).maxSilenceMillis(maxSilenceMillis)) {
      MessageRecording recording = new MessageRecording(
          GuardedSession.start("mcp", start, failures), policy == FailurePolicy.FAIL);
      recording.requireStarted();
      return new RecordedRun(server, recording, in, out, maxLineBytes).run();
    }
  }

  /**
   * The preset of a mode, in which the client also answers the requests of the server, and its
   * answers are compared.
   *
   * @throws IllegalArgumentException if nothing runs in the mode
   */
  public static ReplayPolicy policy(ReplayMode mode) {
    return Policies.of(mode);
  }

  /**
   * Answers a client from a replay, without a server, until its input ends.
   *
   * @param scope the scope of the replay; that of {@link #policy} asks the client what the server
   *     asks
   * @param in the messages of the client
   * @param out receives the messages of the server
   * @throws IOException if the recording cannot be read, or a line of the client has more than 64
   *     MiB
   */
  public static void replay(AgentScope scope, InputStream in, OutputStream out) throws IOException {
    ReplayedRun.run(scope, null, in, out);
  }

  /**
   * Answers a client from a replay until its input ends. What the policy of the replay executes is
   * executed by a server, which is ended as by {@link #run}.
   *
   * @param command the program of the server, and its arguments
   * @throws IOException if the recording cannot be read, the server cannot be started, or a line
   *     has more than 64 MiB
   */
  public static void replay(
      AgentScope scope, List<String> command, InputStream in, OutputStream out) throws IOException {
    replay(scope, command, in, out, ServerProcess.GRACE_MILLIS);
  }

  static void replay(
      AgentScope scope, List<String> command, InputStream in, OutputStream out, long graceMillis)
      throws IOException {
    try (ServerProcess server = ServerProcess.start(command, graceMillis)) {
      ReplayedRun.run(scope, server, in, out);
    }
  }
}
