package dev.agentreplay.engine.report.compared;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A recorded JSON value, and the value that was compared in its place after the rules were applied.
 * The two have the same structure; names and texts in them may differ. Immutable.
 */
public final class ComparedJson {

  private final String name;
  private final JsonValue recorded;
  private final JsonValue compared;

  /** The value with its replaced parts marked. */
  private final JsonValue marked;

  private final @Nullable Marks marks;

  private ComparedJson(
      String name,
      JsonValue recorded,
      JsonValue compared,
      JsonValue marked,
      @Nullable Marks marks) {
    this.name = name;
    this.recorded = recorded;
    this.compared = compared;
    this.marked = marked;
    this.marks = marks;
  }

  /** Returns a value that was compared as recorded. */
  public static ComparedJson of(JsonValue value) {
    return new ComparedJson("", value, value, value, null);
  }

  /** Parses a text as JSON, in both forms; returns null if it is not JSON. */
  public static @Nullable ComparedJson parse(ComparedText text, @Nullable Marks marks) {
    try {
      if (text.replacements().isEmpty()) {
        return of(JsonText.parse(text.recorded().strip()));
      }
      return marks == null ? null : of(JsonText.parse(marks.mark(text).strip()), marks);
    } catch (IllegalArgumentException e) {
      return null; // the text only begins like JSON, or a replacement is not within a string
    }
  }

  private static ComparedJson of(JsonValue marked, Marks marks) {
    return new ComparedJson(
        "",
        map(marked, part -> marks.text(part).recorded()),
        map(marked, part -> marks.text(part).compared()),
        marked,
        marks);
  }

  private static JsonValue map(JsonValue value, Function<String, String> part) {
    if (value instanceof JsonObject object) {
      JsonObject.Builder members = JsonObject.builder();
      object.forEach((name, member) -> members.add(part.apply(name), map(member, part)));
      return members.build();
    } else if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.values().stream().map(element -> map(element, part)).toList());
    }
    return value instanceof JsonString string ? JsonString.of(part.apply(string.value())) : value;
  }

  /** The recorded value. */
  public JsonValue recorded() {
    return recorded;
  }

  /** The value that was compared in its place. */
  public JsonValue compared() {
    return compared;
  }

  /** The recorded name of a member, in quotes and with a colon; empty for other values. */
  public String name() {
    return text(name).recorded();
  }

  /** The JSON text of the value, after its name. */
  public ComparedText text() {
    return text(name + marked);
  }

  /** The content of a string value. */
  public ComparedText string() {
    return text(marked.asString());
  }

  private ComparedText text(String part) {
    return marks == null ? ComparedText.of(part) : marks.text(part);
  }

  /** The members of an object or the elements of an array, in order. */
  public List<ComparedJson> children() {
    List<ComparedJson> children = new ArrayList<>();
    if (marked instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        children.add(new ComparedJson(
            JsonString.of(object.name(i)) + ": ",
            recorded.asObject().value(i),
            compared.asObject().value(i),
            object.value(i),
            marks));
      }
    } else if (marked instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        children.add(new ComparedJson(
            "", recorded.asArray().get(i), compared.asArray().get(i), array.get(i), marks));
      }
    }
    return children;
  }
}
