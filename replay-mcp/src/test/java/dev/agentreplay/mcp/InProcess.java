package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A server of the SDK, connected with clients of the SDK in this process, over JSON texts. */
final class InProcess implements AutoCloseable {

  /** The number of calls that a tool of the server has executed. */
  final AtomicInteger executed;

  private final McpSyncServer server;
  private McpServerSession.@Nullable Factory factory;

  InProcess() {
    this(transports -> transports);
  }

  /** Starts a server whose transports are decorated. */
  InProcess(UnaryOperator<McpServerTransportProvider> decorator) {
    TestTools tools = new TestTools();
    executed = tools.executed;
    server = tools.addTo(McpServer.sync(decorator.apply(new Provider()))).build();
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
