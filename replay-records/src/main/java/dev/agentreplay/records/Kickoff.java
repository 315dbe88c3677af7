package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The message that opens a session.
 *
 * @param threadId the thread that all messages belong to, not empty
 * @param question the question that the session is about
 * @param excerpt the passage of the corpus that it starts from
 * @param theme the theme, such as {@code cell-fate}
 * @param domain the field of research, such as {@code biology}
 * @param operatorSelection the operators to use
 * @param body the text of the message, in Markdown
 * @param extra members that no component holds
 */
public record Kickoff(
    String threadId,
    @Nullable String question,
    @Nullable String excerpt,
    @Nullable String theme,
    @Nullable String domain,
    @Nullable OperatorSelection operatorSelection,
    @Nullable String body,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public Kickoff {
    Objects.requireNonNull(threadId, "threadId");
    Objects.requireNonNull(extra, "extra");
  }

  /** A kickoff of which only the thread is known. */
  public static Kickoff of(String threadId) {
    return new Kickoff(threadId, null, null, null, null, null, null, JsonObject.EMPTY);
  }

  /** With another question. */
  public Kickoff withQuestion(@Nullable String newQuestion) {
    return new Kickoff(
        threadId, newQuestion, excerpt, theme, domain, operatorSelection, body, extra);
  }

  /** With another excerpt. */
  public Kickoff withExcerpt(@Nullable String newExcerpt) {
    return new Kickoff(
        threadId, question, newExcerpt, theme, domain, operatorSelection, body, extra);
  }

  /** With another theme. */
  public Kickoff withTheme(@Nullable String newTheme) {
    return new Kickoff(
        threadId, question, excerpt, newTheme, domain, operatorSelection, body, extra);
  }

  /** With another domain. */
  public Kickoff withDomain(@Nullable String newDomain) {
    return new Kickoff(
        threadId, question, excerpt, theme, newDomain, operatorSelection, body, extra);
  }

  /** With another selection of operators. */
  public Kickoff withOperatorSelection(@Nullable OperatorSelection newSelection) {
    return new Kickoff(threadId, question, excerpt, theme, domain, newSelection, body, extra);
  }

  /** With another text. */
  public Kickoff withBody(@Nullable String newBody) {
    return new Kickoff(
        threadId, question, excerpt, theme, domain, operatorSelection, newBody, extra);
  }
}
