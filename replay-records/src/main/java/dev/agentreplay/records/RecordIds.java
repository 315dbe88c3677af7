package dev.agentreplay.records;

import java.time.Instant;
import java.util.regex.Pattern;

/** The forms of ids (specification 004, "SessionRecord", and its schema of interventions). */
final class RecordIds {

  /** {@code REC-<session>-<time>}. */
  static final Pattern RECORD = Pattern.compile("^REC-[A-Za-z0-9][\\w-]*-\\d+$");

  /** {@code INT-<session>-<three digits>}, or {@code INT<digits>}. */
  static final Pattern INTERVENTION = Pattern.compile("^INT-[A-Za-z0-9][\\w.-]*-\\d{3}$|^INT\\d+$");

  private static final Pattern FOREIGN = Pattern.compile("[^\\w-]");
  private static final Pattern WELL_BEGUN = Pattern.compile("[A-Za-z0-9]");

  private RecordIds() {}

  /** The id of a record that is made at a time, of a session with any id but the empty one. */
  static String recordId(String sessionId, Instant time) {
    String session = FOREIGN.matcher(sessionId).replaceAll("_");
    String begun = WELL_BEGUN.matcher(session).lookingAt() ? session : "s" + session;
    return "REC-" + begun + "-" + time.toEpochMilli();
  }
}
