package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.secret.TextScan;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies a policy to the lines of one log. Takes time linear in the length of a line. The caller
 * passes all lines in order, because some decisions depend on earlier ones: a prompt that is a
 * change of earlier prompts is shown only if these are, and a custom rule may name the tool of a
 * result. What is kept of earlier lines is bounded. Not safe for use by several threads.
 *
 * <p>A published line that follows the treatments has no finding that the original does not have,
 * except those that say that a hash cannot be verified: required members have placeholders, totals
 * are those of the shown values, and what follows from a value is shown only with it. These are
 * left to the caller, for which the treatment is {@link Treatment#SHOW} or {@link Treatment.Hash}:
 * {@code tree_root} and {@code tree_size} of a Checkpoint; {@code hash_before},
 * {@code bytes_before} and {@code lines_before} of a LogSegment; and all hashes of contents.
 */
public final class LinePolicy {

  private static final String SALT = "salt";
  private static final String VALUE = "value";

  /** The beginning of the source of the value of an environment variable. */
  private static final String ENVIRONMENT = "environment:";

  private final PublicationPolicy policy;
  private final Dialect dialect;
  private final String tagName;
  private final Identifiers ids;
  private final RemovalLedger ledger;
  private final LedgerPlace place;
  private final ValueTreatment values;
  private final DerivedMembers derived;
  private final Map<EventKind, Decision> decisions = new EnumMap<>(EventKind.class);
  private final Map<EventKind, CustomRules> rules = new EnumMap<>(EventKind.class);
  private final Map<String, CustomRules> rulesOfTools = new HashMap<>();
  private final boolean needsTools;
  private final CallPairing<String> tools = new CallPairing<>();

  private long latencies;
  private boolean differsInLatency;
  private Treatment[] treatments = new Treatment[32];

  /**
   * Creates the policy for a log.
   *
   * @param policy the decisions
   * @param scan finds secrets in the texts that the policy shows
   * @param dialect the dialect of the log
   * @param idKey the key with which ids are mapped, 32 bytes; the same for all policies of a log
   * @throws IllegalArgumentException if the key has a different length
   */
  public LinePolicy(PublicationPolicy policy, TextScan scan, Dialect dialect, byte[] idKey) {
    this.policy = Objects.requireNonNull(policy, "policy");
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.tagName = dialect == Dialect.EVENT ? "event" : "type";
    TextRules texts = new TextRules(Objects.requireNonNull(scan, "scan"), policy.texts());
    this.ids = new Identifiers(idKey, texts);
    this.ledger = new RemovalLedger(policy);
    this.place = new LedgerPlace(ledger);
    this.values = new ValueTreatment(texts, ids, place, policy.unknownMembers());
    this.derived = new DerivedMembers(values, ids, place);
    for (EventKind kind : EventKind.values()) {
      decisions.put(kind, Decision.of(policy, dialect, kind));
      rules.put(kind, CustomRules.of(policy.rules(), kind, null));
    }
    this.needsTools = policy.rules().stream().anyMatch(rule -> rule.tool() != null);
  }

  /**
   * Returns the treatment of the next line of the log, in normal form: {@link Treatment#SHOW} if
   * all of the line is shown, otherwise {@link Treatment.Members} without the hidden members; and
   * likewise below.
   *
   * @throws IllegalArgumentException if the line was expanded and is not the one in the log
   */
  public Treatment treat(ReplayLine line) {
    if (line.isExpanded()) {
      throw new IllegalArgumentException(
          "expected the line of the log, found one with its prompt in full: " + line.position());
    }
    return treat(line.json());
  }

  /** The removals so far. */
  public RemovalLedger ledger() {
    return ledger;
  }

  /**
   * Returns the treatment of the JSON object of the next line, as {@link #treat(ReplayLine)} does.
   */
  public Treatment treat(JsonObject line) {
    String tag = line.get(tagName) instanceof JsonString text ? text.value() : null;
    EventKind kind = tag == null ? EventKind.UNKNOWN : EventKind.ofTag(tag);
    boolean isNamed =
        kind != EventKind.UNKNOWN || (tag != null && policy.unknownEvents().contains(tag));
    place.begin(isNamed && tag != null ? tag : LedgerPlace.ANY);
    CustomRules custom = rules(kind, line);
    values.begin(custom);
    Decision root = Objects.requireNonNull(decisions.get(kind));
    if (treatments.length < line.size()) {
      treatments = new Treatment[line.size() * 2];
    }
    long[] start = custom.start();
    for (int i = 0; i < line.size(); i++) {
      String name = line.name(i);
      Decision decision = decision(kind, root, name, line);
      place.enter(decision == null ? LedgerPlace.ANY : name);
      values.named(name);
      treatments[i] = decision != null && DerivedMembers.isDerived(decision.form)
          ? Treatment.HIDE // decided below, when the other members are
          : treat(kind, isNamed, name, decision, line.value(i), custom.next(start, name));
      place.leave();
    }
    derived.treat(kind, root, line, treatments);
    return assembled(line);
  }

  /** The decision on a member; null if no dialect knows it. */
  private static @Nullable Decision decision(
      EventKind kind, Decision root, String name, JsonObject line) {
    if (kind == EventKind.RECORDED_VALUE) {
      if (name.equals(EventCatalog.ENVIRONMENT_VALUE)) {
        return null; // a member of policies, not of lines
      }
      boolean isVariable = name.equals(VALUE)
          && !(line.get("source") instanceof JsonString source
              && !source.value().startsWith(ENVIRONMENT));
      return root.member(isVariable ? EventCatalog.ENVIRONMENT_VALUE : name);
    }
    return root.member(name);
  }

  private Treatment assembled(JsonObject line) {
    Map<String, Treatment> members = null;
    for (int i = 0; i < line.size(); i++) {
      Treatment treatment = treatments[i];
      if (treatment == Treatment.SHOW) {
        ledger.shown();
      } else if (members == null) {
        members = new LinkedHashMap<>();
        for (int j = 0; j < i; j++) {
          members.put(line.name(j), Treatment.SHOW);
        }
      }
      if (members != null && !ValueTreatment.isHidden(treatment)) {
        members.put(line.name(i), treatment);
      }
    }
    return members == null ? Treatment.SHOW : new Treatment.Members(members);
  }

  /** The custom rules for a line. Calls and their results are paired if a rule names a tool. */
  private CustomRules rules(EventKind kind, JsonObject line) {
    CustomRules ofKind = Objects.requireNonNull(rules.get(kind));
    if (!needsTools || (kind != EventKind.TOOL_CALL && kind != EventKind.TOOL_RESULT)) {
      return ofKind;
    }
    String id = text(line, dialect == Dialect.TYPE ? Names.STEP_ID : "id");
    String agent = text(line, Names.AGENT);
    String tool = kind == EventKind.TOOL_CALL ? text(line, "tool") : null;
    if (kind == EventKind.TOOL_CALL && id != null && tool != null) {
      tools.call(id, agent, tool);
    } else if (kind == EventKind.TOOL_RESULT && id != null) {
      tool = tools.result(id, agent);
    }
    if (tool == null || policy.rules().stream().noneMatch(new NamesTool(tool)::test)) {
      return ofKind;
    }
    String named = tool;
    return rulesOfTools.computeIfAbsent(
        kind.id() + " " + named, key -> CustomRules.of(policy.rules(), kind, named));
  }

  /** Tests whether a rule names a tool. */
  private record NamesTool(String tool) {
    boolean test(CustomRule rule) {
      return tool.equals(rule.tool());
    }
  }

  private static @Nullable String text(JsonObject line, String name) {
    return line.get(name) instanceof JsonString text && !text.value().isEmpty()
        ? text.value()
        : null;
  }

  private Treatment treat(
      EventKind kind,
      boolean isNamed,
      String name,
      @Nullable Decision decision,
      JsonValue value,
      long @Nullable [] states) {
    if (name.equals(SALT) || name.equals(ValueTreatment.NO_MEMBER)) {
      return values.withheld(Action.HIDE, RemovalLedger.FORMAT);
    }
    if (decision == null) {
      Action action = policy.unknownMembers().contains(name) ? Action.TEXT : Action.HIDE;
      return values.unknown(name, action, value, states);
    }
    return switch (decision.form) {
      case TAG -> tag(kind, isNamed, name, value);
      case NEVER -> values.withheld(Action.HIDE, RemovalLedger.FORMAT);
      case UNPUBLISHED -> values.withheld(Action.WITHHOLD, RemovalLedger.FORMAT);
      case STRUCTURE -> values.structure(value);
      case COMMITTED -> value instanceof JsonString ? values.commitment() : values.structure(value);
      case TREE ->
        decision.form.fits(value)
            ? Treatment.SHOW
            : values.withheld(Action.WITHHOLD, RemovalLedger.FORMAT);
      default -> decided(kind, name, decision, value, states);
    };
  }

  private Treatment tag(EventKind kind, boolean isNamed, String name, JsonValue value) {
    if (!name.equals(tagName) || !(value instanceof JsonString)) {
      return values.withheld(Action.HIDE, RemovalLedger.POLICY);
    }
    if (kind != EventKind.UNKNOWN) {
      return Treatment.SHOW;
    }
    Treatment treatment = isNamed
        ? values.treat(null, Action.TEXT, value, null)
        : values.withheld(Action.WITHHOLD, RemovalLedger.POLICY);
    boolean isShown = treatment == Treatment.SHOW || value.equals(Placeholders.TAG);
    return isShown ? Treatment.SHOW : new Treatment.Replace(Placeholders.TAG, RemovalLedger.POLICY);
  }

  private Treatment decided(
      EventKind kind, String name, Decision decision, JsonValue value, long @Nullable [] states) {
    JsonValue placeholder = Placeholders.of(dialect, kind, name);
    if (isSum(kind, name)) {
      return sum(decision, value, placeholder);
    }
    Treatment treatment = values.treat(decision, decision.action, value, states);
    if (decision.form == MemberForm.TEXTS) {
      treatment = values.withPlaceholders(treatment);
    }
    if (treatment instanceof Treatment.Withhold && placeholder != null) {
      treatment = values.placeholder(decision, value, placeholder);
    }
    if (kind == EventKind.TOOL_RESULT && name.equals(Names.LATENCY_MS)) {
      addLatency(treatment, value);
    }
    return treatment;
  }

  private static boolean isSum(EventKind kind, String name) {
    return kind == EventKind.SESSION_END && name.equals(Names.TOTAL_LATENCY_MS);
  }

  private void addLatency(Treatment treatment, JsonValue value) {
    if (treatment == Treatment.SHOW) {
      latencies += longOrZero(value);
    } else {
      differsInLatency = true;
    }
  }

  private static long longOrZero(JsonValue value) {
    try {
      return value instanceof JsonNumber number ? number.asLong() : 0;
    } catch (ArithmeticException notALong) {
      return 0;
    }
  }

  /**
   * The total of the latencies: shown only if all of them are. Its placeholder is the total of the
   * shown ones, because a verifier compares them.
   */
  private Treatment sum(Decision decision, JsonValue value, @Nullable JsonValue placeholder) {
    Treatment treatment = values.treat(decision, decision.action, value, null);
    JsonNumber shown = JsonNumber.of(latencies);
    if (treatment == Treatment.SHOW && !differsInLatency) {
      return Treatment.SHOW;
    }
    if (treatment == Treatment.SHOW) {
      treatment = values.withheld(Action.WITHHOLD, RemovalLedger.FORMAT);
    }
    if (placeholder == null || !(value instanceof JsonNumber)) {
      return treatment;
    }
    return value.equals(shown)
        ? Treatment.SHOW
        : new Treatment.Replace(shown, RemovalLedger.POLICY);
  }
}
