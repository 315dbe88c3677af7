package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A transport of a client whose server is the test. */
final class FakeTransport implements McpClientTransport {

  /** The texts of the messages that the client has sent. */
  final List<String> sent = Collections.synchronizedList(new ArrayList<>());

  @Nullable
  RuntimeException connectFailure;

  @Nullable
  RuntimeException sendFailure;

  @Nullable
  RuntimeException closeFailure;

  private @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler;
  private Consumer<Throwable> exceptions = e -> {};

  static JSONRPCMessage message(String text) {
    try {
      return SdkMessages.message(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a message to the client, in this thread, and does not wait for the client. */
  void receive(String text) {
    handler.apply(Mono.just(message(text))).subscribe();
  }

  /** Reports a failure as a transport does that cannot read. */
  void fail(Throwable failure) {
    exceptions.accept(failure);
  }

  private static Mono<Void> result(@Nullable RuntimeException failure) {
    return failure == null ? Mono.empty() : Mono.error(failure);
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> receiver) {
    handler = receiver;
    return result(connectFailure);
  }

  @Override
  public void setExceptionHandler(Consumer<Throwable> newHandler) {
    exceptions = newHandler;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.defer(() -> {
      try {
        sent.add(SdkMessages.text(message));
      } catch (IOException e) {
        return Mono.error(e);
      }
      return result(sendFailure);
    });
  }

  @Override
  public Mono<Void> closeGracefully() {
    return result(closeFailure);
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return SdkMessages.convert(data, type);
  }
}
