package dev.agentreplay.convert.trace.report;

import dev.agentreplay.model.json.JsonObject;
import java.util.Locale;
import java.util.Objects;

/**
 * A fault of the source of an import. The source is never quoted, because it may hold secrets.
 *
 * @param kind the kind of the fault
 * @param place the place of the fault
 * @param message the fault in words
 */
public record SourceFault(Kind kind, SourcePlace place, String message) {

  /** The kinds of faults. */
  public enum Kind {
    /** A line is not JSON. Its text is kept. */
    BROKEN_LINE,
    /** The last line ends within a record, as after a crash. Its text is kept. */
    TRUNCATED_END,
    /** Several records are on one line. They are imported as if they were on their own. */
    SPLICED_LINE,
    /** A text has an unpaired surrogate, which is replaced by U+FFFD. */
    LONE_SURROGATE,
    /** An integer has more than 64 bits. It is written as the nearest double. */
    ROUNDED_NUMBER,
    /** A record cannot be represented as an event of its kind. Its text is kept. */
    NOT_REPRESENTABLE,
    /** A record is too long to be read. It is not in the result. */
    RECORD_TOO_LONG,
    /**
     * A file that the source refers to, or that is next to it, is missing, cannot be read, or is a
     * symbolic link, which is not followed.
     */
    MISSING_FILE,
    /** The source states a number, a time or a structure that contradicts its format. */
    CONTRADICTION;

    /** The name in reports, such as {@code broken_line}. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks for null. */
  public SourceFault {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(message, "message");
  }

  /** The fault as JSON: {@code kind}, {@code message}, {@code offset} and the place. */
  public JsonObject toJson() {
    JsonObject.Builder json = place.toJson().put("kind", kind.id()).put("message", message);
    if (place.line() > 0) {
      json.put("offset", place.offset());
    }
    return json.build();
  }
}
