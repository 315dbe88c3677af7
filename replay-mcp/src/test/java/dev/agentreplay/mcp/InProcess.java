package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A server of the SDK, connected with clients of the SDK in this process, over JSON texts. */
@SuppressWarnings("deprecation") // the forms that all supported versions of the SDK have
final class InProcess implements AutoCloseable {

  /** The number of calls that a tool of the server has executed. */
  final AtomicInteger executed = new AtomicInteger();

  private final McpSyncServer server;
  private McpServerSession.@Nullable Factory factory;

  InProcess() {
    this(transports -> transports);
  }

  /** Starts a server whose transports are decorated. */
  InProcess(UnaryOperator<McpServerTransportProvider> decorator) {
    McpServer.SyncSpecification<?> specification = McpServer.sync(decorator.apply(new Provider()))
        .serverInfo("test", "1.0")
        .capabilities(
            McpSchema.ServerCapabilities.builder().tools(true).logging().build());
    for (String tool :
        List.of("echo", "failing", "error", "progress", "sample", "elicit", "count")) {
      specification = specification.toolCall(
          McpSchema.Tool.builder()
              .name(tool)
              .inputSchema(McpJsonDefaults.getMapper(), "{\"type\":\"object\"}")
              .build(),
          this::call);
    }
    server = specification.build();
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
            .createElicitation(McpSchema.ElicitFormRequest.builder(
                    "Which one?", Map.of("type", "object", "properties", Map.of()))
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

  /** A transport of a client of this server. */
  McpClientTransport transport() {
    return new Transport();
  }

  @Override
  public void close() {
    server.close();
  }

  private static JSONRPCMessage copy(JSONRPCMessage message) {
    try {
      return SdkMessages.message(SdkMessages.text(message));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private final class Provider implements McpServerTransportProvider {
    @Override
    public void setSessionFactory(McpServerSession.Factory newFactory) {
      factory = newFactory;
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }
  }

  private final class Transport implements McpClientTransport {
    private @Nullable McpServerSession session;

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
      return Mono.fromRunnable(() -> session = factory.create(new ToClient(handler)));
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(() -> session
          .handle(copy(message))
          .subscribeOn(Schedulers.boundedElastic())
          .subscribe(done -> {}, failure -> {}));
    }

    @Override
    public Mono<Void> closeGracefully() {
      return session == null ? Mono.empty() : session.closeGracefully();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      return McpJsonDefaults.getMapper().convertValue(data, type);
    }
  }

  private record ToClient(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler)
      implements McpServerTransport {
    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(
          () -> handler.apply(Mono.just(copy(message))).subscribe(done -> {}, failure -> {}));
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      return McpJsonDefaults.getMapper().convertValue(data, type);
    }
  }
}
