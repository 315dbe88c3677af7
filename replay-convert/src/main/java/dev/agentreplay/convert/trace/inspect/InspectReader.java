package dev.agentreplay.convert.trace.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.inspect.EvalSample.Part;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * Reads evaluation logs of Inspect, versions 1 to 3: an archive, in which a sample is one member or
 * has many, or one JSON document.
 */
public final class InspectReader implements TraceReader {

  private static final String ARCHIVE = "PK\u0003\u0004";
  private static final int NAME_LENGTH = 26;
  private static final int NAME = 30;
  private static final String SAMPLES = "samples";

  /** Creates a reader. */
  public InspectReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.INSPECT;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    if (head.startsWith(ARCHIVE)) {
      String name = firstName(head.bytes());
      return name.startsWith("_journal/")
          || name.equals(ArchivedLog.HEADER)
          || (name.startsWith(ArchivedLog.SAMPLES) && name.contains("_epoch_"));
    }
    return isLog(head.object());
  }

  /** The name of the first member of an archive, which its local header states. */
  private static String firstName(byte[] head) {
    if (head.length < NAME) {
      return "";
    }
    int length = (head[NAME_LENGTH] & 0xff) | (head[NAME_LENGTH + 1] & 0xff) << 8;
    return new String(head, NAME, Math.min(length, head.length - NAME), UTF_8);
  }

  private static boolean isLog(JsonObject document) {
    return document.get("version") instanceof JsonNumber
        && document.get("eval") instanceof JsonObject eval
        && (eval.has("task") || eval.has("run_id") || eval.has("created"));
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    boolean isArchive;
    try (InputStream in = source.open()) {
      isArchive = new String(in.readNBytes(ARCHIVE.length()), UTF_8).equals(ARCHIVE);
    }
    boolean hasSamples =
        isArchive ? readArchive(source, output) : readDocument(source.document(), output);
    if (!hasSamples) {
      throw new NothingRecognizedException(
          source.path().getFileName() + ": an Inspect evaluation log without samples");
    }
  }

  private static boolean readArchive(TraceSource source, TraceOutput output) throws IOException {
    boolean hasSamples;
    try (EvalArchive archive = EvalArchive.open(source.path())) {
      hasSamples = new ArchivedLog(archive, output).write();
    }
    try (InputStream all = source.open()) { // fails if the bytes are not those that were hashed
      all.transferTo(OutputStream.nullOutputStream());
    }
    return hasSamples;
  }

  private static boolean readDocument(JsonValue json, TraceOutput output) throws IOException {
    if (!(json instanceof JsonObject document)
        || !(document.get(SAMPLES) instanceof JsonArray samples)) {
      return false;
    }
    Part header = new Part(document.without(SAMPLES), "log", SourcePlace.DOCUMENT);
    LogImport log = new LogImport(output, header, List.of());
    JsonPointer pointer = JsonPointer.ROOT.append(SAMPLES);
    for (int i = 0; i < samples.size(); i++) {
      SourcePlace place = SourcePlace.DOCUMENT.child(pointer.append(i));
      if (samples.get(i) instanceof JsonObject sample) {
        log.write(new WholeSample(sample, place));
      } else {
        output.fault(new SourceFault(
            Kind.CONTRADICTION,
            place,
            "expected an object, found " + samples.get(i).typeName()));
      }
    }
    return !log.isEmpty();
  }
}
