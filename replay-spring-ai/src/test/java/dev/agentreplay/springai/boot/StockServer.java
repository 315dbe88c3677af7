package dev.agentreplay.springai.boot;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** MCP servers with one tool each: a process that serves stdio, and one on HTTP in this process. */
final class StockServer implements AutoCloseable {

  private final Tomcat tomcat;
  private final McpSyncServer server;

  private StockServer(Tomcat tomcat, McpSyncServer server) {
    this.tomcat = tomcat;
    this.server = server;
  }

  /** Serves stdio until its input ends. */
  public static void main(String[] arguments) {
    PrintStream messages = System.out;
    System.setOut(System.err); // of the log
    McpServer.sync(
            new StdioServerTransportProvider(McpJsonDefaults.getMapper(), System.in, messages))
        .serverInfo("hours", "1")
        .toolCall(
            tool("opening_hours", "Returns the opening hours of a shop", "shop"),
            (exchange, request) -> text(request.arguments(), "shop", shop -> shop + ": 9 to 17"))
        .build();
  }

  /** The command of the stdio server, as a property of Spring AI. */
  static List<String> stdioProperties() {
    String prefix = "spring.ai.mcp.client.stdio.connections.hours.";
    return List.of(
        prefix + "command=" + Path.of(System.getProperty("java.home"), "bin", "java"),
        prefix + "args[0]=-XX:TieredStopAtLevel=1",
        prefix + "args[1]=-cp",
        prefix + "args[2]=" + System.getProperty("java.class.path"),
        prefix + "args[3]=" + StockServer.class.getName());
  }

  /** Starts the HTTP server on a free port of the loopback interface. */
  static StockServer start(Path directory) throws LifecycleException {
    HttpServletStreamableServerTransportProvider transport =
        HttpServletStreamableServerTransportProvider.builder()
            .jsonMapper(McpJsonDefaults.getMapper())
            .mcpEndpoint("/mcp")
            .build();
    McpSyncServer server = McpServer.sync(transport)
        .serverInfo("stock", "1")
        .toolCall(
            tool("stock", "Returns the number of items in stock", "item"),
            (exchange, request) -> text(request.arguments(), "item", item -> item + ": 3 in stock"))
        .build();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("localhost");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
    context.addServletMappingDecoded("/mcp", "mcp");
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.start();
    return new StockServer(tomcat, server);
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  private static Tool tool(String name, String description, String parameter) {
    return Tool.builder(
            name,
            Map.of(
                "type",
                "object",
                "properties",
                Map.of(parameter, Map.of("type", "string")),
                "required",
                List.of(parameter)))
        .description(description)
        .build();
  }

  private static CallToolResult text(
      Map<String, Object> arguments, String name, Function<Object, String> text) {
    return CallToolResult.builder()
        .addTextContent(text.apply(arguments.get(name)))
        .build();
  }

  @Override
  public void close() throws LifecycleException {
    server.close();
    tomcat.stop();
    tomcat.destroy();
  }
}
