package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the session of a trajectory of SWE-agent. The history has the messages as the models saw
 * them, the trajectory has for each answer the action with its output: an answer of the history
 * belongs to the next step with the same response. Either may be missing.
 */
final class TrajectoryImport {

  /** The member with the steps. */
  static final String TRAJECTORY = "trajectory";

  /** The member with the messages. */
  static final String HISTORY = "history";

  private static final List<String> MAIN_AGENTS = List.of("primary", "main");

  private final TraceSession session;
  private final SourceRecord document;
  private final StepEvents events;
  private final Deque<SourceRecord> steps;
  private final List<SourceRecord> history;
  private final @Nullable String mainAgent;

  /** The index of the last answer of each lane. */
  private final Map<String, Integer> lastAnswers = new HashMap<>();

  private TrajectoryImport(TraceSession session, SourceRecord document) {
    this.session = session;
    this.document = document;
    this.steps = new ArrayDeque<>(document.split("step", TRAJECTORY));
    this.history = document.split("message", HISTORY);
    Set<JsonValue> messages = history.stream().map(SourceRecord::json).collect(Collectors.toSet());
    this.events = new StepEvents(session, config("agent", "model", "name"), messages);
    this.mainAgent = mainAgent();
    for (int i = 0; i < history.size(); i++) {
      if (isAnswer(history.get(i))) {
        lastAnswers.put(String.valueOf(lane(history.get(i))), i);
      }
    }
  }

  static void write(JsonObject json, TraceOutput output) throws IOException {
    TraceSession session = output.begin(null, null);
    SourceRecord document =
        session.record(json, "trajectory", SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(json));
    new TrajectoryImport(session, document).write();
  }

  private void write() throws IOException {
    Settings settings = settings();
    SessionEnd end = ExitStatus.of(document);
    session.start(start(), document);
    if (!settings.values().isEmpty()) {
      session.emit(settings, document);
    }
    boolean hasQueries = steps.stream().anyMatch(StepEvents::hasQuery);
    for (int i = 0; i < history.size(); i++) {
      SourceRecord message = history.get(i);
      Meta meta = Meta.NONE.withAgent(lane(message));
      if (isAnswer(message)) {
        SourceRecord step = matching(message);
        events.write(message, step, next(i), meta);
      } else {
        int last = lastAnswers.getOrDefault(String.valueOf(lane(message)), -1);
        events.message(message, meta, !hasQueries && i < last);
      }
    }
    for (SourceRecord step : steps) {
      events.write(null, step, null, Meta.NONE);
    }
    if (end != null) {
      session.emit(end, document);
    }
  }

  private static boolean isAnswer(SourceRecord message) {
    return "assistant".equals(message.text("role")) && !message.isTrue("is_demo");
  }

  /** The agent of a message that is not the main one. */
  private @Nullable String lane(SourceRecord message) {
    String agent = message.text("agent");
    return agent == null || agent.isBlank() || agent.equals(mainAgent) ? null : agent;
  }

  private @Nullable String mainAgent() {
    String first = null;
    for (SourceRecord message : history) {
      String agent = message.text("agent");
      if (agent != null && MAIN_AGENTS.contains(agent)) {
        return agent;
      }
      first = first == null ? agent : first;
    }
    return first;
  }

  /**
   * The step of an answer: the next one with the same response, or that of its turn if at least its
   * action is the same, as in demonstrations that were edited. Steps before it that no answer of
   * the history belongs to, such as attempts that were not kept, are written first.
   */
  private @Nullable SourceRecord matching(SourceRecord answer) throws IOException {
    String content = answer.text("content");
    boolean isFound =
        content != null && steps.stream().anyMatch(step -> content.equals(step.text("response")));
    while (content != null && isFound && !content.equals(steps.element().text("response"))) {
      events.write(null, steps.remove(), null, Meta.NONE);
    }
    return isFound || hasNextAction(answer) ? steps.remove() : null;
  }

  private boolean hasNextAction(SourceRecord answer) {
    String action = answer.text("action");
    return action != null && !steps.isEmpty() && action.equals(steps.element().text("action"));
  }

  /** The output after an answer in its lane; null if another answer follows. */
  private @Nullable SourceRecord next(int answer) {
    String lane = lane(history.get(answer));
    for (int i = answer + 1; i < history.size(); i++) {
      SourceRecord message = history.get(i);
      if (Objects.equals(lane(message), lane)) {
        return isAnswer(message) || message.isTrue("is_demo") ? null : message;
      }
    }
    return null;
  }

  private SessionStart start() {
    SessionStart start = session.start();
    String commit = config("env", "repo", "base_commit");
    String remote = config("env", "repo", "github_url");
    JsonObject.Builder repository = JsonObject.builder();
    if (remote != null) {
      repository.put("remote", remote);
    }
    if (commit != null) {
      repository.put("commit", commit);
    }
    return remote == null && commit == null ? start : start.withRepository(repository.build());
  }

  private Settings settings() {
    Map<String, Setting> settings = new LinkedHashMap<>();
    String model = config("agent", "model", "name");
    if (model != null) {
      settings.put(Settings.MODEL, new Setting(JsonValue.of(model), null));
    }
    JsonObject.Builder versions = JsonObject.builder();
    for (String name : List.of("swe_agent_version", "swe_rex_version")) {
      String version = document.text("info", name);
      if (version != null) {
        document.derive("Settings/versions", "info", name);
        versions.put(name.replace("_version", "").replace('_', '-'), version);
      }
    }
    if (!versions.build().isEmpty()) {
      settings.put(Settings.VERSIONS, new Setting(versions.build(), null));
    }
    String directory = steps.isEmpty() ? null : workingDirectory(steps.element());
    if (directory != null) {
      steps.element().derive("Settings/working_directory", "state");
      settings.put(Settings.WORKING_DIRECTORY, new Setting(JsonValue.of(directory), null));
    }
    return Settings.of(settings);
  }

  /** A text of the configuration, which newer versions write as JSON in a text. */
  private @Nullable String config(String... path) {
    JsonValue value = document.get("replay_config");
    if (value instanceof JsonString text) {
      value = JsonText.parseContainer(text.value());
    }
    for (String name : path) {
      value = value instanceof JsonObject object ? object.get(name) : null;
    }
    if (value instanceof JsonString text) {
      document.derive("SessionStart and Settings", "replay_config");
      return text.value();
    }
    return null;
  }

  private static @Nullable String workingDirectory(SourceRecord step) {
    JsonValue state = step.get("state");
    JsonValue parsed =
        state instanceof JsonString text ? JsonText.parseContainer(text.value()) : state;
    return parsed instanceof JsonObject object
            && object.get("working_dir") instanceof JsonString directory
        ? directory.value()
        : null;
  }

  /** The messages of an array, such as a query; null if the value is not an array of objects. */
  static @Nullable JsonArray messages(@Nullable JsonValue value) {
    boolean isMessages = value instanceof JsonArray array
        && array.size() > 0
        && array.stream()
            .allMatch(message -> message instanceof JsonObject object && object.has("role"));
    return isMessages && value != null ? value.asArray() : null;
  }
}
