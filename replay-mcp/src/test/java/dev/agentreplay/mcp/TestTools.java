package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The tools of a server of the SDK, over any transport. */
@SuppressWarnings("deprecation") // the forms that all supported versions of the SDK have
final class TestTools {

  static final List<String> NAMES =
      List.of("echo", "failing", "error", "progress", "sample", "elicit", "count");

  /** The number of calls that a tool has executed. */
  final AtomicInteger executed = new AtomicInteger();

  McpServer.SyncSpecification<?> addTo(McpServer.SyncSpecification<?> server) {
    McpServer.SyncSpecification<?> specification = server
        .serverInfo("test", "1.0")
        .capabilities(
            McpSchema.ServerCapabilities.builder().tools(true).logging().build());
    for (String tool : NAMES) {
      specification = specification.toolCall(
          McpSchema.Tool.builder()
              .name(tool)
              .inputSchema(McpJsonDefaults.getMapper(), "{\"type\":\"object\"}")
              .build(),
          this::call);
    }
    return specification;
  }

  private CallToolResult call(McpSyncServerExchange exchange, CallToolRequest request) {
    executed.incrementAndGet();
    return switch (request.name()) {
      case "echo" -> text(String.valueOf(request.arguments().get("message")));
      case "failing" ->
        CallToolResult.builder().addTextContent("no such file").isError(true).build();
      case "error" ->
        throw McpError.builder(-32002)
            .message("gone")
            .data(Map.of("uri", "a://b"))
            .build();
      case "progress" -> {
        for (int i = 1; i <= 3; i++) {
          exchange.progressNotification(new McpSchema.ProgressNotification(
              request.meta().get("progressToken"), (double) i, 3.0, "step " + i));
        }
        yield text("done");
      }
      case "sample" ->
        text(exchange
            .createMessage(McpSchema.CreateMessageRequest.builder()
                .messages(List.of(new McpSchema.SamplingMessage(
                    McpSchema.Role.USER, new McpSchema.TextContent("What is it?"))))
                .systemPrompt("Be short")
                .maxTokens(5)
                .build())
            .model());
      case "elicit" ->
        text(exchange
            .createElicitation(McpSchema.ElicitRequest.builder()
                .message("Which one?")
                .requestedSchema(Map.of("type", "object", "properties", Map.of()))
                .build())
            .action()
            .toString());
      case "count" -> text("" + executed.get());
      default -> throw new IllegalStateException(request.name());
    };
  }

  private static CallToolResult text(String text) {
    return CallToolResult.builder().addTextContent(text).build();
  }
}
