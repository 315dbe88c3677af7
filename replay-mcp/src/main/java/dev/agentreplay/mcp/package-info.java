/**
 * Records and replays the messages between clients and servers of the Model Context Protocol (MCP):
 * with the Java SDK, or over stdio for clients and servers in any language.
 *
 * <pre>{@code
 * McpRecorder recording = McpRecorder.into(Path.of("sessions"));
 * try (McpSyncClient client = McpClient.sync(recording.record(transport)).build()) {
 *   client.initialize();
 *   client.callTool(new CallToolRequest("echo", Map.of("message", "hello")));
 * }
 * }</pre>
 *
 * <p>A recorded session is replayed by the same client, here without its server:
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
 * <p>{@link dev.agentreplay.mcp.McpRecorder} specifies the recorded data, and the handling of
 * failures, which never affect client and server; {@link dev.agentreplay.mcp.McpReplayer} the
 * answers of a replay. {@link dev.agentreplay.mcp.McpProxy}, the command {@code replay mcp-proxy},
 * does both for a server that is a program, and needs no SDK; if a recording is required, its
 * failures end the conversation. The others are tested with the Java SDK 1.1.2, 2.0.0 and 2.1.0.
 */
@NullMarked
package dev.agentreplay.mcp;

import org.jspecify.annotations.NullMarked;
