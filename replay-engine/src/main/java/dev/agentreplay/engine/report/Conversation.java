package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A conversation of several agents for {@link HtmlViewer}: rounds of messages, each of which may be
 * next to the message of a second conversation that it is compared with. Immutable and safe for use
 * by several threads.
 *
 * <pre>{@code
 * Conversation conversation = Conversation.titled("Session S1")
 *     .headline(Conversation.Tone.GOOD, "Complete", "All texts match their hashes.")
 *     .fact("agents", "2")
 *     .round(new Conversation.Round(0, "Round 0", facts, rows))
 *     .build();
 * }</pre>
 *
 * <p>All texts may be untrusted. The page shows them as text, with invisible characters made
 * visible.
 */
public final class Conversation {

  private final String title;
  private final Headline headline;
  private final List<Fact> figures;
  private final List<Fact> facts;
  private final List<String> notices;
  private final @Nullable Sides sides;
  private final List<Round> rounds;

  private Conversation(Builder builder) {
    this.title = builder.title;
    this.headline = builder.headline;
    this.figures = List.copyOf(builder.figures);
    this.facts = List.copyOf(builder.facts);
    this.notices = List.copyOf(builder.notices);
    this.sides = builder.sides;
    this.rounds = List.copyOf(builder.rounds);
  }

  /** Creates a builder of a conversation with the given title. */
  public static Builder titled(String title) {
    return new Builder(Objects.requireNonNull(title, "title"));
  }

  /** The title of the page. */
  public String title() {
    return title;
  }

  /** The verdict on the conversation, or its state. */
  public Headline headline() {
    return headline;
  }

  /** The most important numbers, which are shown next to the headline. */
  public List<Fact> figures() {
    return figures;
  }

  /** The facts about the conversation as a whole. */
  public List<Fact> facts() {
    return facts;
  }

  /** Notices that a reader needs to judge the conversation, such as different inputs. */
  public List<String> notices() {
    return notices;
  }

  /** The names of both sides; null if the conversation is not compared. */
  public @Nullable Sides sides() {
    return sides;
  }

  /** The rounds, in order. */
  public List<Round> rounds() {
    return rounds;
  }

  /** The tone of a headline or a mark, which determines its color and sign. */
  public enum Tone {
    /** The expected state. */
    GOOD,
    /** A difference was found. */
    DIVERGED,
    /** An error, or something that could not be decided. */
    BAD,
    /** None of the above. */
    NEUTRAL
  }

  /**
   * The verdict on a conversation, or its state.
   *
   * @param tone the tone
   * @param verdict the verdict in a word or two
   * @param conclusion the conclusion in a sentence; may be empty
   */
  public record Headline(Tone tone, String verdict, String conclusion) {

    /** Checks for null. */
    public Headline {
      Objects.requireNonNull(tone, "tone");
      Objects.requireNonNull(verdict, "verdict");
      Objects.requireNonNull(conclusion, "conclusion");
    }
  }

  /**
   * A fact.
   *
   * @param name the name of the fact
   * @param value its value
   */
  public record Fact(String name, String value) {

    /** Checks for null. */
    public Fact {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
    }
  }

  /**
   * The names of the two sides of a comparison.
   *
   * @param left the name of the conversation that is compared
   * @param right the name of the conversation that it is compared with
   */
  public record Sides(String left, String right) {

    /** Checks for null. */
    public Sides {
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }
  }

  /**
   * A round.
   *
   * @param number the number of the round, by which the address of the page refers to it
   * @param heading the heading
   * @param facts the facts about the round
   * @param rows the messages, in order
   */
  public record Round(long number, String heading, List<Fact> facts, List<Row> rows) {

    /** Checks for null and copies. */
    public Round {
      Objects.requireNonNull(heading, "heading");
      facts = List.copyOf(facts);
      rows = List.copyOf(rows);
    }
  }

  /**
   * A message, and the message that it is compared with.
   *
   * @param left the message; null if only the other side has it
   * @param right the message that it is compared with; null if there is none
   * @param isInput whether it is an input, which is shown and not compared
   * @param severity the severity of the divergence; null for none. A row with a severity above
   *     {@link DivergenceSeverity#NONE} is a divergence, to which a reader can jump
   * @param state the state in a word or two, such as {@code missing}; may be empty
   * @param notes the explanation, in sentences
   */
  public record Row(
      @Nullable Message left,
      @Nullable Message right,
      boolean isInput,
      @Nullable DivergenceSeverity severity,
      String state,
      List<String> notes) {

    /**
     * Checks for null and copies.
     *
     * @throws IllegalArgumentException if there is no message
     */
    public Row {
      if (left == null && right == null) {
        throw new IllegalArgumentException("a row must have a message");
      }
      Objects.requireNonNull(state, "state");
      notes = List.copyOf(notes);
    }

    /** Creates a row of a message that is not compared. */
    public static Row of(Message message) {
      return new Row(message, null, false, null, "", List.of());
    }
  }

  /**
   * A message.
   *
   * @param number the number of the message in its round, by which the address of the page refers
   *     to it
   * @param sender the name of the sender
   * @param role the role of the sender; may be empty
   * @param kind the kind of the message
   * @param time the time at which it was sent; may be empty
   * @param subject the subject; may be empty
   * @param body the text, or the reason why there is none
   */
  public record Message(
      long number,
      String sender,
      String role,
      String kind,
      String time,
      String subject,
      Body body) {

    /** Checks for null. */
    public Message {
      Objects.requireNonNull(sender, "sender");
      Objects.requireNonNull(role, "role");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(time, "time");
      Objects.requireNonNull(subject, "subject");
      Objects.requireNonNull(body, "body");
    }
  }

  /** The text of a message, or the reason why there is none. */
  public sealed interface Body permits Text, Absent {}

  /**
   * The text of a message.
   *
   * @param text the text
   * @param mark a remark on the text, such as {@code text matches its hash}; may be empty
   */
  public record Text(String text, String mark) implements Body {

    /** Checks for null. */
    public Text {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(mark, "mark");
    }
  }

  /**
   * The reason why a message is shown without its text.
   *
   * @param reason the reason, in a sentence
   */
  public record Absent(String reason) implements Body {

    /** Checks for null. */
    public Absent {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** A builder of conversations. Not safe for use by several threads. */
  public static final class Builder {

    private final String title;
    private Headline headline = new Headline(Tone.NEUTRAL, "", "");
    private final List<Fact> figures = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private @Nullable Sides sides;
    private final List<Round> rounds = new ArrayList<>();

    private Builder(String title) {
      this.title = title;
    }

    /** Sets the headline; see {@link Headline}. */
    public Builder headline(Tone tone, String verdict, String conclusion) {
      headline = new Headline(tone, verdict, conclusion);
      return this;
    }

    /** Adds one of the most important numbers. */
    public Builder figure(String name, String value) {
      figures.add(new Fact(name, value));
      return this;
    }

    /** Adds a fact. */
    public Builder fact(String name, String value) {
      facts.add(new Fact(name, value));
      return this;
    }

    /** Adds a notice. */
    public Builder notice(String notice) {
      notices.add(Objects.requireNonNull(notice, "notice"));
      return this;
    }

    /** Sets the names of the two sides, which makes this a comparison. */
    public Builder sides(String left, String right) {
      sides = new Sides(left, right);
      return this;
    }

    /** Adds a round. */
    public Builder round(Round round) {
      rounds.add(Objects.requireNonNull(round, "round"));
      return this;
    }

    /** Returns the conversation. */
    public Conversation build() {
      return new Conversation(this);
    }
  }
}
