package dev.agentreplay.mcp;

import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The transports of a server, each of whose sessions is recorded. */
final class RecordedServerTransports implements McpServerTransportProvider {

  private final McpServerTransportProvider provider;
  private final Supplier<SdkRecording> recordings;

  RecordedServerTransports(McpServerTransportProvider provider, Supplier<SdkRecording> recordings) {
    this.provider = provider;
    this.recordings = recordings;
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    provider.setSessionFactory(transport -> {
      SdkRecording recording = recordings.get();
      RecordedServerTransport recorded = new RecordedServerTransport(transport, recording);
      return new RecordedServerSession(factory.create(recorded), recorded, recording);
    });
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return provider.notifyClients(method, params);
  }

  @Override
  public Mono<Void> notifyClient(String sessionId, String method, Object params) {
    return provider.notifyClient(sessionId, method, params);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return provider.closeGracefully();
  }

  @Override
  public void close() {
    provider.close();
  }

  @Override
  public List<String> protocolVersions() {
    return provider.protocolVersions();
  }
}
