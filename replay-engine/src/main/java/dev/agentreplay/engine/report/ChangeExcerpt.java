package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.engine.report.compared.ComparedJson;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.Marks;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An excerpt of a place that differs: removed and added lines with equal ones as context. It never
 * exceeds its limits; a note states the size of what was omitted.
 *
 * <p>The text of the lines is unescaped recorded text: the caller must escape it.
 *
 * @param lines the lines in order
 */
record ChangeExcerpt(List<Line> lines) {

  /** The maximum length of values compared as JSON; longer ones are compared as text. */
  private static final int MAX_JSON_LENGTH = 500_000;

  /**
   * The limits of an excerpt.
   *
   * @param lines the maximum number of lines
   * @param columns the maximum length of a line without its sign, in characters; at least 20
   */
  record Limits(int lines, int columns) {}

  /** The kind of a line. */
  enum Sign {
    /** Equal in both sessions. */
    SAME(' '),
    /** Only in the left session. */
    REMOVED('-'),
    /** Only in the right session. */
    ADDED('+'),
    /** A note about omitted content, in neither session. */
    NOTE('…');

    private final char symbol;

    Sign(char symbol) {
      this.symbol = symbol;
    }

    /** The symbol written before a line. */
    char symbol() {
      return symbol;
    }
  }

  /**
   * A line.
   *
   * @param segments the text of the line, divided into changed and unchanged parts
   */
  record Line(Sign sign, List<Segment> segments) {

    Line {
      segments = List.copyOf(segments);
    }
  }

  /**
   * A part of a line.
   *
   * @param changed whether the other session differs here; always false in a line that has no
   *     counterpart or little in common with it
   */
  record Segment(String text, boolean changed) {}

  ChangeExcerpt {
    lines = List.copyOf(lines);
  }

  /** Returns the excerpt of a change at one place. */
  static ChangeExcerpt of(ValueChange change, Limits limits) {
    if (change.detail() instanceof FileContents contents && contents.areTexts()) {
      return ofTexts(contents.sides().map(side -> Objects.requireNonNull(side.text())), limits);
    }
    ChangeExcerpt values = ofValues(change, limits);
    return change.detail() instanceof FileContents contents
        ? values.with(FileWording.contents(contents))
        : values;
  }

  /** The texts of a file; the caller has reported their hashes and lengths. */
  private static ChangeExcerpt ofTexts(Sides<String> texts, Limits limits) {
    ExcerptLines out = new ExcerptLines(limits);
    if (texts instanceof Sides.Both<String> both) {
      TextExcerpt.pair(ComparedText.of(both.left()), ComparedText.of(both.right()), "", out);
      return out.toExcerpt(() -> "the texts have %s and %s"
          .formatted(FileWording.lines(both.left()), FileWording.lines(both.right())));
    }
    TextExcerpt.whole(texts.left() == null ? Sign.ADDED : Sign.REMOVED, texts.any(), out);
    return out.toExcerpt(() -> "the text has " + FileWording.lines(texts.any()));
  }

  /** This excerpt with a note after its lines. */
  private ChangeExcerpt with(String note) {
    List<Line> more = new ArrayList<>(lines);
    more.add(new Line(Sign.NOTE, List.of(new Segment(note, false))));
    return new ChangeExcerpt(more);
  }

  private static ChangeExcerpt ofValues(ValueChange change, Limits limits) {
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

  /** Adds the first places that differ in two values that are reported as a whole. */
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

  /** Returns the excerpt of a value that only one session has. */
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

  /** Returns the steps of a divergence that concerns whole steps, not places in them. */
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
    return out.toExcerpt(() -> "not everything is shown");
  }

  /** The text of a value; strings without quotes if {@code plain}. */
  private static String text(JsonValue value, boolean plain) {
    return plain && value instanceof JsonString string ? string.value() : value.toString();
  }

  private static String length(JsonValue value) {
    String text = text(value, true);
    return Wording.count(text.codePointCount(0, text.length()));
  }

  /** The value as an object or array, or its text parsed as one; null if neither or too large. */
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
