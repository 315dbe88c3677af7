package dev.agentreplay.convert.trace.export;

import dev.agentreplay.convert.trace.report.ExportCounts;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session as the exporters read it: its lanes with their calls and results, and the events that
 * stand for the session as a whole. Not safe for use by several threads.
 */
public final class ExportedSession {

  private final String id;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final List<Exchange> exchanges = new ArrayList<>();
  private final Map<EventKind, ExportedEvent> singles = new LinkedHashMap<>();
  private final List<ExportedEvent> settings = new ArrayList<>();
  private Instant first = Instant.EPOCH;
  private Instant last = Instant.EPOCH;
  private long events;
  private long orphans;

  /** Creates a session without events. */
  public ExportedSession(String id) {
    this.id = id;
    lanes.put("", new Lane(null));
  }

  /**
   * Adds an event that is about the whole session; returns false if it is not, or not the first.
   */
  boolean addSingle(ExportedEvent event) {
    EventKind kind = event.event().kind();
    boolean isSingle = kind == EventKind.REPLAY_HEADER
        || kind == EventKind.SESSION_START
        || kind == EventKind.SESSION_END;
    return isSingle && singles.putIfAbsent(kind, event) == null;
  }

  void add(Exchange exchange) {
    String agent = exchange.begin().event().meta().agent();
    lanes.computeIfAbsent(agent == null ? "" : agent, any -> new Lane(agent)).add(exchange);
    exchanges.add(exchange);
    if (exchange.begin().event() instanceof Settings) {
      settings.add(exchange.begin());
    }
  }

  void count(Instant time, boolean isOrphan) {
    if (events++ == 0) {
      first = time;
    }
    last = time.isAfter(last) ? time : last;
    orphans += isOrphan ? 1 : 0;
  }

  /** Finds the call that started each agent: one before the first event of its lane. */
  public void complete() {
    for (Lane lane : lanes.values()) {
      if (lane.parentId() != null) {
        long begin = lane.exchanges().get(0).begin().line();
        exchanges.stream()
            .filter(Exchange::isTool)
            .filter(call -> call.begin().line() < begin)
            .filter(call -> call.tool().id().equals(lane.parentId()))
            .reduce((earlier, later) -> later)
            .ifPresent(lane::startedBy);
      }
    }
  }

  /** The id of the session; the name of the log if no event states one. */
  public String id() {
    return id;
  }

  /** The numbers of the session and of the items that were written. */
  public ExportCounts counts(long written) {
    long results = exchanges.stream().filter(each -> each.toolResult() != null).count();
    return new ExportCounts(
        events,
        exchanges.stream().filter(Exchange::isModel).count(),
        exchanges.stream().filter(Exchange::isTool).count(),
        results,
        orphans,
        lanes.size() - 1L,
        written);
  }

  /** The time of the first event. */
  Instant first() {
    return first;
  }

  /** The latest time of an event. */
  Instant last() {
    return last;
  }

  /** The lanes, that of the main agent first, which may be empty. */
  Collection<Lane> lanes() {
    return lanes.values();
  }

  Lane main() {
    return Objects.requireNonNull(lanes.get(""));
  }

  /**
   * The lanes of the agents that a call of a lane started; for the main lane also those of which
   * the call is not in the log.
   */
  List<Lane> startedIn(Lane lane) {
    return lanes.values().stream()
        .filter(other -> other.agent() != null)
        .filter(other -> other.parent() == null
            ? lane.agent() == null
            : lane.exchanges().contains(other.parent()))
        .toList();
  }

  /** The agents that a call started. */
  List<Lane> startedBy(Exchange call) {
    return lanes.values().stream().filter(lane -> lane.parent() == call).toList();
  }

  /** All calls and events in the order in which they begin. */
  List<Exchange> exchanges() {
    return exchanges;
  }

  @Nullable
  ExportedEvent header() {
    return singles.get(EventKind.REPLAY_HEADER);
  }

  @Nullable
  ExportedEvent start() {
    return singles.get(EventKind.SESSION_START);
  }

  @Nullable
  ExportedEvent end() {
    return singles.get(EventKind.SESSION_END);
  }

  /** The header, start and end, as far as the log has them. */
  Collection<ExportedEvent> singles() {
    return singles.values();
  }

  /** The start; null if the log does not have one. */
  @Nullable
  SessionStart startEvent() {
    return start() == null ? null : (SessionStart) start().event();
  }

  /** The end; null if the log does not have one. */
  @Nullable
  SessionEnd endEvent() {
    return end() == null ? null : (SessionEnd) end().event();
  }

  /** The task in words; null if it is not recorded. */
  @Nullable
  String task() {
    return startEvent() == null ? null : startEvent().task().text();
  }

  /** The name of the agent: the format that was imported, or the name of the producer. */
  public String agentName() {
    ExportedEvent header = header();
    if (header == null) {
      return "unknown";
    }
    if (header.record().text(Names.IMPORTED_FROM, "format") != null) {
      header.record().derive("the name of the agent", Names.IMPORTED_FROM, "format");
      return Objects.requireNonNull(header.record().text(Names.IMPORTED_FROM, "format"));
    }
    String producer = ((ReplayHeader) header.event()).producer();
    if (producer == null || producer.isBlank()) {
      header.record().generate("the name of the agent", "unknown");
      return "unknown";
    }
    header.record().derive("the name of the agent", "producer");
    int at = producer.indexOf('@');
    return at > 0 ? producer.substring(0, at) : producer;
  }

  /**
   * The version of the agent: that of the producer, or, in an imported session, the first one in
   * the settings; null if none is stated.
   */
  @Nullable
  String agentVersion(String to) {
    ExportedEvent header = header();
    if (header != null && header.record().get(Names.IMPORTED_FROM) != null) {
      return importedVersion(to);
    }
    String producer = header == null ? null : ((ReplayHeader) header.event()).producer();
    int at = producer == null ? -1 : producer.indexOf('@');
    return producer == null || at < 0 || at == producer.length() - 1
        ? null
        : producer.substring(at + 1);
  }

  private @Nullable String importedVersion(String to) {
    for (ExportedEvent event : settings) {
      Settings.Setting versions = ((Settings) event.event()).get(Settings.VERSIONS);
      if (versions != null
          && versions.value() instanceof JsonObject named
          && !named.isEmpty()
          && named.value(0) instanceof JsonString version) {
        event.record().derive(to, "values", Settings.VERSIONS);
        return version.value();
      }
    }
    return null;
  }

  /** The name of the model: that of the settings, or of the first call; null if there is none. */
  @Nullable
  String model(String to) {
    for (ExportedEvent event : settings) {
      Settings.Setting model = ((Settings) event.event()).get(Settings.MODEL);
      if (model != null && model.value() instanceof JsonString name) {
        event.record().derive(to, "values", Settings.MODEL);
        return name.value();
      }
    }
    for (Exchange exchange : exchanges) {
      if (exchange.isModel() && exchange.model().model() != null) {
        exchange.begin().record().derive(to, "model");
        return exchange.model().model();
      }
    }
    return null;
  }

  /** The tools of the settings. */
  List<ToolDescription> tools(String to) {
    for (ExportedEvent event : settings) {
      List<ToolDescription> tools = ((Settings) event.event()).tools();
      if (!tools.isEmpty()) {
        event.record().derive(to, "values", Settings.TOOLS);
        return tools;
      }
    }
    return List.of();
  }

  /** Tools in the form in which providers and formats describe functions. */
  static JsonArray functions(List<ToolDescription> tools) {
    List<JsonValue> functions = new ArrayList<>();
    for (ToolDescription tool : tools) {
      if (tool.name() != null) {
        JsonObject.Builder function = JsonObject.builder().put("name", tool.name());
        if (tool.description() != null) {
          function.put("description", tool.description());
        }
        if (tool.schema() != null) {
          function.put("parameters", tool.schema());
        }
        functions.add(function.build());
      }
    }
    return JsonArray.copyOf(functions);
  }
}
