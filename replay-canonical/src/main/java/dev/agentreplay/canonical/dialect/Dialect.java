package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dialects that a log can be written in. */
public enum Dialect {
  /** Specification 000: tag {@code event}, time {@code t}. */
  EVENT("event", EventDialect.CODEC),
  /** Specification 001: tag {@code type}, time {@code ts}. */
  TYPE("type", TypeDialect.CODEC);

  private final String id;

  @SuppressWarnings("ImmutableEnumChecker") // its tables are never changed
  private final EventCodec codec;

  Dialect(String id, EventCodec codec) {
    this.id = id;
    this.codec = codec;
  }

  /** What it is called in reports and options. */
  public String id() {
    return id;
  }

  /**
   * The dialect of a log, by the object of its first line: the one whose tag it bears; null when it
   * bears none.
   */
  public static @Nullable Dialect detect(JsonObject firstLine) {
    Dialect candidate = null;
    for (Dialect dialect : values()) {
      if (dialect.codec.kind(firstLine) != EventKind.UNKNOWN) {
        return dialect;
      }
      if (candidate == null && dialect.codec.tag(firstLine) != null) {
        candidate = dialect;
      }
    }
    return candidate;
  }

  /** What the object of a line says. Never fails: what cannot be read is kept, with a finding. */
  public Decoded decode(JsonObject line) {
    Decoded decoded = codec.decode(line);
    if (codec.tag(line) != null) {
      return decoded;
    }
    List<Finding> findings = new ArrayList<>(decoded.findings());
    findings.add(Finding.of(FindingCode.EVENT_INVALID, withoutTag(line)));
    return new Decoded(decoded.event(), findings);
  }

  private String withoutTag(JsonObject line) {
    for (Dialect other : values()) {
      String tag = other.codec.tag(line);
      if (other != this && tag != null) {
        return "a line of the dialect %s (\"%s\":\"%s\") in a log of the dialect %s"
            .formatted(other.id, other.codec.tagName(), tag, id);
      }
    }
    return "no \"" + codec.tagName() + "\", which says what event it is";
  }

  EventCodec codec() {
    return codec;
  }
}
