package dev.agentreplay.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.events.Event;
import com.google.genai.types.Content;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates the events of the starts and ends of sessions. */
final class SessionForms {

  private SessionForms() {}

  /** Creates the event of an invocation that has started. */
  static SessionStart start(InvocationContext invocation) {
    EventTexts texts = new EventTexts();
    String id = invocation.invocationId();
    String task = invocation.userContent().map(SessionForms::text).orElse(null);
    String user = invocation.userId();
    return SessionStart.of(id)
        .withTags(
            tag(Labels.SERVICE_TAG, invocation.appName()),
            tag("agent:", invocation.agent().name()),
            tag("session:", invocation.session().id()))
        .withUser(user == null ? null : EventTexts.wellFormed(user))
        .withTask(
            new Task(task == null || task.isEmpty() ? null : texts.at("/task", task), null, null))
        .withMeta(texts.meta().withSessionId(id));
  }

  private static String tag(String prefix, @Nullable String value) {
    return prefix + EventTexts.wellFormed(String.valueOf(value));
  }

  /**
   * The text of an event that is a final answer; null if it is none, or that of an agent that runs
   * at the same time as others, whose order differs from run to run.
   */
  static @Nullable String finalText(Event event) {
    if (!event.finalResponse() || !event.branch().orElse("").isEmpty()) {
      return null;
    }
    String text = event.content().map(SessionForms::text).orElse("");
    return text.isEmpty() ? null : text;
  }

  /** The text of a content, other than thoughts; {@link Content#text} logs a warning of others. */
  static String text(Content content) {
    return content.parts().orElse(List.of()).stream()
        .filter(part -> !part.thought().orElse(false))
        .flatMap(part -> part.text().stream())
        .collect(Collectors.joining());
  }

  /** Creates the end of a run that completed; its summary is the final text, if there is one. */
  static SessionEnd completed(@Nullable String text) {
    SessionEnd end = SessionEnd.of(Status.SUCCESS);
    return text == null || text.isBlank() ? end : end.withSummary(EventTexts.wellFormed(text));
  }

  /** Creates the end of a run that failed. */
  static SessionEnd failed(Throwable error) {
    return SessionEnd.of(Status.FAILED).withErrorMessage(EventTexts.message(error));
  }
}
