package dev.agentreplay.verify;

import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a sequence in the log, such as commands or payments, with a list in its receipt. Only
 * the first difference is reported, because later entries may be shifted.
 */
final class EntryComparison {

  /** The members that identify a command. */
  static final Set<String> COMMAND = Set.of("command", Names.EXIT_CODE);

  private final String field;
  private final Set<String> demanded;
  private final @Nullable List<? extends JsonValue> stated;
  private final FieldComparison fields;
  private final LogCanonicalization canonicalization;
  private int seen;
  private boolean differs;

  /**
   * Creates a comparison.
   *
   * @param field the member of the receipt
   * @param demanded the members of an entry that must be in both or in neither; other members are
   *     compared if both have them
   * @param stated the entries of the receipt; null when it has no list
   */
  EntryComparison(
      String field,
      Set<String> demanded,
      @Nullable List<? extends JsonValue> stated,
      FieldComparison fields,
      LogCanonicalization canonicalization) {
    this.field = field;
    this.demanded = demanded;
    this.stated = stated;
    this.fields = fields;
    this.canonicalization = canonicalization;
  }

  /** Accepts the next entry of the log. */
  void accept(JsonObject inLog, Position at) {
    if (stated == null || differs) {
      return;
    }
    JsonValue inReceipt = seen < stated.size() ? stated.get(seen) : null;
    differs = !same(inLog, inReceipt);
    if (differs) {
      fields.differ(field, inLog, inReceipt, at);
    }
    seen++;
  }

  /** Completes the comparison at the end of the log. */
  void finish() {
    if (stated != null && !differs && seen < stated.size()) {
      fields.differ(field, null, stated.get(seen), null);
    }
  }

  private boolean same(JsonObject inLog, @Nullable JsonValue inReceipt) {
    if (!(inReceipt instanceof JsonObject entry)) {
      return false;
    }
    for (String name : demanded) {
      if (isSaid(inLog.get(name)) != isSaid(entry.get(name))) {
        return false;
      }
    }
    for (String name : inLog.names()) {
      JsonValue left = inLog.get(name);
      JsonValue right = entry.get(name);
      if (left != null
          && right != null
          && isSaid(right)
          && !FieldComparison.sameValue(left, right, canonicalization.get())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSaid(@Nullable JsonValue value) {
    return value != null && value != JsonNull.NULL;
  }
}
