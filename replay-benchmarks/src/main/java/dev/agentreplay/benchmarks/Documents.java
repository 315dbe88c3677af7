package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** The documents of the benchmarks, made from the recorded sessions in the resources. */
final class Documents {

  private static final String UNSORTED = "-unsorted";
  private static final int ARRAY_BYTES = 1_000_000;
  private static final long SEED = 20260113;

  private Documents() {}

  /**
   * Returns a document by its name, in UTF-8. If the name ends with {@code -unsorted}, it is the
   * document without that suffix, with shuffled members and indented by two spaces.
   */
  static byte[] named(String name) {
    if (name.endsWith(UNSORTED)) {
      byte[] sorted = named(name.substring(0, name.length() - UNSORTED.length()));
      return utf8(new Unsorted().append(JsonText.parse(sorted), 0).out.toString());
    }
    return utf8(
        switch (name) {
          case "line270" -> lines("task-17_trial-0").get(11);
          case "line3k" -> lines("20251223-153640").get(26);
          case "array1m" -> array();
          default -> throw new IllegalArgumentException("unknown document: " + name);
        });
  }

  /** An array of all recorded lines, repeated until it is long enough. */
  private static String array() {
    List<String> lines = new ArrayList<>(lines("task-17_trial-0"));
    lines.addAll(lines("20251223-153640"));
    StringBuilder array = new StringBuilder("[");
    for (int i = 0; array.length() < ARRAY_BYTES; i++) {
      array.append(i == 0 ? "" : ",").append(lines.get(i % lines.size()));
    }
    return array.append(']').toString();
  }

  /** The lines of a recorded session. */
  static List<String> lines(String session) {
    String resource = "sessions/" + session + "/REPLAY.jsonl";
    try (InputStream stream = Documents.class.getResourceAsStream(resource)) {
      byte[] bytes = Objects.requireNonNull(stream, resource).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes an indented value with members in a random but reproducible order. */
  private static final class Unsorted {

    private final Random random = new Random(SEED);
    private final StringBuilder out = new StringBuilder();

    private Unsorted append(JsonValue value, int depth) {
      if (value instanceof JsonObject object && !object.isEmpty()) {
        List<String> names = new ArrayList<>(object.names());
        Collections.shuffle(names, random);
        out.append('{');
        for (int i = 0; i < names.size(); i++) {
          String name = names.get(i);
          line(i, depth + 1).append(JsonValue.of(name)).append(": ");
          append(Objects.requireNonNull(object.get(name)), depth + 1);
        }
        line(0, depth).append('}');
      } else if (value instanceof JsonArray array && array.size() > 0) {
        out.append('[');
        for (int i = 0; i < array.size(); i++) {
          line(i, depth + 1);
          append(array.get(i), depth + 1);
        }
        line(0, depth).append(']');
      } else {
        out.append(value);
      }
      return this;
    }

    private StringBuilder line(int position, int depth) {
      return out.append(position == 0 ? "\n" : ",\n").append("  ".repeat(depth));
    }
  }
}
