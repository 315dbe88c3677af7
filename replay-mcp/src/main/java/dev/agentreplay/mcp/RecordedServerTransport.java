package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerTransport;
import java.util.List;
import reactor.core.publisher.Mono;

/** A transport of a server to one client, whose outgoing messages are recorded. */
final class RecordedServerTransport implements McpServerTransport {

  private final McpServerTransport transport;
  private final SdkRecording recording;

  RecordedServerTransport(McpServerTransport transport, SdkRecording recording) {
    this.transport = transport;
    this.recording = recording;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.defer(() -> {
      recording.add(Side.SERVER, message);
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
