package dev.agentreplay.engine.replay.settings;

import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Set;
import java.util.TreeSet;

/** The names of circumstances. */
public final class CircumstanceNames {

  public static final String VERSION = "version";
  public static final String VERIFICATION = "verification";
  public static final String END = "end";
  public static final String HASHES = "hashes";
  public static final String GAPS = "gaps";
  public static final String SCHEMA = "schema";
  public static final String VALUES = "values";
  public static final String EVENTS = "events";
  public static final String FILES = "files";
  public static final String AGENTS = "agents";
  public static final String SUMMARY = "end.summary";
  public static final String AGAINST = "against";

  /** The version of the program that writes the log, among the versions. */
  public static final String PRODUCER = "producer";

  private static final Set<String> FIXED = Set.of(
      VERSION,
      VERIFICATION,
      END,
      HASHES,
      GAPS,
      SCHEMA,
      VALUES,
      EVENTS,
      FILES,
      AGENTS,
      SUMMARY,
      AGAINST,
      Settings.SEED,
      Settings.MODEL,
      Settings.MODEL_PARAMETERS,
      Settings.TOOLS,
      Settings.VERSIONS,
      Settings.VERSIONS + ".runtime",
      Settings.VERSIONS + ".library",
      Settings.VERSIONS + ".os",
      Settings.VERSIONS + "." + PRODUCER,
      Settings.WORKING_DIRECTORY,
      Settings.TIME_ZONE,
      Settings.LOCALE,
      Settings.ENVIRONMENT,
      Settings.WORKSPACE);

  private CircumstanceNames() {}

  /** The name of the circumstance of a tool. */
  static String tool(String name) {
    return Settings.TOOLS + "." + name;
  }

  /**
   * The names of the circumstances that a replay of a recording may have.
   *
   * @param recorded the recorded settings by name
   */
  public static Set<String> known(JsonObject recorded, Executors executors) {
    Set<String> known = new TreeSet<>(FIXED);
    for (String name : recorded.names()) {
      JsonValue value = SettingsComparison.value(recorded, name);
      if (value != null) {
        known.add(name);
      }
      if (value instanceof JsonObject members) {
        members.names().forEach(member -> known.add(name + "." + member));
      }
    }
    for (ToolDescription tool : new Settings(recorded, Meta.NONE).tools()) {
      if (tool.name() != null) {
        known.add(tool(tool.name()));
      }
    }
    executors.tools().forEach(name -> known.add(tool(name)));
    known.remove(Settings.MODE);
    return known;
  }
}
