package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads ATIF: a file with one trajectory, an array of them, or one on each line. Trajectories that
 * it refers to by a relative path are read with it.
 */
public final class AtifReader implements TraceReader {

  private static final String VERSION = "schema_version";

  /** Creates a reader. */
  public AtifReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.ATIF;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return isTrajectory(head.object())
        || isTrajectory(head.firstElement())
        || head.anyLine(AtifReader::isTrajectory);
  }

  /** Whether an object is a trajectory, or the beginning of one. */
  static boolean isTrajectory(JsonObject object) {
    String version = SourceHead.text(object, VERSION);
    if (version != null && version.startsWith("ATIF-")) {
      return true;
    }
    if (!(object.get("agent") instanceof JsonObject agent)
        || SourceHead.text(agent, "name") == null) {
      return false;
    }
    if (object.get("steps") instanceof JsonArray steps && steps.size() > 0) {
      return steps.get(0) instanceof JsonObject step && step.has("step_id") && step.has("source");
    }
    return agent.has("tool_definitions"); // in sorted order the agent is first, and may be long
  }

  @Override
  public boolean isPart(Path file) throws IOException {
    return AtifReferences.isReferredTo(file);
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    if (isLines(source)) {
      return;
    }
    JsonValue document;
    try {
      document = source.document();
    } catch (IOException unreadable) {
      return; // reading it reports the reason
    }
    for (JsonValue value : document instanceof JsonArray array ? array : List.of(document)) {
      if (value instanceof JsonObject trajectory) {
        AtifReferences.attach(source, trajectory);
      }
    }
  }

  /** Whether a source has a trajectory on each line. */
  private static boolean isLines(TraceSource source) throws IOException {
    SourceHead head = SourceHead.read(source.path());
    return head.lines().size() > 1 && head.anyLine(AtifReader::isTrajectory);
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    if (isLines(source)) {
      readLines(source, output);
      return;
    }
    JsonValue document = source.document();
    if (document instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        SourcePlace place = SourcePlace.DOCUMENT.child(JsonPointer.ROOT.append(i));
        if (array.get(i) instanceof JsonObject trajectory) {
          read(source, output, trajectory, place, hash(trajectory));
        } else {
          output.fault(new SourceFault(
              Kind.CONTRADICTION,
              place,
              "expected an object, found " + array.get(i).typeName()));
        }
      }
    } else if (document instanceof JsonObject trajectory) {
      read(source, output, trajectory, SourcePlace.DOCUMENT, hash(trajectory));
    } else {
      throw new IOException(
          source.names().get(0) + ": expected an object, found " + document.typeName());
    }
  }

  private static ContentHash hash(JsonValue value) {
    return CanonicalJson.SERDE.hash(value);
  }

  private static void readLines(TraceSource source, TraceOutput output) throws IOException {
    TraceSession last = null;
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        JsonObject json = line.json();
        if (json != null) {
          last = read(source, output, json, line.place(), line.hash());
        }
        SourceFault fault = line.fault();
        if (json == null && last != null) {
          last.broken(line);
        } else if (fault != null) {
          output.fault(fault);
        }
      }
    }
  }

  private static TraceSession read(
      TraceSource source,
      TraceOutput output,
      JsonObject trajectory,
      SourcePlace place,
      ContentHash hash)
      throws IOException {
    String id = SourceHead.text(trajectory, "session_id");
    TraceSession session = output.begin(
        id == null ? SourceHead.text(trajectory, "trajectory_id") : id, firstTime(trajectory));
    AtifImport.write(
        source, session, session.record(trajectory, AtifImport.TRAJECTORY, place, hash));
    return session;
  }

  private static @Nullable Timestamp firstTime(JsonObject trajectory) {
    Timestamp exported = KeptEvents.firstTime(trajectory);
    if (exported != null) {
      return exported;
    }
    return trajectory.get("steps") instanceof JsonArray steps
        ? steps.stream()
            .map(step -> step instanceof JsonObject object
                ? SourceTimes.parse(SourceHead.text(object, "timestamp"))
                : null)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null)
        : null;
  }
}
