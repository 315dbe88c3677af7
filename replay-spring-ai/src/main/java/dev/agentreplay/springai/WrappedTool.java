package dev.agentreplay.springai;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

/** A tool that calls a different one. */
abstract class WrappedTool implements ToolCallback {

  private final ToolCallback tool;

  WrappedTool(ToolCallback tool) {
    this.tool = tool;
  }

  /** Returns a prompt with wrapped tools; the prompt itself if it has none. */
  static Prompt wrap(Prompt prompt, UnaryOperator<ToolCallback> wrapper) {
    if (!(prompt.getOptions() instanceof ToolCallingChatOptions options)) {
      return prompt;
    }
    List<ToolCallback> tools = options.getToolCallbacks();
    if (tools == null || tools.isEmpty()) {
      return prompt;
    }
    List<ToolCallback> wrapped = tools.stream().map(wrapper).toList();
    return new Prompt(prompt.getInstructions(), with(options, wrapped));
  }

  private static ChatOptions with(ToolCallingChatOptions options, List<ToolCallback> tools) {
    try {
      return options.mutate().toolCallbacks(tools).build();
    } catch (NoSuchMethodError e) { // Spring AI 1.1 has options that can be changed
      try {
        ChatOptions copy = (ChatOptions) ChatOptions.class.getMethod("copy").invoke(options);
        ToolCallingChatOptions.class.getMethod("setToolCallbacks", List.class).invoke(copy, tools);
        return copy;
      } catch (ReflectiveOperationException unknown) {
        e.addSuppressed(unknown);
        throw e;
      }
    }
  }

  /** Calls the tool; the supplier returns its text or throws its exception. */
  abstract String call(String arguments, Supplier<String> called);

  @Override
  public final ToolDefinition getToolDefinition() {
    return tool.getToolDefinition();
  }

  @Override
  public final ToolMetadata getToolMetadata() {
    return tool.getToolMetadata();
  }

  @Override
  public final String call(String arguments) {
    return call(arguments, () -> tool.call(arguments));
  }

  @Override
  public final String call(String arguments, @Nullable ToolContext context) {
    return call(arguments, () -> tool.call(arguments, context));
  }
}
