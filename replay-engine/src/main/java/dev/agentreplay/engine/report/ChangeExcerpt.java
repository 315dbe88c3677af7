package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people see of a place that differs: lines that were removed and added, with what is equal
 * around them. Never more than its limits; what is left out is said with its size.
 *
 * <p>The text of its lines is as it was recorded: whoever renders it has to escape it.
 *
 * @param lines the lines, one below the other
 */
record ChangeExcerpt(List<Line> lines) {

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

  ChangeExcerpt {
    lines = List.copyOf(lines);
  }

  /** What differs at a place. */
  static ChangeExcerpt of(ValueChange change, Limits limits) {
    if (!(change.sides() instanceof Sides.Both<JsonValue> both)) {
      return ofWhole(change.sides(), limits);
    }
    JsonValue before = both.left();
    JsonValue after = both.right();
    ExcerptLines out = new ExcerptLines(limits);
    if (change.detail() instanceof Places places) {
      places(places, limits, out);
    } else {
      Rewritten rewritten = change.detail() instanceof Rewritten found ? found : null;
      pair(before, after, rewritten, out);
    }
    return out.toExcerpt(
        () -> "the values have %s and %s characters".formatted(length(before), length(after)));
  }

  private static void pair(
      JsonValue before, JsonValue after, @Nullable Rewritten rewritten, ExcerptLines out) {
    boolean sameForm = before instanceof JsonString == after instanceof JsonString;
    ComparedText left =
        ComparedText.of(text(before, sameForm), rewritten == null ? List.of() : rewritten.before());
    ComparedText right =
        ComparedText.of(text(after, sameForm), rewritten == null ? List.of() : rewritten.after());
    Marks marks = rewritten == null ? null : Marks.notIn(left, right);
    ComparedJson leftJson = sameForm ? structure(before, left, marks) : null;
    ComparedJson rightJson = leftJson == null ? null : structure(after, right, marks);
    if (leftJson != null
        && rightJson != null
        && !leftJson.compared().equals(rightJson.compared())) {
      new JsonExcerpt(out).pair(leftJson, rightJson);
    } else {
      TextExcerpt.pair(left, right, "", out);
    }
  }

  /** The first places that differ in two values that are told as a whole. */
  private static void places(Places places, Limits limits, ExcerptLines out) {
    for (ValueChange place : places.first()) {
      if (!out.isCut()) {
        out.addBeginning(Sign.NOTE, "at " + place.pointer());
        of(place, limits).lines().forEach(line -> out.add(line.sign(), line.segments()));
      }
    }
    Integer count = places.count();
    if (count == null) {
      out.note(
          places.first().isEmpty() ? "compared as a whole" : "the rest is compared as a whole");
    } else if (count > places.first().size()) {
      out.note("and at " + PlainText.count(count - places.first().size(), "more place"));
    }
  }

  /** All of a value that only one session has. */
  static ChangeExcerpt ofWhole(Sides<? extends JsonValue> single, Limits limits) {
    Sign sign = single.left() == null ? Sign.ADDED : Sign.REMOVED;
    JsonValue value = single.any();
    ExcerptLines out = new ExcerptLines(limits);
    String text = text(value, true);
    ComparedJson json = structure(value, ComparedText.of(text), null);
    if (json != null) {
      new JsonExcerpt(out).whole(sign, json.recorded());
    } else {
      TextExcerpt.whole(sign, text, out);
    }
    return out.toExcerpt(() -> "the value has %s characters".formatted(length(value)));
  }

  /** The steps of a divergence that is about whole steps, not about places in them. */
  static ChangeExcerpt ofSteps(Divergence divergence, Limits limits) {
    ExcerptLines out = new ExcerptLines(limits);
    if (divergence.left() != null) {
      out.addBeginning(Sign.REMOVED, Wording.line(divergence.left()));
    }
    if (divergence.right() != null) {
      out.addBeginning(Sign.ADDED, Wording.line(divergence.right()));
    }
    if (divergence.size() > 1) {
      out.note("and " + PlainText.count(divergence.size() - 1L, "step") + " after it");
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
  private static @Nullable ComparedJson structure(
      JsonValue value, ComparedText text, @Nullable Marks marks) {
    if (value instanceof JsonObject || value instanceof JsonArray) {
      return JsonExcerpt.isLonger(value, MAX_JSON_LENGTH) ? null : ComparedJson.of(value);
    }
    if (!(value instanceof JsonString string) || string.value().length() > MAX_JSON_LENGTH) {
      return null;
    }
    String begin = string.value().stripLeading();
    return begin.startsWith("{") || begin.startsWith("[") ? ComparedJson.parse(text, marks) : null;
  }
}
