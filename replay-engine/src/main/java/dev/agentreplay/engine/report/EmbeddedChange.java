package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.FileContent;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.engine.report.compared.Characters;
import dev.agentreplay.engine.report.compared.ComparedText;
import dev.agentreplay.engine.report.compared.Marks;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Embeds the values at a place in two events; of long texts only the part that differs. */
final class EmbeddedChange {

  /** The maximum length of texts embedded whole, and of the embedded part of longer ones. */
  private static final int WHOLE = 8_000;

  /** The length of the context before the first and after the last difference, in characters. */
  private static final int CONTEXT = 400;

  private final Embedding embedding;

  EmbeddedChange(Embedding embedding) {
    this.embedding = embedding;
  }

  /** Embeds a place that differs with its values, in the form that {@link ViewerData} documents. */
  JsonObject of(ValueChange value) {
    JsonObject.Builder out = DiffJson.value(value);
    if (value.detail() instanceof Places places) {
      out.put("places", places.first().stream().map(this::of).toList());
      out.put("count", places.count());
      return out.build();
    }
    if (value.detail() instanceof FileContents contents) {
      out.put("file", FileJson.forms(contents));
    }
    Marks marks = null;
    List<@Nullable JsonObject> sides;
    if (value.detail() instanceof Rewritten rewritten
        && value.before() instanceof JsonString before
        && value.after() instanceof JsonString after) {
      ComparedText left = ComparedText.of(before.value(), rewritten.before());
      ComparedText right = ComparedText.of(after.value(), rewritten.after());
      marks = Marks.notIn(left, right);
      sides = of(left, right, marks);
    } else if (value.detail() instanceof FileContents contents && contents.areTexts()) {
      sides = of(text(contents.sides().left()), text(contents.sides().right()));
    } else {
      sides = of(value.before(), value.after());
    }
    return out.put("before", sides.get(0))
        .put("after", sides.get(1))
        .put("marks", marks == null ? "" : marks.toString())
        .build();
  }

  private static @Nullable JsonValue text(@Nullable FileContent content) {
    return content == null ? null : JsonString.of(Objects.requireNonNull(content.text()));
  }

  /** Embeds both sides; a side without a value is null. */
  List<@Nullable JsonObject> of(@Nullable JsonValue before, @Nullable JsonValue after) {
    if (before instanceof JsonString left
        && after instanceof JsonString right
        && Math.max(left.value().length(), right.value().length()) > WHOLE) {
      return of(ComparedText.of(left.value()), ComparedText.of(right.value()), null);
    }
    return Arrays.asList(
        before == null ? null : embedding.embed(before),
        after == null ? null : embedding.embed(after));
  }

  /** Embeds two texts, with marks at their replaced parts. */
  List<@Nullable JsonObject> of(ComparedText before, ComparedText after, @Nullable Marks marks) {
    String left = before.compared();
    String right = after.compared();
    if (Math.max(before.recorded().length(), after.recorded().length()) <= WHOLE) {
      return List.of(embed(before, marks), embed(after, marks));
    }
    int prefix = Characters.commonPrefix(left, right);
    int suffix = Characters.commonSuffix(left, right, prefix);
    int from = Math.max(0, prefix - CONTEXT);
    int rest = Math.max(0, suffix - CONTEXT);
    return List.of(
        part(before, from, left.length() - rest, marks),
        part(after, from, right.length() - rest, marks));
  }

  private JsonObject part(ComparedText text, int begin, int end, @Nullable Marks marks) {
    int from = text.floor(begin);
    int to = Math.max(from, text.floor(Math.min(end, from + WHOLE)));
    return embed(text.slice(from, to), marks)
        .with("from", from == 0 ? 0 : text.recordedIndex(from))
        .with("length", text.recorded().length());
  }

  private JsonObject embed(ComparedText text, @Nullable Marks marks) {
    return marks == null
        ? embedding.embed(JsonString.of(text.recorded()))
        : embedding.embed(text, marks);
  }
}
