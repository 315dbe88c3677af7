package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.Documents;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log that is an archive. A sample is one member, or has a member {@code sample.json} and others
 * in a directory of its own. One sample is in memory at a time.
 */
final class ArchivedLog {

  /** The name of the member with the log without its samples, which is written last. */
  static final String HEADER = "header.json";

  /** The beginning of the names of the members of samples. */
  static final String SAMPLES = "samples/";

  private static final String START = "_journal/start.json";
  private static final String SUMMARIES = "summaries.json";
  private static final String JOURNAL_SUMMARIES = "_journal/summaries/";
  private static final String REDUCTIONS = "reductions.json";

  private final EvalArchive archive;
  private final TraceOutput output;

  /** The members of chunked samples, by the name of their directory. */
  private final Map<String, List<String>> chunked = new LinkedHashMap<>();

  /** The names of samples that are one member. */
  private final List<String> whole = new ArrayList<>();

  private final List<String> others = new ArrayList<>();
  private @Nullable IOException firstFault;

  ArchivedLog(EvalArchive archive, TraceOutput output) {
    this.archive = archive;
    this.output = output;
    for (String name : archive.names()) {
      if (name.startsWith(SAMPLES) && name.endsWith(ChunkedSample.SHELL)) {
        String prefix = name.substring(0, name.length() - ChunkedSample.SHELL.length());
        chunked.put(prefix, new ArrayList<>());
      }
    }
    archive.names().forEach(this::sort);
  }

  private void sort(String name) {
    for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      List<String> members = chunked.get(name.substring(0, slash));
      if (members != null) {
        members.add(name);
        return;
      }
    }
    if (name.startsWith(SAMPLES) && name.endsWith(".json")) {
      whole.add(name);
    } else if (!name.endsWith("/")) {
      others.add(name);
    }
  }

  /**
   * Writes the sessions. A sample that cannot be read is reported, and does not prevent the others.
   *
   * @return whether there is a sample
   * @throws IOException if no sample can be read, or a session cannot be written
   */
  boolean write() throws IOException {
    for (String name : archive.repeated()) {
      output.fault(new SourceFault(
          Kind.CONTRADICTION,
          SourcePlace.document(name),
          "several members have this name; the last one is imported"));
    }
    LogImport log = header();
    for (String name : whole) {
      writeSample(log, name, () -> {
        JsonValue json = parse(name);
        if (json instanceof JsonObject sample) {
          return new WholeSample(sample, SourcePlace.document(name));
        }
        throw new IOException(name + ": expected an object, found " + json.typeName());
      });
    }
    for (Map.Entry<String, List<String>> sample : chunked.entrySet()) {
      writeSample(
          log,
          sample.getKey(),
          () -> new ChunkedSample(archive, sample.getKey(), sample.getValue(), output::fault));
    }
    if (log.isEmpty() && firstFault != null) {
      throw firstFault;
    }
    return !log.isEmpty();
  }

  /** Reads a sample. */
  private interface SampleSource {
    EvalSample read() throws IOException;
  }

  private void writeSample(LogImport log, String name, SampleSource source) throws IOException {
    EvalSample sample;
    try {
      sample = source.read();
    } catch (IOException e) {
      fault(name, e);
      return;
    }
    log.write(sample);
  }

  private void fault(String name, IOException e) {
    firstFault = firstFault == null ? e : firstFault;
    output.fault(new SourceFault(
        Kind.MISSING_FILE, SourcePlace.document(name), String.valueOf(e.getMessage())));
  }

  /** Reads what the log states about all samples. A log that was not finished has no header. */
  private LogImport header() {
    Part header = null;
    List<Part> kept = new ArrayList<>();
    for (String name : others) {
      Part part = part(name);
      if (part != null && name.equals(HEADER)) {
        header = part;
      } else if (part != null) {
        kept.add(part);
      }
    }
    Part start = null;
    for (Part part : kept) {
      start = part.type().equals(START) ? part : start;
    }
    if (start != null && (header == null || isPart(start.json(), header.json()))) {
      kept.remove(start);
      header = header == null ? start : header;
    }
    Part log = header == null
        ? new Part(JsonObject.EMPTY, "log", SourcePlace.document(HEADER))
        : new Part(header.json(), "log", header.place());
    return new LogImport(output, log, kept);
  }

  /** Whether each member of an object is equal to that of a second one. */
  private static boolean isPart(@Nullable JsonValue part, @Nullable JsonValue whole) {
    if (part == null || whole == null) {
      return false;
    }
    if (!(part instanceof JsonObject object) || !(whole instanceof JsonObject other)) {
      return part.equals(whole);
    }
    return object.names().stream().allMatch(name -> isPart(object.get(name), other.get(name)));
  }

  private @Nullable Part part(String name) {
    boolean isSummary = name.equals(SUMMARIES) || name.startsWith(JOURNAL_SUMMARIES);
    String type = isSummary ? Part.INDEX : name.equals(REDUCTIONS) ? "reductions" : name;
    try {
      return new Part(parse(name), type, SourcePlace.document(name));
    } catch (IOException e) {
      fault(name, e);
      return null;
    }
  }

  private JsonValue parse(String name) throws IOException {
    return Documents.parse(archive.read(name), name);
  }
}
