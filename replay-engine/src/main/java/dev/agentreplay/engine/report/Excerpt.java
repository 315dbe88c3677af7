package dev.agentreplay.engine.report;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What people see of a place that differs: lines that were removed and added, with what is equal
 * around them. Never more than its limits; what is left out is said with its size.
 *
 * <p>The text of its lines is as it was recorded: whoever renders it has to escape it.
 *
 * @param lines the lines, one below the other
 */
record Excerpt(List<Line> lines) {

  /** Longer values are not compared as JSON, but as texts. */
  private static final int MAX_JSON_LENGTH = 500_000;

  /**
   * How much is shown.
   *
   * @param lines how many lines
   * @param columns how many characters of a line, its sign not counted; at least 20
   */
  record Limits(int lines, int columns) {}

  /** What a line is. */
  enum Sign {
    /** Equal in both sessions. */
    SAME(' '),
    /** Of the left session. */
    REMOVED('-'),
    /** Of the right session. */
    ADDED('+'),
    /** Not of a session: says what is not shown. */
    NOTE('…');

    private final char symbol;

    Sign(char symbol) {
      this.symbol = symbol;
    }

    /** As it is written before a line. */
    char symbol() {
      return symbol;
    }
  }

  /**
   * A line.
   *
   * @param segments its text, in parts that are changed and parts that are not
   */
  record Line(Sign sign, List<Segment> segments) {

    Line {
      segments = List.copyOf(segments);
    }
  }

  /**
   * A part of a line.
   *
   * @param changed whether the other session has something else there; never of a line that has no
   *     partner, or has little in common with it
   */
  record Segment(String text, boolean changed) {}

  Excerpt {
    lines = List.copyOf(lines);
  }

  /** What differs at a place. */
  static Excerpt of(ValueChange change, Limits limits) {
    JsonValue before = change.before();
    JsonValue after = change.after();
    if (before == null) {
      return ofWhole(Sign.ADDED, Objects.requireNonNull(after), limits);
    } else if (after == null) {
      return ofWhole(Sign.REMOVED, before, limits);
    }
    ExcerptLines out = new ExcerptLines(limits);
    JsonValue left = structure(before);
    JsonValue right = structure(after);
    boolean sameForm = before instanceof JsonString == after instanceof JsonString;
    if (sameForm && left != null && right != null && !left.equals(right)) {
      new JsonExcerpt(out).pair(left, right);
    } else {
      TextExcerpt.pair(text(before, sameForm), text(after, sameForm), "", out);
    }
    return out.toExcerpt(
        () -> "the values have %s and %s characters".formatted(length(before), length(after)));
  }

  /** All of a value that only one session has. */
  static Excerpt ofWhole(Sign sign, JsonValue value, Limits limits) {
    ExcerptLines out = new ExcerptLines(limits);
    JsonValue json = structure(value);
    if (json != null) {
      new JsonExcerpt(out).whole(sign, json);
    } else {
      TextExcerpt.whole(sign, text(value, true), out);
    }
    return out.toExcerpt(() -> "the value has %s characters".formatted(length(value)));
  }

  /** The steps of a divergence that is about whole steps, not about places in them. */
  static Excerpt ofSteps(Divergence divergence, Limits limits) {
    ExcerptLines out = new ExcerptLines(limits);
    if (divergence.left() != null) {
      out.addBeginning(Sign.REMOVED, Wording.line(divergence.left()));
    }
    if (divergence.right() != null) {
      out.addBeginning(Sign.ADDED, Wording.line(divergence.right()));
    }
    if (divergence.size() > 1) {
      out.note("and " + Wording.count(divergence.size() - 1L, "step") + " after it");
    }
    return out.toExcerpt(() -> "not all is shown");
  }

  /** A text without quotes, unless it has to be told from what is none. */
  private static String text(JsonValue value, boolean plain) {
    return plain && value instanceof JsonString string ? string.value() : value.toString();
  }

  private static String length(JsonValue value) {
    String text = text(value, true);
    return Wording.count(text.codePointCount(0, text.length()));
  }

  /** An object or an array that is not too large, or that a text is the JSON of; else null. */
  private static @Nullable JsonValue structure(JsonValue value) {
    if (value instanceof JsonObject || value instanceof JsonArray) {
      return JsonExcerpt.isLonger(value, MAX_JSON_LENGTH) ? null : value;
    }
    if (!(value instanceof JsonString string) || string.value().length() > MAX_JSON_LENGTH) {
      return null;
    }
    String text = string.value().strip();
    if (!text.startsWith("{") && !text.startsWith("[")) {
      return null;
    }
    try {
      return JsonText.parse(text);
    } catch (JsonSyntaxException e) {
      return null; // it only begins like JSON
    }
  }
}
