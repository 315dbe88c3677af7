package dev.agentreplay.model.internal;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogPart;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Position;
import org.jspecify.annotations.Nullable;

/** What is wrong with the statement that begins a part of a log. */
public final class PartFault {

  private PartFault() {}

  /**
   * What differs first from what is so, with both; null if nothing does.
   *
   * @param part the number of the part that begins
   * @param at where it begins
   * @param hashBefore the hash of all bytes before; null when it is not known
   */
  public static @Nullable String of(
      LogPart stated, long part, Position at, @Nullable ContentHash hashBefore) {
    if (stated.part() != part) {
      return differs("part", stated.part(), part);
    }
    if (stated.linesBefore() != at.line() - 1) {
      return differs(Names.LINES_BEFORE, stated.linesBefore(), at.line() - 1);
    }
    if (stated.bytesBefore() != at.offset()) {
      return differs(Names.BYTES_BEFORE, stated.bytesBefore(), at.offset());
    }
    return hashBefore == null || stated.hashBefore().equals(hashBefore)
        ? null
        : differs(Names.HASH_BEFORE, stated.hashBefore(), hashBefore);
  }

  private static String differs(String field, Object found, Object expected) {
    return "%s is %s, expected %s".formatted(field, found, expected);
  }
}
