package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialects of logs: the specifications that define the names and the presence of an event's
 * members. Immutable, and safe for use by several threads.
 */
public enum Dialect {
  /** Specification 000: the tag is {@code event}, the time {@code t}. */
  EVENT("event", "1", EventDialect.CODEC),
  /** Specification 001: the tag is {@code type}, the time {@code ts}. */
  TYPE("type", "1", TypeDialect.CODEC),
  /**
   * Specification 002: the tag is {@code type}; the header names the session; events have neither
   * times nor hashes.
   */
  DRAFT("draft", "1.0.0", DraftDialect.CODEC);

  private final String id;
  private final String version;

  @SuppressWarnings("ImmutableEnumChecker") // the tables do not change after construction
  private final EventCodec codec;

  Dialect(String id, String version, EventCodec codec) {
    this.id = id;
    this.version = version;
    this.codec = codec;
  }

  /** The dialect with this id; null if there is none. */
  public static @Nullable Dialect tryParse(String id) {
    for (Dialect dialect : values()) {
      if (dialect.id.equals(id)) {
        return dialect;
      }
    }
    return null;
  }

  /** The name in reports and options: {@code event}, {@code type} or {@code draft}. */
  public String id() {
    return id;
  }

  /** The name of the member that names the type of an event. */
  public String tagName() {
    return codec.tagName();
  }

  /** The version in the header of a log in this dialect. */
  public String version() {
    return version;
  }

  /**
   * Detects the dialect of a log from the object of its first line. Among the dialects whose tag
   * the object has, the one that decodes it as a known event with the fewest findings wins. Returns
   * null if the object has no tag of any dialect.
   */
  public static @Nullable Dialect detect(JsonObject firstLine) {
    Dialect best = null;
    int fewest = Integer.MAX_VALUE;
    for (Dialect dialect : values()) {
      if (dialect.codec.tag(firstLine) == null) {
        continue;
      }
      int findings = dialect.codec.kind(firstLine) == EventKind.UNKNOWN
          ? Integer.MAX_VALUE - 1
          : findings(dialect.codec.decode(firstLine));
      if (findings < fewest) {
        best = dialect;
        fewest = findings;
      }
    }
    return best;
  }

  /** The number of findings, plus a penalty that ranks an unknown event last. */
  private static int findings(Decoded decoded) {
    int penalty = decoded.event().kind() == EventKind.UNKNOWN ? 1_000 : 0;
    return penalty + decoded.findings().size();
  }

  /**
   * Decodes the object of a line. Never fails: members that cannot be read are kept in
   * {@link dev.agentreplay.model.Meta#extra()}, with a finding.
   */
  public Decoded decode(JsonObject line) {
    String tag = codec.tag(line);
    Decoded decoded = codec.decode(line, tag);
    String wrongTag = wrongTag(line, tag != null);
    List<Finding> conflicts = KeptAside.conflicts(this, line, decoded.event());
    if (wrongTag == null && conflicts.isEmpty()) {
      return decoded;
    }
    List<Finding> findings = new ArrayList<>(decoded.findings());
    if (wrongTag != null) {
      findings.add(Finding.of(FindingCode.EVENT_INVALID, wrongTag));
    }
    findings.addAll(conflicts);
    return new Decoded(decoded.event(), findings);
  }

  /** A description of the error in the tags of a line; null if there is none. */
  private @Nullable String wrongTag(JsonObject line, boolean tagged) {
    Dialect other = this == EVENT ? TYPE : EVENT; // only two tags exist
    String tag = other.codec.tag(line);
    // next to our own tag, the member may have any value except the name of an event
    if (tag != null && (!tagged || EventKind.ofTag(tag) != EventKind.UNKNOWN)) {
      return "the tag \"%s\":\"%s\" of the dialect %s in a log of the dialect %s"
          .formatted(other.codec.tagName(), tag, other.id, id);
    }
    return tagged ? null : "no \"" + codec.tagName() + "\", which names the type of the event";
  }

  /**
   * The members of a kind of event. Any other members are in
   * {@link dev.agentreplay.model.Meta#extra}.
   */
  public List<EventMember> members(EventKind kind) {
    return List.copyOf(codec.table(kind).rows());
  }

  /** Whether the header, rather than the start of the session, names the session and its policy. */
  public boolean hasSessionInHeader() {
    return specifies(EventKind.REPLAY_HEADER, Names.SESSION_ID);
  }

  /** Whether the end of the session has totals and a confidence. */
  public boolean hasTotals() {
    return specifies(EventKind.SESSION_END, Names.TOTAL_TOOL_CALLS);
  }

  /**
   * Whether an event of this kind must contain the value {@link ReplayEvent#content()}; a reference
   * to a blob is not sufficient.
   */
  public boolean requiresContent(EventKind kind) {
    String name = kind.contentName();
    return name != null && requires(kind, name);
  }

  /** The form in which the start of a session, or otherwise the header, names the policy. */
  public PolicyId.Form policyForm() {
    return nameOf(EventKind.SESSION_START, "policy").equals(Names.POLICY_VERSION)
        ? PolicyId.Form.VERSION
        : PolicyId.Form.BUNDLE;
  }

  /**
   * The name of the member with the time of an event if the specification of the dialect requires
   * it and the event lacks it; null otherwise. A header has a time under its own name.
   */
  public @Nullable String missingTime(ReplayEvent event) {
    String name = event.time() == null ? codec.table(event.kind()).requiredTime() : null;
    return name == null || event.meta().extra().has(name) ? null : name;
  }

  /** Whether a verification has exactly one command rather than any number of commands. */
  boolean hasSingleCommand() {
    return nameOf(EventKind.VERIFICATION, "commands").equals("command");
  }

  /** Whether the specification of the dialect defines a time for this kind of event. */
  boolean saysTimeOf(EventKind kind) {
    return codec.table(kind).saysTime();
  }

  /** Whether the specification of the dialect names a component of a kind of event. */
  boolean specifies(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row != null && !row.isAdditional();
  }

  /** Whether a component of a kind of event is required: a line without it has a finding. */
  boolean requires(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row != null && row.presence == Presence.REQUIRED;
  }

  /** The name of a component of a kind of event in this dialect. */
  String nameOf(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row == null ? component : row.name;
  }

  /** The row of a component, preferably one that the specification names; null if none. */
  private @Nullable Row<?, ?> row(EventKind kind, String component) {
    Row<?, ?> additional = null;
    for (Row<?, ?> row : codec.table(kind).rows()) {
      if (row.component().equals(component)) {
        if (!row.isAdditional()) {
          return row;
        }
        additional = additional == null ? row : additional;
      }
    }
    return additional;
  }

  /**
   * The members of an event of another dialect that have no equivalent in this one: an unsupported
   * version, and the members of a command without an exit code, since every element of the array of
   * exit codes must be present.
   */
  Set<String> displaced(ReplayEvent event) {
    if (event instanceof ReplayHeader header) {
      boolean isSupported = header.support() == ReplayHeader.Support.SUPPORTED;
      return isSupported ? Set.of() : Set.of(Names.REPLAY_VERSION, "version");
    }
    boolean lacksExitCode = !hasSingleCommand()
        && event instanceof Verification verification
        && verification.commands().stream().anyMatch(run -> run.exitCode() == null);
    return lacksExitCode ? Set.of("command", "cwd", Names.DURATION_MS) : Set.of();
  }

  EventCodec codec() {
    return codec;
  }
}
