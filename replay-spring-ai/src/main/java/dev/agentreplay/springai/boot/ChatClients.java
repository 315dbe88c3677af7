package dev.agentreplay.springai.boot;

import dev.agentreplay.springai.SessionAdvisor;
import dev.agentreplay.springai.SpringAiCalls;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.DefaultChatClient.DefaultChatClientRequestSpec;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.util.ReflectionUtils;

/**
 * Adds the advisor to chat clients and their builders. A client that was not built by the builder
 * of the auto-configuration may have a model and has a manager of tools that are not wrapped beans;
 * both are wrapped in their place. Uses private fields, because Spring AI has no accessors for
 * them. Spring AI 1.1 has no such manager.
 */
final class ChatClients {

  private static final Log LOG = LogFactory.getLog(ChatClients.class);

  private final Supplier<SpringAiCalls> calls;

  ChatClients(Supplier<SpringAiCalls> calls) {
    this.calls = calls;
  }

  /** Adds the advisor to a builder, unless it has it. */
  void instrument(ChatClient.Builder builder) {
    if (read(builder, "defaultRequest") instanceof DefaultChatClientRequestSpec request) {
      instrument(request);
    } else {
      LOG.warn("the calls of a ChatClient built by " + builder.getClass().getName()
          + " are sessions only if it has the advisor of SpringAiCalls");
    }
  }

  /** Adds the advisor to a client, unless it has it. */
  void instrument(ChatClient client) {
    if (read(client, "defaultChatClientRequest") instanceof DefaultChatClientRequestSpec request) {
      instrument(request);
    } else {
      LOG.debug("not instrumented: " + client.getClass().getName());
    }
  }

  /** Whether a client has the advisor, or is of a class that cannot have it. */
  static boolean isInstrumented(ChatClient client) {
    return !(read(client, "defaultChatClientRequest")
            instanceof DefaultChatClientRequestSpec request)
        || request.getAdvisors().stream().anyMatch(SessionAdvisor.class::isInstance);
  }

  private void instrument(DefaultChatClientRequestSpec request) {
    if (request.getAdvisors().stream().noneMatch(SessionAdvisor.class::isInstance)) {
      request.advisors(calls.get().advisor());
    }
    Field model = field(request, "chatModel");
    if (model == null) {
      LOG.warn("the model of a ChatClient is recorded and replayed only if it is a bean: "
          + request.getClass().getName() + " has no field chatModel");
    } else if (ReflectionUtils.getField(model, request) instanceof ChatModel unwrapped
        && !ReplayedBeans.isReplayed(unwrapped)) {
      ReflectionUtils.setField(model, request, calls.get().wrap(unwrapped));
    }
    Object builder = read(request, "toolCallingAdvisorBuilder");
    if (builder != null
        && read(builder, "toolCallingManager") instanceof ToolCallingManager manager
        && !ReplayedBeans.isReplayed(manager)) {
      Method setter = ReflectionUtils.findMethod(
          builder.getClass(), "toolCallingManager", ToolCallingManager.class);
      if (setter != null) {
        ReflectionUtils.invokeMethod(setter, builder, calls.get().wrap(manager));
      }
    }
  }

  private static @Nullable Object read(Object owner, String name) {
    Field field = field(owner, name);
    return field == null ? null : ReflectionUtils.getField(field, owner);
  }

  private static @Nullable Field field(Object owner, String name) {
    Field field = ReflectionUtils.findField(owner.getClass(), name);
    if (field != null) {
      ReflectionUtils.makeAccessible(field);
    }
    return field;
  }
}
