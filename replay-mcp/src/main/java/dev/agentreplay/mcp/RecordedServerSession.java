package dev.agentreplay.mcp;

import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The session of a server with one client, whose incoming messages are recorded. The SDK's session
 * is a class: this one passes every call on, and uses nothing of its own.
 */
final class RecordedServerSession extends McpServerSession {

  private final McpServerSession session;
  private final SdkRecording recording;

  RecordedServerSession(
      McpServerSession session, McpServerTransport transport, SdkRecording recording) {
    super(
        session.getId(),
        Duration.ZERO,
        transport,
        request -> Mono.error(new UnsupportedOperationException()),
        Map.of(),
        Map.of());
    this.session = session;
    this.recording = recording;
  }

  @Override
  public String getId() {
    return session.getId();
  }

  @Override
  public void init(McpSchema.ClientCapabilities capabilities, McpSchema.Implementation info) {
    session.init(capabilities, info);
  }

  @Override
  public void setMinLoggingLevel(McpSchema.LoggingLevel level) {
    session.setMinLoggingLevel(level);
  }

  @Override
  public boolean isNotificationForLevelAllowed(McpSchema.LoggingLevel level) {
    return session.isNotificationForLevelAllowed(level);
  }

  @Override
  public <T> Mono<T> sendRequest(String method, Object params, TypeRef<T> type) {
    return session.sendRequest(method, params, type);
  }

  @Override
  public Mono<Void> sendNotification(String method, Object params) {
    return session.sendNotification(method, params);
  }

  @Override
  public Mono<Void> handle(JSONRPCMessage message) {
    return Mono.defer(() -> {
      recording.add(Side.CLIENT, message);
      return session.handle(message);
    });
  }

  @Override
  public Mono<Void> closeGracefully() {
    return session
        .closeGracefully()
        .doOnError(recording::failed)
        .doOnTerminate(recording::end)
        .doOnCancel(recording::end);
  }

  @Override
  public void close() {
    closeGracefully().subscribe();
  }
}
