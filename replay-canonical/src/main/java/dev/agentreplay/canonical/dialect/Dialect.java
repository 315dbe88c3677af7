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
    String wrongTag = wrongTag(line);
    if (wrongTag == null) {
      return decoded;
    }
    List<Finding> findings = new ArrayList<>(decoded.findings());
    findings.add(Finding.of(FindingCode.EVENT_INVALID, wrongTag));
    return new Decoded(decoded.event(), findings);
  }

  /** What is wrong with the tags of a line, or null. */
  private @Nullable String wrongTag(JsonObject line) {
    boolean tagged = codec.tag(line) != null;
    for (Dialect other : values()) {
      String tag = other.codec.tag(line);
      // beside a tag of ours a member of that name may mean anything, but not an event
      boolean foreign = tag != null && (!tagged || other.codec.kind(line) != EventKind.UNKNOWN);
      if (other != this && foreign) {
        return "the tag \"%s\":\"%s\" of the dialect %s in a log of the dialect %s"
            .formatted(other.codec.tagName(), tag, other.id, id);
      }
    }
    return tagged ? null : "no \"" + codec.tagName() + "\", which says what event it is";
  }

  EventCodec codec() {
    return codec;
  }
}
