package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The message that opens a session.
 *
 * @param threadId the id of the thread that all messages belong to, not empty
 * @param question the research question of the session
 * @param excerpt the passage of the corpus that the session starts from
 * @param theme the theme, such as {@code cell-fate}
 * @param domain the field of research, such as {@code biology}
 * @param operatorSelection the operators to use
 * @param body the text of the message, in Markdown
 * @param extra members without a component
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

  /** Creates a kickoff with only a thread id. */
  public static Kickoff of(String threadId) {
    return new Kickoff(threadId, null, null, null, null, null, null, JsonObject.EMPTY);
  }

  /** Returns a copy with the given question. */
  public Kickoff withQuestion(@Nullable String newQuestion) {
    return new Kickoff(
        threadId, newQuestion, excerpt, theme, domain, operatorSelection, body, extra);
  }

  /** Returns a copy with the given excerpt. */
  public Kickoff withExcerpt(@Nullable String newExcerpt) {
    return new Kickoff(
        threadId, question, newExcerpt, theme, domain, operatorSelection, body, extra);
  }

  /** Returns a copy with the given theme. */
  public Kickoff withTheme(@Nullable String newTheme) {
    return new Kickoff(
        threadId, question, excerpt, newTheme, domain, operatorSelection, body, extra);
  }

  /** Returns a copy with the given domain. */
  public Kickoff withDomain(@Nullable String newDomain) {
    return new Kickoff(
        threadId, question, excerpt, theme, newDomain, operatorSelection, body, extra);
  }

  /** Returns a copy with the given selection of operators. */
  public Kickoff withOperatorSelection(@Nullable OperatorSelection newSelection) {
    return new Kickoff(threadId, question, excerpt, theme, domain, newSelection, body, extra);
  }

  /** Returns a copy with the given text. */
  public Kickoff withBody(@Nullable String newBody) {
    return new Kickoff(
        threadId, question, excerpt, theme, domain, operatorSelection, newBody, extra);
  }

  /**
   * The operators (methods of reasoning, such as {@code level_split}) that a session should use.
   *
   * @param primary the operators to use first
   * @param secondary the operators to use in addition
   * @param forbidden the operators to avoid
   * @param extra members without a component
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

    /** Creates a selection of primary operators only. */
    public static OperatorSelection of(String... primary) {
      return new OperatorSelection(List.of(primary), null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with the given secondary operators. */
    public OperatorSelection withSecondary(@Nullable List<String> newSecondary) {
      return new OperatorSelection(primary, newSecondary, forbidden, extra);
    }

    /** Returns a copy with the given forbidden operators. */
    public OperatorSelection withForbidden(@Nullable List<String> newForbidden) {
      return new OperatorSelection(primary, secondary, newForbidden, extra);
    }
  }
}
