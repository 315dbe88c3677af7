package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A transport of a client that answers from a replay. Messages are passed on in the order in which
 * they arrive, each side's on a thread of its own, so that threads of the client and of a transport
 * never wait for the replay, and the replay never waits for the handlers of the client. A response
 * to a call that a server executes is passed on when it has been compared: later notifications of
 * the server may overtake it.
 */
final class ReplayingTransport implements McpClientTransport {

  /** The versions of the protocol, of which a recorded server has agreed to one. */
  private static final List<String> VERSIONS =
      List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

  private final ReplayedConversation conversation;
  private final @Nullable McpClientTransport transport;
  private final Closeable replay;
  private final InOrder fromClient = new InOrder("replay-mcp-client");
  private final InOrder fromServer = new InOrder("replay-mcp-server");
  private final InOrder toClient = new InOrder("replay-mcp-handler");
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private volatile boolean isClosed;
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
        scope,
        (text, onFailure) -> toClient.run(() -> toClient(text), onFailure),
        transport == null ? null : (text, onFailure) -> toServer(transport, text, onFailure),
        e -> exceptions.accept(e));
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

  /** Begins to send a message, and does not wait: a transport may wait for the response to it. */
  private static void toServer(
      McpClientTransport server, String text, Consumer<Throwable> onFailure) {
    try {
      server.sendMessage(SdkMessages.message(text)).subscribe(sent -> {}, onFailure);
    } catch (IOException | RuntimeException e) {
      onFailure.accept(e);
    }
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> receiver) {
    return Mono.defer(() -> {
      handler = receiver;
      if (transport != null) {
        return transport.connect(
            incoming -> incoming.doOnNext(this::fromServer).then(Mono.<JSONRPCMessage>empty()));
      }
      fromClient.run(conversation::begin, exceptions);
      return Mono.empty();
    });
  }

  private void fromServer(JSONRPCMessage message) {
    try {
      String text = SdkMessages.text(message);
      fromServer.run(() -> conversation.fromServer(text), exceptions);
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
    return Mono.create(sent -> {
      try {
        String text = SdkMessages.text(message);
        if (isClosed) {
          throw new RejectedExecutionException("the transport is closed");
        }
        fromClient.run(() -> conversation.fromClient(text), exceptions);
        sent.success();
      } catch (IOException | RuntimeException e) {
        sent.error(e);
      }
    });
  }

  @Override
  public Mono<Void> closeGracefully() {
    Mono<Void> closed = Mono.<Void>fromRunnable(this::end).subscribeOn(Schedulers.boundedElastic());
    return transport == null
        ? closed
        : Mono.<Void>fromRunnable(this::drain)
            .subscribeOn(Schedulers.boundedElastic())
            .then(Mono.defer(transport::closeGracefully))
            .onErrorResume(e -> closed.then(Mono.error(e)))
            .then(closed);
  }

  @Override
  public void close() {
    try {
      drain();
      if (transport != null) {
        transport.close();
      }
    } finally {
      end();
    }
  }

  /** Accepts nothing more of the client, and sends the messages so far, which are queued. */
  private void drain() {
    isClosed = true;
    fromClient.awaitEnd();
  }

  private void end() {
    if (!isEnded.compareAndSet(false, true)) {
      return;
    }
    isClosed = true;
    conversation.endWaits();
    fromClient.awaitEnd();
    fromServer.awaitEnd();
    conversation.close();
    toClient.end();
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
