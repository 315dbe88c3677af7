package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.OnCircumstance;
import dev.agentreplay.engine.replay.policy.UnknownCircumstanceException;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.NearestName;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The circumstances that a replay states, and those that it requires to be as recorded. */
public final class CircumstanceOptions {

  private static final String REQUIRE = "--require-same";

  @Option(
      names = REQUIRE,
      split = ",",
      paramLabel = "NAME",
      description = "Circumstances in which the replay must not differ, such as model, tools,"
          + " workspace or versions; one that is recorded must be known now, too. Comma-separated,"
          + " repeatable.")
  private List<String> required = new ArrayList<>();

  @Option(
      names = "--present",
      paramLabel = "NAME=VALUE",
      description = "Present circumstance, such as model=gpt-5 or versions.app=2, that is compared"
          + " with the recorded one. Repeatable.")
  private List<String> stated = new ArrayList<>();

  /** Fails if an option is not of its form. */
  public void check() {
    for (String each : stated) {
      if (each.indexOf('=') <= 0) {
        throw new UsageException("--present: expected NAME=VALUE, found \"%s\"".formatted(each));
      }
    }
  }

  /**
   * Sets the circumstances of a replay.
   *
   * @param known those that are known without the options
   */
  public void applyTo(Replay replay, Circumstances known) {
    Circumstances present = known;
    for (String each : stated) {
      String[] parts = each.split("=", 2);
      present = with(present, parts[0], parts[1]);
    }
    replay.circumstances(present);
    required.forEach(name -> replay.onCircumstance(name, OnCircumstance.REFUSE));
  }

  /** Adds a setting or, with a period in its name, a member of one. */
  private static Circumstances with(Circumstances present, String name, String value) {
    String[] path = name.split("\\.", 2);
    if (path.length == 1) {
      return present.with(name, value, null);
    }
    Settings.Setting setting = present.settings().get(path[0]);
    JsonObject members =
        setting != null && setting.value() instanceof JsonObject object ? object : JsonObject.EMPTY;
    return present.with(path[0], members.with(path[1], value), null);
  }

  /** The error that a required circumstance does not exist. */
  public UsageException unknown(UnknownCircumstanceException e) {
    return new UsageException("%s: the recording states no circumstance \"%s\"%s"
        .formatted(REQUIRE, e.name(), NearestName.suggestion(e.name(), e.known())));
  }
}
