package dev.agentreplay.convert.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Damages a source in every way that is expected of the world, and requires a clear outcome of each
 * import: a valid session, or an exception for the caller; never silence about a broken line, and
 * never an exception that tells of a programming error.
 */
final class Mutations {

  private static final String GARBAGE = "{\"type\":\"user\",\"mess";
  private static final String UNKNOWN =
      "{\"type\":\"of_next_year\",\"secret_plan\":\"unheard-of\"}";

  private static final int EFFORT = Integer.getInteger("replay.effort", 1);

  /** The number of places that are damaged, times the effort. */
  private static final int PLACES = 10;

  private final TraceFormat format;
  private final Path directory;
  private int count;

  /**
   * Creates mutations.
   *
   * @param directory an empty directory for the damaged files and their imports
   */
  Mutations(TraceFormat format, Path directory) {
    this.format = format;
    this.directory = directory;
  }

  /** Damages a source of JSON lines: cut, each line broken, reordered, unknown records. */
  void requireClearOutcomesOfLines(Path source) throws IOException {
    List<String> lines = Files.readString(source, UTF_8).lines().toList();
    int step = Math.max(1, lines.size() / (PLACES * EFFORT));
    for (int i = 0; i < lines.size(); i += step) {
      List<String> cut = new ArrayList<>(lines.subList(0, i));
      outcome(cut);
      cut.add(lines.get(i).substring(0, lines.get(i).length() / 2));
      requireFault(cut, i + 1, false);
      List<String> broken = new ArrayList<>(lines);
      broken.set(i, GARBAGE);
      requireFault(broken, i + 1, true);
      if (i > 0) {
        List<String> swapped = new ArrayList<>(lines);
        Collections.swap(swapped, i - 1, i);
        outcome(swapped);
        List<String> spliced = new ArrayList<>(lines);
        spliced.set(i - 1, lines.get(i - 1) + lines.get(i));
        spliced.remove(i);
        requireFault(spliced, i, true);
      }
    }
    List<String> reversed = new ArrayList<>(lines);
    Collections.reverse(reversed);
    outcome(reversed);
    List<String> unknown = new ArrayList<>();
    for (String line : lines) {
      unknown.add(line);
      unknown.add(UNKNOWN);
    }
    outcome(unknown);
    List<String> versions = lines.stream()
        .map(line -> line.replaceAll("\"([a-z_]*version)\":\"[^\"]*\"", "\"$1\":\"99.0\""))
        .toList();
    assertThat(outcome(versions)).isNotNull();
  }

  /** Damages a source that is one document: cut, and each value of another type. */
  void requireClearOutcomesOfDocument(Path source) throws IOException {
    String text = Files.readString(source, UTF_8);
    int step = Math.max(1, text.length() / (PLACES * EFFORT));
    for (int end = 1; end < text.length() - 1; end += step) {
      if (!text.substring(end).isBlank()) {
        outcome(text.substring(0, end));
      }
    }
    JsonValue document = JsonText.parse(text);
    for (JsonValue changed : changes(document, 8 * PLACES * EFFORT)) {
      outcome(changed.toString());
    }
  }

  /** Copies of a document, each with one value that is of a different type. */
  private static List<JsonValue> changes(JsonValue document, int most) {
    int values = size(document);
    int step = Math.max(1, values / most);
    List<JsonValue> changes = new ArrayList<>();
    for (int at = 0; at < values; at += step) {
      int[] left = {at};
      changes.add(change(document, left));
    }
    return changes;
  }

  private static int size(JsonValue value) {
    int size = 1;
    if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        size += size(object.value(i));
      }
    } else if (value instanceof JsonArray array) {
      for (JsonValue element : array) {
        size += size(element);
      }
    }
    return size;
  }

  private static JsonValue change(JsonValue value, int[] left) {
    if (left[0]-- == 0) {
      return value instanceof JsonString ? JsonValue.of(4711) : JsonValue.of("not what it was");
    }
    if (value instanceof JsonObject object) {
      JsonObject.Builder copy = JsonObject.builder();
      object.forEach((name, member) -> copy.add(name, left[0] < 0 ? member : change(member, left)));
      return copy.build();
    } else if (value instanceof JsonArray array) {
      return JsonArray.copyOf(array.stream()
          .map(element -> left[0] < 0 ? element : change(element, left))
          .toList());
    }
    return value;
  }

  private void requireFault(List<String> lines, int line, boolean isComplete) throws IOException {
    ImportReport report = outcome(lines, isComplete);
    if (report != null) {
      List<Long> places = new ArrayList<>();
      report.faults().forEach(fault -> places.add(fault.place().line()));
      report.sessions().forEach(session -> session.faults().stream()
          .map(SourceFault::place)
          .forEach(place -> places.add(place.line())));
      assertThat(places).as("faults of %s", report.source()).contains((long) line);
    }
  }

  private @Nullable ImportReport outcome(List<String> lines) throws IOException {
    return outcome(lines, true);
  }

  private @Nullable ImportReport outcome(List<String> lines, boolean isComplete)
      throws IOException {
    return outcome(String.join("\n", lines) + (isComplete ? "\n" : ""));
  }

  /** Imports a text; null if the import was refused, with a message for the caller. */
  private @Nullable ImportReport outcome(String text) throws IOException {
    Path source = directory.resolve("source-" + ++count);
    Files.writeString(source, text, UTF_8);
    Path out = directory.resolve("out-" + count);
    try {
      ImportReport report =
          TraceImporter.of(ImportOptions.defaults().withFrom(format)).importFile(source, out);
      TraceChecks.requireValid(report);
      return report;
    } catch (IOException refused) {
      assertThat(refused.getMessage()).as("message of the refusal").isNotBlank();
      assertThat(out).doesNotExist();
      return null;
    }
  }
}
