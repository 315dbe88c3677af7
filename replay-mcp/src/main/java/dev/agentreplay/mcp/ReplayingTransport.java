package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A transport of a client that answers from a replay. */
final class ReplayingTransport implements McpClientTransport {

  /** The versions of the protocol, of which a recorded server has agreed to one. */
  private static final List<String> VERSIONS =
      List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

  private final ReplayedConversation conversation;
  private final @Nullable McpClientTransport transport;
  private final Closeable replay;

  /** Accepts messages in the order in which they are sent, apart from the threads of the client. */
  private final ExecutorService inOrder = Executors.newSingleThreadExecutor(task -> {
    Thread thread = new Thread(task, "replay-mcp-client");
    thread.setDaemon(true);
    return thread;
  });

  private final AtomicBoolean isClosed = new AtomicBoolean();
  private volatile @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;
  private volatile Consumer<Throwable> exceptions = e -> {};

  /**
   * Creates a transport.
   *
   * @param transport the transport to a server that executes; null for none
   * @param replay closed after the last message
   */
  ReplayingTransport(AgentScope scope, @Nullable McpClientTransport transport, Closeable replay)
      throws IOException {
    this.transport = transport;
    this.replay = replay;
    this.conversation = new ReplayedConversation(
        scope, this::toClient, transport == null ? null : text -> toServer(transport, text));
  }

  private void toClient(String text) {
    Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> receiver = handler;
    if (receiver == null) {
      return;
    }
    try {
      receiver.apply(Mono.just(SdkMessages.message(text))).subscribe(message -> {}, exceptions);
    } catch (IOException | RuntimeException e) { // as the SDK's transports report what they read
      exceptions.accept(e);
    }
  }

  private void toServer(McpClientTransport server, String text) {
    try {
      server.sendMessage(SdkMessages.message(text)).block();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> receiver) {
    return Mono.defer(() -> {
      handler = receiver;
      return transport == null
          ? Mono.empty()
          : transport.connect(
              incoming -> incoming.publishOn(Schedulers.boundedElastic()).flatMap(message -> {
                fromServer(message);
                return Mono.empty();
              }));
    });
  }

  private void fromServer(JSONRPCMessage message) {
    try {
      conversation.fromServer(SdkMessages.text(message));
    } catch (IOException e) {
      exceptions.accept(e);
    }
  }

  @Override
  public void setExceptionHandler(Consumer<Throwable> newHandler) {
    exceptions = newHandler;
    if (transport != null) {
      transport.setExceptionHandler(newHandler);
    }
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.defer(
        () -> Mono.fromFuture(CompletableFuture.runAsync(() -> fromClient(message), inOrder)));
  }

  private void fromClient(JSONRPCMessage message) {
    try {
      conversation.fromClient(SdkMessages.text(message));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Mono<Void> closeGracefully() {
    Mono<Void> closed = Mono.<Void>fromRunnable(this::end).subscribeOn(Schedulers.boundedElastic());
    return transport == null ? closed : transport.closeGracefully().then(closed);
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
    end();
  }

  private void end() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    inOrder.shutdown();
    conversation.close();
    try {
      replay.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return SdkMessages.convert(data, type);
  }

  @Override
  public List<String> protocolVersions() {
    return transport != null
        ? transport.protocolVersions()
        : Stream.concat(VERSIONS.stream(), conversation.recorded().protocolVersions().stream())
            .distinct()
            .toList();
  }
}
