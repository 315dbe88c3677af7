package dev.agentreplay.cli.text;

import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.RecoveryJson;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The report of {@code replay recover}.
 *
 * @param log the log
 * @param recovery the state of the log now
 * @param repair the repair that was made, or null
 * @param salvage the counts of a salvage, or null
 */
public record RecoveryReport(
    Path log,
    Recovery recovery,
    LogRecovery.@Nullable Repair repair,
    @Nullable SalvageTally salvage) {

  public RecoveryReport(Path log, Recovery recovery) {
    this(log, recovery, null, null);
  }

  public RecoveryReport with(LogRecovery.Repair done) {
    return new RecoveryReport(log, recovery, done, salvage);
  }

  public RecoveryReport with(SalvageTally done) {
    return new RecoveryReport(log, recovery, repair, done);
  }

  public JsonObject toJson() {
    JsonObject json =
        repair == null ? RecoveryJson.render(log, recovery) : RecoveryJson.render(log, repair);
    return salvage == null ? json : json.with("salvage", salvage.toJson());
  }
}
