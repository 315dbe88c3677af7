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

/** The dialects that a log can be written in. */
public enum Dialect {
  /** Specification 000: tag {@code event}, time {@code t}. */
  EVENT("event", "1", EventDialect.CODEC),
  /** Specification 001: tag {@code type}, time {@code ts}. */
  TYPE("type", "1", TypeDialect.CODEC),
  /** Specification 002: tag {@code type}, the session in the header, neither times nor hashes. */
  DRAFT("draft", "1.0.0", DraftDialect.CODEC);

  private final String id;
  private final String version;

  @SuppressWarnings("ImmutableEnumChecker") // its tables are never changed
  private final EventCodec codec;

  Dialect(String id, String version, EventCodec codec) {
    this.id = id;
    this.version = version;
    this.codec = codec;
  }

  /** The dialect of that name, or null. */
  public static @Nullable Dialect tryParse(String id) {
    for (Dialect dialect : values()) {
      if (dialect.id.equals(id)) {
        return dialect;
      }
    }
    return null;
  }

  /** What it is called in reports and options. */
  public String id() {
    return id;
  }

  /** The version that the header of a log in this dialect states. */
  public String version() {
    return version;
  }

  /**
   * The dialect of a log, by the object of its first line: of those whose tag it bears, with an
   * event that is known, the one in which it reads with the fewest findings. Null when it bears the
   * tag of none.
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

  /** How many findings there are; an event that is not understood has more than any other. */
  private static int findings(Decoded decoded) {
    int penalty = decoded.event().kind() == EventKind.UNKNOWN ? 1_000 : 0;
    return penalty + decoded.findings().size();
  }

  /** What the object of a line says. Never fails: what cannot be read is kept, with a finding. */
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

  /** What is wrong with the tags of a line, or null. */
  private @Nullable String wrongTag(JsonObject line, boolean tagged) {
    Dialect other = this == EVENT ? TYPE : EVENT; // there are two tags
    String tag = other.codec.tag(line);
    // beside a tag of ours a member of that name may mean anything, but not an event
    if (tag != null && (!tagged || EventKind.ofTag(tag) != EventKind.UNKNOWN)) {
      return "the tag \"%s\":\"%s\" of the dialect %s in a log of the dialect %s"
          .formatted(other.codec.tagName(), tag, other.id, id);
    }
    return tagged ? null : "no \"" + codec.tagName() + "\", which says what event it is";
  }

  /** The members of a kind of event; further ones are {@link dev.agentreplay.model.Meta#extra}. */
  public List<EventMember> members(EventKind kind) {
    return List.copyOf(codec.table(kind).rows());
  }

  /** Whether the header names the session and its policy, and not the start of the session. */
  public boolean hasSessionInHeader() {
    return specifies(EventKind.REPLAY_HEADER, Names.SESSION_ID);
  }

  /** Whether the end of the session states totals and a confidence. */
  public boolean hasTotals() {
    return specifies(EventKind.SESSION_END, Names.TOTAL_TOOL_CALLS);
  }

  /** Whether the result of a tool holds its output itself: a reference to a blob is not enough. */
  public boolean requiresOutput() {
    return requires(EventKind.TOOL_RESULT, "output");
  }

  /** The form in which the start of a session, or else the header, names the policy. */
  public PolicyId.Form policyForm() {
    return nameOf(EventKind.SESSION_START, "policy").equals(Names.POLICY_VERSION)
        ? PolicyId.Form.VERSION
        : PolicyId.Form.BUNDLE;
  }

  /** Whether a verification is of one command, and not of any number. */
  boolean hasSingleCommand() {
    return nameOf(EventKind.VERIFICATION, "commands").equals("command");
  }

  /** Whether the dialect's specification has a time in this kind of event. */
  boolean saysTimeOf(EventKind kind) {
    return codec.table(kind).saysTime();
  }

  /** Whether the dialect's specification names a component of a kind of event. */
  boolean specifies(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row != null && !row.isAdditional();
  }

  /** Whether a component of a kind of event is missing where a line does not have it. */
  boolean requires(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row != null && row.presence == Presence.REQUIRED;
  }

  /** The dialect's name for a component of a kind of event. */
  String nameOf(EventKind kind, String component) {
    Row<?, ?> row = row(kind, component);
    return row == null ? component : row.name;
  }

  private @Nullable Row<?, ?> row(EventKind kind, String component) {
    for (Row<?, ?> row : codec.table(kind).rows()) {
      if (row.component().equals(component)) {
        return row;
      }
    }
    return null;
  }

  /**
   * The members of an event of another dialect that this one has no place for: a version that is
   * not supported, and a command without exit code, since an array of codes cannot leave one out.
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
