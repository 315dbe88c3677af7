package dev.agentreplay.verify;

import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.Verification;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the commands that a log says were run to check the work with those of its receipt. */
final class CommandComparison {

  private static final String FIELD = "verification";

  private final @Nullable List<String> stated;
  private final FieldComparison fields;
  private int seen;
  private boolean differs;

  /**
   * A comparison.
   *
   * @param stated the commands of the receipt, as {@link #describe} puts them; null when it lists
   *     none at all
   */
  CommandComparison(@Nullable List<String> stated, FieldComparison fields) {
    this.stated = stated;
    this.fields = fields;
  }

  void accept(Verification verification, Position at) {
    for (CommandRun run : verification.commands()) {
      String inLog = describe(run.command(), run.exitCode());
      if (stated != null && !differs) {
        String inReceipt = seen < stated.size() ? stated.get(seen) : null;
        differs = !inLog.equals(inReceipt);
        if (differs) {
          fields.differ(FIELD, inLog, inReceipt, at);
        }
      }
      seen++;
    }
  }

  void finish() {
    if (stated != null && !differs && seen < stated.size()) {
      fields.differ(FIELD, null, stated.get(seen), null);
    }
  }

  static String describe(String command, @Nullable Object exitCode) {
    return command + " -> " + exitCode;
  }
}
