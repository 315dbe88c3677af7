package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.Timestamp;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The times of records, which sources spell in several ways. */
public final class SourceTimes {

  /** A time without a zone, as Python writes it. */
  private static final Pattern WITHOUT_ZONE =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?");

  private SourceTimes() {}

  /** Parses a time; one without a zone is taken as UTC. Null if it is not a time. */
  public static @Nullable Timestamp parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Timestamp time = Timestamp.tryParse(text);
    return time == null && WITHOUT_ZONE.matcher(text).matches()
        ? Timestamp.tryParse(text.replace(' ', 'T') + "Z")
        : time;
  }

  /**
   * Takes the time at a path of a record for an event. It is moved if the event has the same text,
   * otherwise it is derived; the ledger states when UTC was assumed.
   *
   * @return the time; null if it is missing or is not a time
   */
  public static @Nullable Timestamp take(SourceRecord record, String... path) {
    String text = record.text(path);
    Timestamp time = parse(text);
    if (time == null || text == null) {
      return null;
    }
    if (time.text().equals(text)) {
      record.move("t", path);
    } else {
      record.derive("t", path);
      if (WITHOUT_ZONE.matcher(text).matches()) {
        record.generate("t", "the zone is UTC: the time states none");
      }
    }
    return time;
  }
}
