package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.io.IOException;
import java.util.Objects;

/**
 * Replays the servers of clients of the Model Context Protocol (MCP) that use the Java SDK, from a
 * session that {@link McpRecorder} or the proxy has recorded.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .policy(McpReplayer.policy(ReplayMode.MOCK))
 *     .run(scope -> {
 *       try (McpSyncClient client =
 *           McpClient.sync(McpReplayer.of(scope).transport()).build()) {
 *         client.initialize();
 *         client.callTool(new CallToolRequest("echo", Map.of("message", "hello")));
 *       }
 *     });
 * }</pre>
 *
 * <p>Each call of the client is matched with the recording, and is served, executed or refused as
 * the policy of the replay says. A served result, also an error of JSON-RPC, is the recorded one.
 * Before it, the recorded notifications that belong to the call are sent, with the progress token
 * of the client, and the recorded requests of the server (sampling, elicitation, roots) are issued:
 * the client is asked where the policy executes models, or the tool with the name of the method, as
 * {@link #policy} does; its answer is compared. What makes a connection is answered as in the
 * recording. A call that is not answered gets an error of JSON-RPC with the code -32603 and the
 * reason; the report of the replay has it, too.
 */
public final class McpReplayer {

  private final AgentScope scope;

  private McpReplayer(AgentScope scope) {
    this.scope = scope;
  }

  /** Creates a replayer of a session that was recorded for one connection. */
  public static McpReplayer of(AgentScope scope) {
    return new McpReplayer(Objects.requireNonNull(scope, "scope"));
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
   * Returns a transport that answers from the replay, without a server.
   *
   * @throws IOException if the recording cannot be read
   */
  @SuppressWarnings("exports") // the SDK is on the class path
  public McpClientTransport transport() throws IOException {
    return new ReplayingTransport(scope, null, () -> {});
  }

  /**
   * Returns a transport that answers from the replay; what its policy executes is executed by the
   * server of a transport, which also answers what makes a connection.
   *
   * @throws IOException if the recording cannot be read
   */
  @SuppressWarnings("exports") // the SDK is on the class path
  public McpClientTransport replay(McpClientTransport transport) throws IOException {
    return new ReplayingTransport(scope, Objects.requireNonNull(transport, "transport"), () -> {});
  }

  /**
   * Returns a transport that answers from a session, without a server and without a report, so that
   * an application whose clients connect when it starts can start. The client answers the requests
   * of the server.
   *
   * @throws dev.agentreplay.engine.replay.ReplayRefusedException if the session cannot be replayed
   * @throws IOException if the session cannot be read
   */
  @SuppressWarnings("exports") // the SDK is on the class path
  public static McpClientTransport transport(Session session) throws IOException {
    ActiveReplay replay = Replay.of(session).policy(policy(ReplayMode.MOCK)).start();
    try {
      return new ReplayingTransport(replay.scope(), null, replay);
    } catch (IOException | RuntimeException | Error e) {
      replay.close();
      throw e;
    }
  }
}
