package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the events of the starts of sessions. */
final class SessionEvents {

  private SessionEvents() {}

  /**
   * Creates the event of an invocation that has started.
   *
   * @param id the id of the session
   */
  static SessionStart start(UUID id, AiServiceStartedEvent event) {
    EventTexts text = new EventTexts();
    UserMessage message = event.userMessage();
    String task = message.contents().stream()
        .filter(TextContent.class::isInstance)
        .map(content -> ((TextContent) content).text())
        .collect(Collectors.joining("\n"));
    String instructions = event.systemMessage().map(SystemMessage::text).orElse(null);
    InvocationContext context = event.invocationContext();
    RunningCall running = RunningCall.innermost();
    String invocation = running != null && running.place() instanceof GuardedSession session
        ? session.invocation()
        : null;
    return SessionStart.of(id.toString())
        .withTags(Stream.of(
                tag(Labels.SERVICE_TAG, context.interfaceName()),
                tag(Labels.METHOD_TAG, context.methodName()),
                tag("memory:", context.chatMemoryId()),
                tag("parent_invocation:", invocation),
                tag("parent_call:", running == null || invocation == null ? null : running.id()))
            .flatMap(Optional::stream)
            .toArray(String[]::new))
        .withTask(new Task(
            task.isEmpty() ? null : text.at("/task", task),
            null,
            instructions == null ? null : text.at("/instructions", instructions)))
        .withMeta(text.meta().withSessionId(id.toString()));
  }

  private static Optional<String> tag(String prefix, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    JsonValue json = LenientJson.of(value, "").value(); // a memory id may be of any class
    return Optional.of(prefix + (json instanceof JsonString string ? string.value() : json));
  }
}
