package dev.agentreplay.springai.boot;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * The tools of a provider that asks servers for them. In a replay, those that are recorded: the
 * servers are asked when a tool is executed. A list that cannot be recorded is a failure of
 * recording, not one of the agent.
 */
final class ListedTools {

  private final String provider;
  private final Supplier<ToolCallback[]> live;
  private final Supplier<@Nullable AgentScope> scopes;
  private final ToolListings listings;
  private final Consumer<RecordingFailure> failures;

  ListedTools(
      String provider,
      Supplier<ToolCallback[]> live,
      Supplier<@Nullable AgentScope> scopes,
      ToolListings listings,
      Consumer<RecordingFailure> failures) {
    this.provider = provider;
    this.live = live;
    this.scopes = scopes;
    this.listings = listings;
    this.failures = failures;
  }

  /** The tools for a call that begins now. */
  ToolCallback[] get() {
    AgentScope scope = scopes.get();
    Session recording = scope == null ? null : scope.recorded();
    List<ToolDescription> recorded = recording == null ? null : listings.of(recording, provider);
    if (scope != null && recorded != null) {
      listings.state(scope, provider, recorded);
      return recorded.stream().map(this::callback).toArray(ToolCallback[]::new);
    }
    ToolCallback[] tools = live.get();
    try {
      List<ToolDescription> listed = Arrays.stream(tools)
          .map(tool -> description(tool.getToolDefinition()))
          .toList();
      if (scope == null) {
        listings.keep(provider, listed);
      } else {
        listings.state(scope, provider, listed);
      }
    } catch (RuntimeException e) {
      failures.accept(new RecordingFailure("", "Settings", e));
    }
    return tools;
  }

  private static ToolDescription description(ToolDefinition tool) {
    return ToolDescription.of(tool.name())
        .withDescription(tool.description())
        .withSchema(JsonText.parseOrString(tool.inputSchema()));
  }

  private ToolCallback callback(ToolDescription tool) {
    JsonValue schema = tool.json().get("schema");
    ToolDefinition definition = ToolDefinition.builder()
        .name(Objects.requireNonNull(tool.name()))
        .description(Objects.requireNonNullElse(tool.description(), ""))
        .inputSchema(schema == null ? "{}" : schema.toString())
        .build();
    return new ListedTool(definition);
  }

  /** A tool as it was recorded. */
  private final class ListedTool implements ToolCallback {

    private final ToolDefinition definition;

    private ListedTool(ToolDefinition definition) {
      this.definition = definition;
    }

    @Override
    public ToolDefinition getToolDefinition() {
      return definition;
    }

    @Override
    public String call(String input) {
      return executed().call(input);
    }

    @Override
    public String call(String input, @Nullable ToolContext context) {
      return executed().call(input, context);
    }

    private ToolCallback executed() {
      return Arrays.stream(live.get())
          .filter(tool -> tool.getToolDefinition().name().equals(definition.name()))
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("the servers of %s no longer have the tool %s"
                  .formatted(provider, definition.name())));
    }
  }
}
