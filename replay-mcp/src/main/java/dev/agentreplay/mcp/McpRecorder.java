package dev.agentreplay.mcp;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Records the messages between clients and servers of the Model Context Protocol (MCP) that use the
 * Java SDK: each connection as its own session, or all connections in one session of the caller.
 * Create a recorder with {@link #into(Path)}, and pass the transport of each client, or the
 * transports of a server, to {@code record}. Safe for use by several threads.
 *
 * <ul>
 *   <li>A request {@code tools/call} and its response are a call and a result of the tool, whose
 *       output is the whole result, with {@code content}, {@code structuredContent} and
 *       {@code isError}. An error of JSON-RPC is the failure {@code JsonRpcError} with its code,
 *       message and data. A cancelled call has the failure {@code Cancelled}.
 *   <li>Other requests that are acts of a side are calls of a tool with the name of their method
 *       after {@code mcp:}, which no tool of a server has, such as {@code mcp:resources/read},
 *       {@code mcp:prompts/get}, {@code mcp:elicitation/create} or {@code mcp:roots/list}. Their
 *       parameters are those of the request without {@code _meta}.
 *   <li>A request {@code sampling/createMessage} is a call of a model.
 *   <li>What makes a connection ({@code initialize}, {@code ping}, {@code logging/setLevel} and the
 *       lists of tools, prompts and resources), notifications, late responses and texts that are
 *       not messages are kept as events of the runtime, such as {@code mcp/notifications/progress}.
 *       Comparisons ignore them.
 *   <li>The settings have the versions of client, server and protocol, the name, instructions and
 *       capabilities of the server, and its tools with schemas and annotations, again when they
 *       change.
 * </ul>
 *
 * <p>These are the events of an imported log of the same messages, except that an import keeps
 * requests other than {@code tools/call} and {@code sampling/createMessage} as they are, without
 * calls. The member {@code imported} of an event has the line of its message, its sender, the line
 * of the message of the client that it belongs to, and what restores its exact text. A message of a
 * server belongs to the open request with its progress token, otherwise to the newest open call,
 * otherwise to the newest other open request of the client, or else to the last message of the
 * client.
 *
 * <p>Failures of recording never affect client and server. An event that is rejected leaves a
 * {@link dev.agentreplay.model.RecordingGap}. After a write error the
 * {@link dev.agentreplay.io.recording.FailurePolicy} of the session decides. Each failure is
 * reported to the listener of {@link #onFailure}; without one, the system logger
 * {@code dev.agentreplay.mcp} warns of the first failure of each session. A message is recorded by
 * the thread that sends or receives it, before it is passed on: order and threads are those of the
 * transport. The thread waits for the disk as the {@link dev.agentreplay.io.recording.Durability}
 * of the session specifies.
 */
public final class McpRecorder {

  private final Supplier<GuardedSession> sessions;
  private final RecordingFailures failures;

  private McpRecorder(Supplier<GuardedSession> sessions, RecordingFailures failures) {
    this.sessions = sessions;
    this.failures = failures;
  }

  /**
   * Creates a recorder that records each connection as a session in its own directory, with default
   * options.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /**
   * Creates a recorder that records each connection as a session in its own directory, named
   * {@code mcp-} and the time. A session ends when its transport is closed: with success if the
   * transport has not failed and each request of the client was answered or cancelled, otherwise
   * with a failure and its reason. One whose transport is not closed has no end.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpRecorder into(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    Objects.requireNonNull(options, "options");
    RecordingFailures failures = newFailures();
    return new McpRecorder(
        () -> GuardedSession.start(
            "mcp",
            () -> SessionRecorder.startIn(sessions, SessionStart.of("mcp"), options),
            failures),
        failures);
  }

  /**
   * Creates a recorder that records all connections into one session, which the caller starts, ends
   * and closes. Only one of them can be replayed by {@link McpReplayer}.
   */
  public static McpRecorder into(SessionRecorder session) {
    Objects.requireNonNull(session, "session");
    RecordingFailures failures = newFailures();
    return new McpRecorder(() -> GuardedSession.of(session, failures), failures);
  }

  private static RecordingFailures newFailures() {
    return new RecordingFailures("dev.agentreplay.mcp");
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger. It may be
   * called by several threads at the same time.
   *
   * @return this
   */
  public McpRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /**
   * Returns a transport of a client, over stdio, HTTP or any other, that passes everything on, and
   * records it. The session is started at once.
   */
  @SuppressWarnings("exports") // the SDK is on the class path
  public McpClientTransport record(McpClientTransport transport) {
    Objects.requireNonNull(transport, "transport");
    return new RecordedClientTransport(transport, new SdkRecording(sessions.get()));
  }

  /**
   * Returns the transports of a server that pass everything on, and record it: one over stdio, or
   * those of HTTP with SSE. Those of streamable HTTP are a different interface, whose sessions the
   * SDK creates without a place for a decorator; record the client there.
   */
  @SuppressWarnings("exports") // the SDK is on the class path
  public McpServerTransportProvider record(McpServerTransportProvider transports) {
    Objects.requireNonNull(transports, "transports");
    return new RecordedServerTransports(transports, () -> new SdkRecording(sessions.get()));
  }
}
