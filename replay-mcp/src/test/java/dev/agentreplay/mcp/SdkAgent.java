package dev.agentreplay.mcp;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An agent with a client of the SDK, for a server with {@link TestTools}. */
@SuppressWarnings("deprecation") // the forms that all supported versions of the SDK have
final class SdkAgent {

  private SdkAgent() {}

  static McpSyncClient client(McpClientTransport transport) {
    return client(transport, new ArrayList<>());
  }

  private static McpSyncClient client(McpClientTransport transport, List<String> progress) {
    return McpClient.sync(transport)
        .capabilities(
            McpSchema.ClientCapabilities.builder().sampling().elicitation().build())
        .sampling(request -> McpSchema.CreateMessageResult.builder()
            .role(McpSchema.Role.ASSISTANT)
            .message("an answer")
            .model("model-x")
            .build())
        .elicitation(request -> McpSchema.ElicitResult.builder()
            .message(McpSchema.ElicitResult.Action.DECLINE)
            .build())
        .progressConsumer(each -> progress.add(each.progressToken() + " " + each.progress()))
        .build();
  }

  static CallToolRequest call(String tool, String message) {
    return CallToolRequest.builder()
        .name(tool)
        .arguments(Map.of("message", message))
        .progressToken("of " + tool)
        .build();
  }

  /** Runs an agent that uses every feature. Returns what it saw. */
  static List<String> run(McpClientTransport transport, String message) {
    List<String> seen = new ArrayList<>();
    List<String> progress = Collections.synchronizedList(new ArrayList<>());
    try (McpSyncClient client = client(transport, progress)) {
      seen.add(client.initialize().serverInfo().name());
      seen.add("" + client.listTools().tools().size());
      for (String tool : List.of("echo", "failing", "progress", "sample", "elicit")) {
        seen.add(client.callTool(call(tool, message)).toString());
      }
      try {
        client.callTool(call("error", message));
      } catch (McpError e) {
        seen.add(e.getJsonRpcError().toString());
      }
      client.ping();
      awaitProgress(progress);
      seen.addAll(progress.stream().sorted().toList()); // the SDK has several threads
    }
    return seen;
  }

  /** Waits for the three steps of the tool "progress", which the SDK reports on other threads. */
  private static void awaitProgress(List<String> progress) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (progress.size() < 3 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }
}
