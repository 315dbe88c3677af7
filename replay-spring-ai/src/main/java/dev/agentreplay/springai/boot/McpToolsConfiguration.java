package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.springai.SpringAiCalls;
import io.modelcontextprotocol.client.McpSyncClient;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.mcp.AsyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.McpToolsChangedEvent;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The tools of MCP servers: their list is recorded, and a replay does not connect to the server
 * ({@link McpClientsListener}).
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({SyncMcpToolCallbackProvider.class, McpSyncClient.class})
@ConditionalOnBean(SpringAiCalls.class)
class McpToolsConfiguration {

  @Bean
  static McpProviders replayMcpProviders(
      ObjectProvider<ScopeSource> scopes, ObjectProvider<ReplayActivity> activity) {
    return new McpProviders(scopes, activity);
  }

  /** Wraps the providers of tools. */
  static final class McpProviders implements BeanPostProcessor {

    private final ObjectProvider<ScopeSource> scopes;
    private final ObjectProvider<ReplayActivity> activity;
    private final ToolListings ofScopes = new ToolListings();
    private final FailureHistory ofScopesFailed = new FailureHistory();

    McpProviders(ObjectProvider<ScopeSource> scopes, ObjectProvider<ReplayActivity> activity) {
      this.scopes = scopes;
      this.activity = activity;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof SyncMcpToolCallbackProvider sync && !(bean instanceof SyncTools)) {
        return new SyncTools(sync, listed(name, sync::getToolCallbacks));
      }
      if (bean instanceof AsyncMcpToolCallbackProvider async && !(bean instanceof AsyncTools)) {
        return new AsyncTools(async, listed(name, async::getToolCallbacks));
      }
      return bean;
    }

    private ListedTools listed(String name, Supplier<ToolCallback[]> live) {
      return activity.getIfAvailable() instanceof RecordingActivity recording
          ? new ListedTools(
              name, live, this::scope, recording.listings(), recording.failures()::add)
          : new ListedTools(name, live, this::scope, ofScopes, ofScopesFailed::add);
    }

    private @Nullable AgentScope scope() {
      ScopeSource source = scopes.getIfAvailable();
      return source == null ? null : source.scope();
    }
  }

  /** The tools of clients that block. */
  static final class SyncTools extends SyncMcpToolCallbackProvider {

    private final SyncMcpToolCallbackProvider provider;
    private final ListedTools tools;

    @SuppressWarnings("deprecation") // a builder cannot build a subclass
    SyncTools(SyncMcpToolCallbackProvider provider, ListedTools tools) {
      super(List.of());
      this.provider = provider;
      this.tools = tools;
    }

    @Override
    public ToolCallback[] getToolCallbacks() {
      return tools.get();
    }

    @Override
    public void invalidateCache() {
      provider.invalidateCache();
    }

    @Override
    public void onApplicationEvent(McpToolsChangedEvent event) {
      provider.onApplicationEvent(event);
    }
  }

  /** The tools of clients that do not block. */
  static final class AsyncTools extends AsyncMcpToolCallbackProvider {

    private final AsyncMcpToolCallbackProvider provider;
    private final ListedTools tools;

    @SuppressWarnings("deprecation") // a builder cannot build a subclass
    AsyncTools(AsyncMcpToolCallbackProvider provider, ListedTools tools) {
      super(List.of());
      this.provider = provider;
      this.tools = tools;
    }

    @Override
    public ToolCallback[] getToolCallbacks() {
      return tools.get();
    }

    @Override
    public void invalidateCache() {
      provider.invalidateCache();
    }

    @Override
    public void onApplicationEvent(McpToolsChangedEvent event) {
      provider.onApplicationEvent(event);
    }
  }
}
