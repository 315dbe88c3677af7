package dev.agentreplay.verify;

import dev.agentreplay.verify.Attack.Target;
import java.util.List;

/** Attacks on the checkpoints in a log, and on the log with them. */
final class CheckpointAttacks {

  private CheckpointAttacks() {}

  static List<Attack> all() {
    return List.of(
        new Attack(
            "re-hash everything, signed with another key",
            log -> List.of(Attack.whole(
                "", Forgery.checkpointed(Forgery.rewritten(log), SealedSessions.STRANGER)))),
        new Attack(
            "strip the signatures",
            log -> List.of(Attack.whole("", Forgery.checkpointed(log, null)))),
        new Attack(SealAttacks.ROLL_BACK, CheckpointAttacks::rollBack));
  }

  private static List<Target> rollBack(Exhibit log) {
    return log.numbers("Checkpoint").stream()
        .filter(number -> number < log.size())
        .map(number -> Attack.whole("", log.truncate(number)))
        .toList();
  }
}
