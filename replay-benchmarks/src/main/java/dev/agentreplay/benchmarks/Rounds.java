package dev.agentreplay.benchmarks;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures interleaved rounds, so that other load of the machine affects all of them equally. */
final class Rounds {

  private Rounds() {}

  /** The measured work. */
  interface Step {
    void run() throws IOException;
  }

  static long time(Step step) throws IOException {
    long start = System.nanoTime();
    step.run();
    return System.nanoTime() - start;
  }

  static long median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Reads a log with the values in its events, which are discarded. */
  static void read(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      readValues(reader);
    }
  }

  /** Reads the rest of a log with the values in its events, which are parsed when first used. */
  static void readValues(ReplayReader reader) throws IOException {
    long sum = 0;
    for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
      sum += 1 + size(line.event().content().value());
    }
    if (sum == 0) {
      throw new IllegalStateException("nothing was read");
    }
  }

  private static int size(@Nullable JsonValue value) {
    return value instanceof JsonString string
        ? string.value().length()
        : value instanceof JsonObject object
            ? object.size()
            : value instanceof JsonArray array ? array.size() : 0;
  }

  static void delete(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> found = Files.walk(directory)) {
      paths = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}
