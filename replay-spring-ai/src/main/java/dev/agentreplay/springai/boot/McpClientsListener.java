package dev.agentreplay.springai.boot;

import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets {@code spring.ai.mcp.client.initialized=false} in a replay that properties request, unless
 * the application sets it: clients of MCP servers then connect when a tool is executed, not when
 * the application starts.
 */
final class McpClientsListener
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

  private static final Map<String, Object> PROPERTIES =
      Map.of("spring.ai.mcp.client.initialized", "false");

  McpClientsListener() {}

  /** After the configuration files, which are read by a listener too. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    ConfigurableEnvironment environment = event.getEnvironment();
    if (OnReplay.isReplay(environment)
        && !"false".equalsIgnoreCase(environment.getProperty(OnEnabled.ENABLED))) {
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("replay: clients of MCP servers", PROPERTIES));
    }
  }
}
