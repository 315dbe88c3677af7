package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.replay.files.FileChanges;
import dev.agentreplay.engine.replay.files.RecordedFiles;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.replay.settings.RecordedSchemas;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.RunTotals;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facts that a recording states in addition to its exchanges. Collected while it is read. */
final class RecordingFacts implements Consumer<ReplayLine> {

  /** The most settings that are copied into the log of a replay. */
  private static final int MAX_PREAMBLE = 1_000;

  /** The publication of the recording; null if it is an original. */
  @Nullable
  PublishedCopy copy;

  @Nullable
  ReplayHeader header;

  @Nullable
  SessionStart start;

  @Nullable
  SessionEnd end;

  @Nullable
  String sessionId;

  /** The settings that were stated before the first exchange. */
  final List<Settings> preamble = new ArrayList<>();

  /** All settings, the last of each name. */
  JsonObject settings = JsonObject.EMPTY;

  /** The tools that the settings describe, by name. */
  final Map<String, ToolDescription> tools = new HashMap<>();

  /** The changes of files. */
  final RecordedFiles files = new RecordedFiles();

  final FileChanges changes = new FileChanges();

  /** The first stated workspace: that in which the session began; null if there is none. */
  @Nullable
  JsonValue workspace;

  /** Whether the session was resumed on a workspace that differs from its first snapshot. */
  boolean isWorkspaceReplaced;

  /** The schemas of the parameters of tools. */
  final RecordedSchemas schemas = new RecordedSchemas();

  /** The id of the call that started each agent that a call started. */
  final Map<String, String> parents = new HashMap<>();

  long events;
  long inputTokens;
  long outputTokens;

  /**
   * The number of calls of which the recording has only the hash of parameters or prompt: the value
   * is neither in the log nor in a blob that can be read.
   */
  long hashOnly;

  private final Session session;

  private final RunTotals totals = new RunTotals();
  private @Nullable Instant first;
  private @Nullable Instant last;
  private boolean hasExchanges;

  RecordingFacts(Session session) {
    this.session = session;
  }

  @Override
  public void accept(ReplayLine line) {
    ReplayEvent event = line.event();
    copy = events == 0 ? PublishedCopy.of(line.json()) : copy;
    events++;
    totals.add(event);
    files.accept(line);
    changes.accept(line);
    time(event.meta().time());
    if (event.meta().agent() != null && event.meta().parent() != null) {
      parents.putIfAbsent(event.meta().agent(), event.meta().parent());
    }
    sessionId = sessionId == null ? event.meta().sessionId() : sessionId;
    if (event instanceof ReplayHeader read) {
      header = header == null ? read : header;
    } else if (event instanceof SessionStart read) {
      start = start == null ? read : start;
    } else if (event instanceof SessionEnd read) {
      end = read;
    } else if (event instanceof Settings read) {
      add(read);
    } else if (event instanceof RecordedValue) {
      hasExchanges = true;
    } else if (event instanceof ToolCall || event instanceof ModelCall) {
      hasExchanges = true;
      if (event instanceof ModelCall call) {
        schemas.add(call);
      }
      hashOnly += hasValue(event.content()) ? 0 : 1;
    } else if (event instanceof ModelResult result) {
      inputTokens += positive(result.tokens().input());
      outputTokens += positive(result.tokens().output());
    }
  }

  private boolean hasValue(Content content) {
    try {
      return session.resolve(content) != null;
    } catch (IOException damaged) { // the verification has the reason
      return false;
    }
  }

  private static long positive(@Nullable Long count) {
    return count == null ? 0 : Math.max(count, 0);
  }

  private void add(Settings read) {
    // the recorded snapshot is not in the directory of the replay, which may have its own
    Settings copied = read.without(Set.of(Settings.WORKSPACE));
    boolean isEmpty = copied.values().isEmpty() && !read.values().isEmpty();
    if (!hasExchanges && !isEmpty && preamble.size() < MAX_PREAMBLE) {
      preamble.add(copied);
    }
    JsonValue stated = read.values().get(Settings.WORKSPACE);
    isWorkspaceReplaced |=
        stated != null && hasSnapshot() && !stated.equals(settings.get(Settings.WORKSPACE));
    workspace = workspace == null ? stated : workspace;
    read.values().forEach((name, value) -> settings = settings.with(name, value));
    for (ToolDescription tool : read.tools()) {
      schemas.add(tool);
      if (tool.name() != null) {
        tools.put(tool.name(), tool);
      }
    }
  }

  private void time(@Nullable Timestamp time) {
    if (time != null) {
      Instant instant = time.instant();
      first = first == null || instant.isBefore(first) ? instant : first;
      last = last == null || instant.isAfter(last) ? instant : last;
    }
  }

  /** The time of the first event; null if no event has a time. */
  @Nullable
  Instant startedAt() {
    return first;
  }

  /** The duration: from the first to the last event, at least the latencies of its tools. */
  Duration duration() {
    Duration latencies = Duration.ofMillis(Math.max(totals.totalLatencyMillis(), 0));
    if (first == null || last == null) {
      return latencies;
    }
    Duration span = Duration.between(first, last);
    return span.compareTo(latencies) < 0 ? latencies : span;
  }

  /** Whether the recording states a snapshot, and so the files that changed after it. */
  boolean hasSnapshot() {
    return settings.has(Settings.WORKSPACE);
  }

  /** All settings, the last of each name, except for the workspace: that at the start. */
  JsonObject comparedSettings() {
    return workspace == null ? settings : settings.with(Settings.WORKSPACE, workspace);
  }

  /** The seed that the settings state; null if there is none. */
  @Nullable
  Long seed() {
    return new Settings(settings, Meta.NONE).seed();
  }

  /** The action of a policy for a tool, whose annotations may make its effect greater. */
  ReplayAction action(ReplayPolicy policy, String tool) {
    Effect declared = policy.effect(tool);
    Effect effect = declared == null ? Effect.EXTERNAL : declared;
    ToolDescription description = tools.get(tool);
    return policy.tool(tool, description == null ? effect : effect.tightenedBy(description));
  }

  /** The id of the session; a generic one if the log does not state one. */
  String sessionIdOr(String otherwise) {
    return Objects.requireNonNullElse(sessionId, otherwise);
  }
}
