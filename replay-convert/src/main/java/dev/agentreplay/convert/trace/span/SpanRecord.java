package dev.agentreplay.convert.trace.span;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span with the account of its attributes. Not safe for use by several threads. */
public final class SpanRecord {

  /** The form in which the record has the names and types of lists of named values. */
  static final String RESTATED = "the names and values of an object";

  private final Span span;
  private final SourceRecord record;

  SpanRecord(Span span, SourceRecord record) {
    this.span = span;
    this.record = record;
  }

  /** The span. */
  public Span span() {
    return span;
  }

  /** The record of the whole span. */
  public SourceRecord record() {
    return record;
  }

  /** Returns the value of an attribute; null if it is missing. */
  public @Nullable JsonValue get(String name) {
    return span.attributes().get(name);
  }

  /** Returns the first of several attributes that is a text; null if none is. */
  public @Nullable String text(String... names) {
    String name = firstText(names);
    return name != null && span.attributes().get(name) instanceof JsonString text
        ? text.value()
        : null;
  }

  /** Returns the name of the first of several attributes that is a text that is not empty. */
  public @Nullable String firstText(String... names) {
    for (String name : names) {
      if (get(name) instanceof JsonString text && !text.value().isBlank()) {
        return name;
      }
    }
    return null;
  }

  /** Returns the name of the first of several attributes that exists; null if none does. */
  public @Nullable String first(String... names) {
    for (String name : names) {
      if (get(name) != null) {
        return name;
      }
    }
    return null;
  }

  /** States that the value of an attribute is at a place of the result. */
  public @Nullable JsonValue move(String to, String name) {
    return record.move(to, path(name));
  }

  /** States that a value of the result was computed from an attribute. */
  public void derive(String to, String name) {
    record.derive(to, path(name));
  }

  /**
   * Returns the value of an attribute that is moved to a place of the result. If it is a text that
   * holds a JSON object or array, the values in that are moved.
   */
  public @Nullable JsonValue moveJson(String to, String name) {
    JsonValue value = get(name);
    JsonValue parsed = parsed(value);
    if (parsed == null || parsed == value) {
      return move(to, name);
    }
    record.drop("all values of its JSON are in " + to, path(name));
    return parsed;
  }

  /** The object or array that a text holds; the value itself if it is anything else. */
  public static @Nullable JsonValue parsed(@Nullable JsonValue value) {
    if (value instanceof JsonString text) {
      JsonValue parsed = JsonText.parseContainer(text.value());
      return parsed == null ? value : parsed;
    }
    return value;
  }

  /** The attributes whose names begin with a prefix, by the rest of the name. */
  public Map<String, JsonValue> prefixed(String prefix) {
    Map<String, JsonValue> found = new LinkedHashMap<>();
    JsonObject attributes = span.attributes();
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.name(i).startsWith(prefix)) {
        found.put(attributes.name(i).substring(prefix.length()), attributes.value(i));
      }
    }
    return found;
  }

  /** Moves all attributes whose names begin with a prefix, and returns them by the rest. */
  public Map<String, JsonValue> movePrefixed(String to, String prefix) {
    Map<String, JsonValue> found = prefixed(prefix);
    found.keySet().forEach(rest -> move(to, prefix + rest));
    return found;
  }

  /** Returns the first of several attributes that is an integer that is not negative, or null. */
  public @Nullable String firstCount(String... names) {
    for (String name : names) {
      if (count(get(name)) != null) {
        return name;
      }
    }
    return null;
  }

  /** The number that a value states, if it is an integer that is not negative; else null. */
  public static @Nullable Long count(@Nullable JsonValue value) {
    try {
      if (value instanceof JsonNumber number) {
        double stated = number.asDouble();
        long count = number.isIntegerLiteral() ? number.asLong() : (long) stated;
        return count >= 0 && (number.isIntegerLiteral() || count == stated) ? count : null;
      }
      if (value instanceof JsonString text && text.value().matches("[0-9]{1,18}")) {
        return Long.valueOf(text.value());
      }
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
    return null;
  }

  private String[] path(String name) {
    List<String> path = new ArrayList<>(span.source().attributesAt());
    path.add(name);
    return path.toArray(String[]::new);
  }
}
