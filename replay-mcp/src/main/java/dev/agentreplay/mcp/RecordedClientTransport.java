package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A transport of a client whose messages are recorded. */
final class RecordedClientTransport implements McpClientTransport {

  private final McpClientTransport transport;
  private final SdkRecording recording;

  RecordedClientTransport(McpClientTransport transport, SdkRecording recording) {
    this.transport = transport;
    this.recording = recording;
  }

  @Override
  public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
    return transport
        .connect(incoming ->
            handler.apply(incoming.doOnNext(message -> recording.add(Side.SERVER, message))))
        .doOnError(recording::failed);
  }

  @Override
  public void setExceptionHandler(Consumer<Throwable> handler) {
    transport.setExceptionHandler(e -> {
      recording.failed(e);
      handler.accept(e);
    });
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.defer(() -> {
      recording.add(Side.CLIENT, message);
      return transport.sendMessage(message).doOnError(recording::failed);
    });
  }

  @Override
  public Mono<Void> closeGracefully() {
    return transport
        .closeGracefully()
        .doOnError(recording::failed)
        .doOnTerminate(recording::end)
        .doOnCancel(recording::end);
  }

  @Override
  public void close() {
    closeGracefully().subscribe();
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return transport.unmarshalFrom(data, type);
  }

  @Override
  public List<String> protocolVersions() {
    return transport.protocolVersions();
  }
}
