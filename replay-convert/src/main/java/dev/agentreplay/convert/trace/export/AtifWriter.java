package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the Agent Trajectory Interchange Format, version 1.7. Each lane is a trajectory, each
 * answer of a model is a step of the agent with the calls of tools that follow it and their
 * results, and a call without a model is a step as well. The messages of users and the system
 * prompts are steps as far as they are new in a prompt.
 */
public final class AtifWriter implements DocumentWriter {

  private static final String VERSION = "ATIF-v1.7";
  private static final String EXTRA = "extra." + KEPT;

  /** Creates a writer. */
  public AtifWriter() {}

  @Override
  public Document write(ExportedSession session) {
    AtifSteps.Count count = new AtifSteps.Count();
    JsonObject.Builder root = JsonObject.builder().put("schema_version", VERSION);
    ExportedEvent start = session.start();
    if (start != null) {
      start.move("session_id", Names.SESSION_ID);
    }
    root.put("session_id", session.id()).put("agent", agent(session));
    AtifSteps steps = AtifSteps.of(session, session.main(), count);
    root.put("steps", steps.json());
    if (steps.totals() != null) {
      root.put("final_metrics", steps.totals());
    }
    JsonArray agents = agents(session, session.main(), count);
    JsonObject.Builder kept = JsonObject.builder();
    for (ExportedEvent event : session.singles()) {
      JsonObject rest = event.keptIn(EXTRA);
      kept.put(event.kind(), rest);
    }
    if (steps.unplaced().size() > 0) {
      kept.put("events", steps.unplaced());
    }
    root.put("extra", JsonObject.of(KEPT, kept.build()));
    if (agents.size() > 0) {
      root.put("subagent_trajectories", agents);
    }
    return new Document(root.build(), count.steps);
  }

  private static JsonObject agent(ExportedSession session) {
    JsonObject.Builder agent = JsonObject.builder().put("name", session.agentName());
    String version = session.agentVersion("agent.version");
    if (version == null && session.header() != null) {
      session.header().record().generate("agent.version", "unknown");
    }
    agent.put("version", version == null ? "unknown" : version);
    String model = session.model("agent.model_name");
    if (model != null) {
      agent.put("model_name", model);
    }
    List<ToolDescription> tools = session.tools("agent.tool_definitions");
    if (!tools.isEmpty()) {
      List<JsonValue> definitions = new ArrayList<>();
      for (JsonValue function : ExportedSession.functions(tools)) {
        definitions.add(JsonObject.of("type", "function", "function", function));
      }
      agent.put("tool_definitions", JsonArray.copyOf(definitions));
    }
    return agent.build();
  }

  /** The trajectories of the agents that a lane started, with those of their own. */
  private static JsonArray agents(ExportedSession session, Lane parent, AtifSteps.Count count) {
    List<JsonValue> trajectories = new ArrayList<>();
    for (Lane lane : session.startedIn(parent)) {
      trajectories.add(trajectory(session, lane, count));
    }
    return JsonArray.copyOf(trajectories);
  }

  private static JsonObject trajectory(ExportedSession session, Lane lane, AtifSteps.Count count) {
    lane.exchanges().get(0).begin().record().generate("agent.version", "unknown");
    AtifSteps steps = AtifSteps.of(session, lane, count);
    JsonObject.Builder trajectory = JsonObject.builder()
        .put("schema_version", VERSION)
        .put("session_id", session.id())
        .put("trajectory_id", lane.agent())
        .put("agent", JsonObject.of("name", lane.agent(), "version", "unknown"))
        .put("steps", steps.json());
    if (steps.totals() != null) {
      trajectory.put("final_metrics", steps.totals());
    }
    if (steps.unplaced().size() > 0) {
      JsonObject kept = JsonObject.of("events", steps.unplaced());
      trajectory.put("extra", JsonObject.of(KEPT, kept));
    }
    JsonArray agents = agents(session, lane, count);
    return (agents.size() > 0 ? trajectory.put("subagent_trajectories", agents) : trajectory)
        .build();
  }

  /** Puts what is kept of an event into an object, unless nothing is. */
  static void keep(JsonObject.Builder kept, @Nullable ExportedEvent event) {
    if (event != null) {
      JsonObject rest = event.keptIn(EXTRA);
      if (!rest.isEmpty()) {
        kept.put(event.kind(), rest);
      }
    }
  }
}
