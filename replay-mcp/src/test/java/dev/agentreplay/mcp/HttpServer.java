package dev.agentreplay.mcp;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpClientTransport;
import jakarta.servlet.Servlet;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A server of the SDK with {@link TestTools}, on a free port of the loopback interface. */
final class HttpServer implements AutoCloseable {

  private final Tomcat tomcat = new Tomcat();
  private final McpSyncServer server;

  private HttpServer(Path directory, Servlet servlet, McpSyncServer server)
      throws LifecycleException {
    this.server = server;
    tomcat.setSilent(true);
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("localhost");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "mcp", servlet).setAsyncSupported(true);
    context.addServletMappingDecoded("/*", "mcp");
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.start();
  }

  /** Starts a server with streamable HTTP. */
  static HttpServer streamable(Path directory) throws LifecycleException {
    HttpServletStreamableServerTransportProvider transport =
        HttpServletStreamableServerTransportProvider.builder()
            .jsonMapper(McpJsonDefaults.getMapper())
            .mcpEndpoint("/mcp")
            .build();
    return new HttpServer(
        directory, transport, new TestTools().addTo(McpServer.sync(transport)).build());
  }

  private String address() {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
  }

  McpClientTransport streamableClient() {
    return HttpClientStreamableHttpTransport.builder(address()).endpoint("/mcp").build();
  }

  @Override
  public void close() throws LifecycleException {
    server.close();
    tomcat.stop();
    tomcat.destroy();
  }
}
