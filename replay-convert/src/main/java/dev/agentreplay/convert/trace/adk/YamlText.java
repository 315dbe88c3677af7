package dev.agentreplay.convert.trace.adk;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the first document of a YAML text as a JSON value. Scalars are resolved as in the core
 * schema of YAML 1.2; numbers keep their text. No tag creates anything but plain data. Depth, and
 * the size with the aliases expanded, are limited.
 */
final class YamlText {

  private static final int MAX_DEPTH = 200;
  private static final long MAX_VALUES = 5_000_000;

  /** The number of characters that count as a value. */
  private static final int TEXT_PER_VALUE = 16;

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,400})(\\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?");

  /** A value, with the number of values in it. */
  private record Sized(JsonValue value, long values) {}

  /** A sequence or mapping that is not complete. */
  private static final class Open {
    private final boolean isMapping;
    private final Optional<Anchor> anchor;
    private final List<JsonValue> elements = new ArrayList<>();
    private final JsonObject.Builder members = JsonObject.builder();
    private @Nullable String key;
    private long values = 1;

    Open(NodeEvent event, boolean isMapping) {
      this.isMapping = isMapping;
      this.anchor = event.getAnchor();
    }

    JsonValue build() {
      return isMapping ? members.build() : JsonArray.copyOf(elements);
    }
  }

  private final String name;
  private final Deque<Open> open = new ArrayDeque<>();
  private final Map<Anchor, Sized> anchors = new HashMap<>();
  private @Nullable JsonValue root;

  private YamlText(String name) {
    this.name = name;
  }

  /**
   * Parses a text.
   *
   * @param name the name of its file, for messages
   * @throws IOException if it is not YAML, or exceeds a limit
   */
  static JsonValue parse(String text, String name) throws IOException {
    LoadSettings settings =
        LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    YamlText reading = new YamlText(name);
    try {
      ParserImpl events = new ParserImpl(settings, new StreamReader(settings, text));
      for (boolean isEnd = false; !isEnd && events.hasNext(); ) {
        Event event = events.next();
        reading.add(event);
        isEnd = event instanceof DocumentEndEvent;
      }
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().orElse(null);
      throw new IOException(
          mark == null
              ? name + ": not YAML"
              : "%s: not YAML at line %d, column %d"
                  .formatted(name, mark.getLine() + 1, mark.getColumn() + 1),
          e);
    } catch (YamlEngineException e) {
      throw new IOException(name + ": not YAML", e);
    }
    return reading.root == null ? JsonNull.NULL : reading.root;
  }

  private void add(Event event) throws IOException {
    if (event instanceof ScalarEvent scalar) {
      Open parent = open.peek();
      if (parent != null && parent.isMapping && parent.key == null) {
        parent.key = wellFormed(scalar.getValue());
      } else {
        complete(
            new Sized(value(scalar), 1 + scalar.getValue().length() / TEXT_PER_VALUE),
            scalar.getAnchor());
      }
    } else if (event instanceof AliasEvent alias) {
      Sized value = anchors.get(alias.getAlias());
      if (value == null) {
        throw failure(event, "an alias refers to no value before it");
      }
      requireKey(event);
      complete(value, Optional.empty());
    } else if (event instanceof MappingStartEvent start) {
      begin(start, true);
    } else if (event instanceof SequenceStartEvent start) {
      begin(start, false);
    } else if (event instanceof MappingEndEvent || event instanceof SequenceEndEvent) {
      Open closed = open.remove();
      complete(new Sized(closed.build(), closed.values), closed.anchor);
    }
  }

  private void begin(NodeEvent event, boolean isMapping) throws IOException {
    requireKey(event);
    if (open.size() >= MAX_DEPTH) {
      throw failure(event, "nested deeper than " + MAX_DEPTH);
    }
    open.push(new Open(event, isMapping));
  }

  private void requireKey(Event event) throws IOException {
    Open parent = open.peek();
    if (parent != null && parent.isMapping && parent.key == null) {
      throw failure(event, "the key of a mapping is not a scalar");
    }
  }

  /** Adds a complete value to the collection that it is in. */
  private void complete(Sized value, Optional<Anchor> anchor) throws IOException {
    anchor.ifPresent(named -> anchors.put(named, value));
    Open parent = open.peek();
    if (parent == null) {
      root = value.value();
      return;
    }
    parent.values += value.values();
    if (parent.values > MAX_VALUES) {
      throw new IOException(
          "%s: more than %,d values, with aliases expanded".formatted(name, MAX_VALUES));
    }
    if (!parent.isMapping) {
      parent.elements.add(value.value());
    } else if (parent.key != null) {
      if (!parent.members.addIfAbsent(parent.key, value.value())) {
        throw new IOException(name + ": a key of a mapping occurs twice");
      }
      parent.key = null;
    }
  }

  private IOException failure(Event event, String problem) {
    return new IOException(event
        .getStartMark()
        .map(mark -> "%s: line %d: %s".formatted(name, mark.getLine() + 1, problem))
        .orElse(name + ": " + problem));
  }

  private static JsonValue value(ScalarEvent scalar) {
    String text = scalar.getValue();
    if (!scalar.isPlain() || scalar.getTag().isPresent()) {
      return JsonValue.of(wellFormed(text));
    } else if (NULLS.contains(text)) {
      return JsonNull.NULL;
    } else if (TRUE.contains(text) || FALSE.contains(text)) {
      return JsonValue.of(TRUE.contains(text));
    } else if (NUMBER.matcher(text).matches()) {
      return JsonNumber.of(text);
    }
    return JsonValue.of(wellFormed(text));
  }

  /** A text in which unpaired surrogates are replaced. */
  private static String wellFormed(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text)
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
