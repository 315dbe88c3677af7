package dev.agentreplay.springai;

import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LenientJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.prompt.Prompt;

/**
 * The start of an invocation.
 *
 * @param prompt the prompt as the caller states it
 * @param context the context of the advisors
 * @param client the name of the chat client; blank if it has none
 */
record InvocationStart(Prompt prompt, Map<String, ?> context, String client) {

  /** The id that the caller gave the session; null if it gave none. */
  @Nullable
  String sessionId() {
    Object id = context.get(SessionAdvisor.SESSION_ID);
    return id == null || id.toString().isBlank() ? null : EventTexts.wellFormed(id.toString());
  }

  /** Creates the event of the start of a session with an id. */
  SessionStart event(String id) {
    EventTexts text = new EventTexts();
    String task = texts(MessageType.USER, true);
    String instructions = texts(MessageType.SYSTEM, false);
    RunningCall running = RunningCall.innermost();
    String parent = running != null && running.place() instanceof GuardedSession session
        ? session.invocation()
        : null;
    return SessionStart.of(id)
        .withTags(Stream.of(
                tag(Labels.SERVICE_TAG, client.isBlank() ? null : client),
                tag("memory:", context.get(ChatMemory.CONVERSATION_ID)),
                tag("parent_invocation:", parent),
                tag("parent_call:", running == null || parent == null ? null : running.id()))
            .flatMap(Optional::stream)
            .toArray(String[]::new))
        .withTask(new Task(
            task.isEmpty() ? null : text.at("/task", task),
            null,
            instructions.isEmpty() ? null : text.at("/instructions", instructions)))
        .withMeta(text.meta().withSessionId(id));
  }

  /** The texts of the messages of a type, or of the last one only. */
  private String texts(MessageType type, boolean isLastOnly) {
    List<String> texts = prompt.getInstructions().stream()
        .filter(message -> message.getMessageType() == type)
        .map(Message::getText)
        .map(text -> text == null ? "" : text)
        .toList();
    return isLastOnly && !texts.isEmpty()
        ? texts.get(texts.size() - 1)
        : texts.stream().collect(Collectors.joining("\n"));
  }

  private static Optional<String> tag(String prefix, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    JsonValue json = LenientJson.of(value, "").value(); // a conversation id may be of any class
    return Optional.of(prefix + (json instanceof JsonString string ? string.value() : json));
  }
}
