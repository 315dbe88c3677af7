package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
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

  /**
   * The operators (methods of thought, such as {@code level_split}) that a session is to use.
   *
   * @param primary those to use first
   * @param secondary those to use as well
   * @param forbidden those to avoid
   * @param extra members that no component holds
   */
  public record OperatorSelection(
      List<String> primary,
      @Nullable List<String> secondary,
      @Nullable List<String> forbidden,
      JsonObject extra)
      implements RecordObject {

    /** Checks for null and copies. */
    public OperatorSelection {
      primary = List.copyOf(primary);
      secondary = secondary == null ? null : List.copyOf(secondary);
      forbidden = forbidden == null ? null : List.copyOf(forbidden);
      Objects.requireNonNull(extra, "extra");
    }

    /** These operators first, nothing said of others. */
    public static OperatorSelection of(String... primary) {
      return new OperatorSelection(List.of(primary), null, null, JsonObject.EMPTY);
    }

    /** With other secondary operators. */
    public OperatorSelection withSecondary(@Nullable List<String> newSecondary) {
      return new OperatorSelection(primary, newSecondary, forbidden, extra);
    }

    /** With other forbidden operators. */
    public OperatorSelection withForbidden(@Nullable List<String> newForbidden) {
      return new OperatorSelection(primary, secondary, newForbidden, extra);
    }
  }
}
