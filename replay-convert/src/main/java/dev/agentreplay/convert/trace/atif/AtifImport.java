package dev.agentreplay.convert.trace.atif;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.ToolDefinitions;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.reading.UniqueIds;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one session from a trajectory, its continuations, and those of its sub-agents. */
final class AtifImport {

  static final String TRAJECTORY = "trajectory";
  private static final String TRAJECTORY_ID = "trajectory_id";

  private final TraceSource source;
  private final TraceSession session;
  private final Set<String> files = new HashSet<>();
  private final UniqueIds lanes = new UniqueIds();
  private final @Nullable KeptEvents kept;
  private final AtifContext context;
  private boolean isStartSet;
  private @Nullable ReplayEvent end;

  private AtifImport(TraceSource source, TraceSession session, @Nullable KeptEvents kept) {
    this.source = source;
    this.session = session;
    this.kept = kept;
    this.context = new AtifContext(session, kept);
    files.add(source.names().get(0));
  }

  /** Writes the session of a trajectory. */
  static void write(TraceSource source, TraceSession session, SourceRecord trajectory)
      throws IOException {
    new AtifImport(source, session, KeptEvents.of(trajectory)).write(trajectory);
  }

  private void write(SourceRecord trajectory) throws IOException {
    read(trajectory, source.names().get(0), null, null);
    if (end != null) {
      session.emit(end, null);
    }
  }

  private void read(
      SourceRecord trajectory, String file, @Nullable String lane, @Nullable String parent)
      throws IOException {
    Subagents subagents = new Subagents(trajectory, file);
    List<SourceRecord> steps = trajectory.split("step", "steps");
    if (steps.isEmpty() && trajectory.array("steps").size() > 0) {
      contradiction(trajectory, "a step is not an object");
    }
    Meta meta = Meta.NONE.withAgent(lane).withParent(parent);
    start(trajectory, steps, meta);
    AtifSteps writer =
        new AtifSteps(context, subagents, meta, trajectory.text("agent", "model_name"));
    for (SourceRecord step : steps) {
      writer.write(step);
    }
    subagents.writeOthers();
    continueIn(trajectory, file, lane, parent);
  }

  /** Writes what the trajectory states as a whole. */
  private void start(SourceRecord trajectory, List<SourceRecord> steps, Meta meta)
      throws IOException {
    Settings settings = settings(trajectory, steps, meta.agent());
    OtherEvents others = new OtherEvents(context, meta);
    others.take(trajectory);
    if (!isStartSet) {
      isStartSet = true;
      session.start(sessionStart(trajectory), trajectory);
    }
    if (kept != null || settings.values().isEmpty()) { // settings that are kept are restored
      session.keep(trajectory, meta);
    } else {
      session.emit(settings.withMeta(meta), trajectory);
    }
    others.writeAll();
  }

  private SessionStart sessionStart(SourceRecord trajectory) {
    SessionStart start = session.start();
    String id = start.meta().sessionId();
    for (String name : List.of(Names.SESSION_ID, TRAJECTORY_ID)) {
      if (trajectory.get(name) instanceof JsonString stated && stated.value().equals(id)) {
        trajectory.move("SessionStart/session_id", name);
        break;
      }
    }
    if (kept == null) {
      return start;
    }
    if (KeptEvents.has(trajectory, EventKind.SESSION_END)) {
      end = kept.take(trajectory, EventKind.SESSION_END, JsonObject.EMPTY);
    }
    return KeptEvents.has(trajectory, EventKind.SESSION_START)
            && kept.take(trajectory, EventKind.SESSION_START, JsonObject.of(Names.SESSION_ID, id))
                instanceof SessionStart restored
        ? restored.meta().time() != null
            ? restored
            : restored.withMeta(restored.meta().withTime(start.meta().time()))
        : start;
  }

  private Settings settings(
      SourceRecord trajectory, List<SourceRecord> steps, @Nullable String lane) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    if (trajectory.get("agent", "model_name") instanceof JsonString model) {
      trajectory.move("Settings/model", "agent", "model_name");
      settings.put(Settings.MODEL, new Setting(model, null));
    }
    String name = trajectory.text("agent", "name");
    JsonValue version = trajectory.get("agent", "version");
    if (name != null && version instanceof JsonString) {
      trajectory.derive("Settings/versions", "agent", "name");
      trajectory.derive("Settings/versions", "agent", "version");
      settings.put(Settings.VERSIONS, new Setting(JsonObject.of(name, version), null));
    }
    JsonArray tools = trajectory.array("agent", "tool_definitions");
    if (ToolDefinitions.areIn(tools)) {
      if (steps.stream().anyMatch(AtifAnswers::isModelCall)) {
        trajectory.move("ModelCall/prompt/context/tools", "agent", "tool_definitions");
      }
      trajectory.derive("Settings/tools", "agent", "tool_definitions");
      session.conversation(lane).context(JsonObject.of("tools", tools));
      settings.put(Settings.TOOLS, new Setting(ToolDefinitions.descriptions(tools), null));
    }
    return Settings.of(settings);
  }

  /** Reads the file in which a trajectory is continued. */
  private void continueIn(
      SourceRecord trajectory, String file, @Nullable String lane, @Nullable String parent)
      throws IOException {
    String reference = trajectory.text(AtifReferences.CONTINUATION);
    if (reference == null) {
      return;
    }
    SourceRecord next = open(file, reference, trajectory.place());
    if (next == null) {
      return;
    }
    boolean isRebuilt = next.array("steps").stream()
        .anyMatch(step -> step instanceof JsonObject object
            && JsonBoolean.TRUE.equals(object.get(AtifSteps.COPIED)));
    if (isRebuilt) {
      session.conversation(lane).clear(); // its first steps are what the model still sees
    }
    read(next, String.valueOf(next.place().file()), lane, parent);
  }

  /** Reads an attached file; null, with a fault, if it is missing or was read already. */
  private @Nullable SourceRecord open(String from, String reference, SourcePlace place)
      throws IOException {
    String name = AtifReferences.find(source, from, reference);
    if (name == null) {
      session.fault(new SourceFault(
          Kind.MISSING_FILE, place, "a trajectory that it refers to is not next to it"));
      return null;
    } else if (!files.add(name)) {
      return null;
    }
    if (source.document(name) instanceof JsonObject document) {
      return session.record(
          document, TRAJECTORY, SourcePlace.document(name), CanonicalJson.SERDE.hash(document));
    }
    session.fault(new SourceFault(
        Kind.CONTRADICTION, SourcePlace.document(name), "expected a trajectory, an object"));
    return null;
  }

  private void contradiction(SourceRecord record, String message) {
    session.fault(new SourceFault(Kind.CONTRADICTION, record.place(), message));
  }

  /** An id for the lane of a sub-agent that no other has. */
  private String lane(SourceRecord trajectory, @Nullable String fallback) {
    String id = trajectory.text(TRAJECTORY_ID);
    if (id == null) {
      id = trajectory.text("session_id");
    }
    if (id == null || id.isBlank() || id.equals(session.start().meta().sessionId())) {
      id = fallback;
    }
    if (id == null || id.isBlank()) {
      id = "subagent";
      trajectory.generate("agent", "numbered");
    }
    return lanes.unused(id);
  }

  /** The sub-agents of one trajectory, of which each is written once. */
  final class Subagents {

    private final String file;
    private final List<SourceRecord> embedded;
    private final Set<SourceRecord> written = new HashSet<>();

    Subagents(SourceRecord trajectory, String file) {
      this.file = file;
      this.embedded = trajectory.split(TRAJECTORY, AtifReferences.SUBAGENTS);
      if (embedded.isEmpty() && trajectory.array(AtifReferences.SUBAGENTS).size() > 0) {
        contradiction(trajectory, "the trajectory of a sub-agent is not an object");
      }
    }

    /**
     * Writes the trajectory of a sub-agent, unless it was written.
     *
     * @param call the call that started it; null if there is none
     */
    void write(JsonObject reference, @Nullable String call, SourcePlace place) throws IOException {
      SourceRecord found = find(reference, TRAJECTORY_ID);
      if (found != null) {
        writeEmbedded(found, call);
      } else if (reference.get(AtifReferences.PATH) instanceof JsonString path) {
        SourceRecord opened = open(file, path.value(), place);
        if (opened != null) {
          String name = String.valueOf(opened.place().file());
          AtifImport.this.read(opened, name, lane(opened, fallback(reference, name)), call);
        }
      } else if (find(reference, "session_id") != null) { // as before version 1.7
        writeEmbedded(find(reference, "session_id"), call);
      } else {
        session.fault(
            new SourceFault(Kind.MISSING_FILE, place, "the trajectory of a sub-agent is missing"));
      }
    }

    private static String fallback(JsonObject reference, String name) {
      return reference.get(TRAJECTORY_ID) instanceof JsonString id
          ? id.value()
          : name.replaceFirst("\\.json$", "");
    }

    private @Nullable SourceRecord find(JsonObject reference, String member) {
      JsonValue id = reference.get(member);
      for (SourceRecord trajectory : embedded) {
        if (id instanceof JsonString && id.equals(trajectory.get(member))) {
          return trajectory;
        }
      }
      return null;
    }

    private void writeEmbedded(@Nullable SourceRecord trajectory, @Nullable String call)
        throws IOException {
      if (trajectory != null && written.add(trajectory)) {
        AtifImport.this.read(trajectory, file, lane(trajectory, null), call);
      }
    }

    /** Writes those that no step refers to. */
    void writeOthers() throws IOException {
      for (SourceRecord trajectory : embedded) {
        writeEmbedded(trajectory, null);
      }
    }
  }
}
