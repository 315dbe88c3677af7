package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.engine.diff.pattern.Rewriting;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.ComparedValue.Place;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Leaves out of values what is ignored, and rewrites their texts. */
public final class ValueNormalizer {

  /** Touches nothing. */
  static final ValueNormalizer EXACT = new ValueNormalizer(List.of());

  /** The contents that an event may hold as their hashes, by the names of these. */
  private static final Map<String, String> CONTENTS = Stream.of(EventKind.values())
      .flatMap(kind -> Stream.ofNullable(kind.contentName()))
      .collect(Collectors.toUnmodifiableMap(ValueNormalizer::hashName, content -> content));

  private final List<CompiledRule> rules;

  /** The paths of the rules, by their number; null where a rule has none. */
  private final @Nullable PathPattern[] paths;

  private final long[] dead;
  private final RuleCounts counts;

  public ValueNormalizer(List<CompiledRule> rules) {
    this.rules = rules;
    this.paths = rules.stream().map(CompiledRule::path).toArray(PathPattern[]::new);
    this.dead = new long[paths.length];
    this.counts = new RuleCounts(paths.length);
  }

  /** The name of the member that holds the hash of a content instead of its value. */
  public static String hashName(String content) {
    return content + "_hash";
  }

  /** What is compared of a value. */
  public ComparedValue read(JsonValue value) {
    return read(value, null);
  }

  /** What is compared of a value, counted for a side. */
  public ComparedValue read(JsonValue value, @Nullable Side side) {
    return read(value, root(), side);
  }

  /**
   * What is compared of a member of an event's view, counted for a side but for the member itself
   * being ignored: null then.
   */
  @Nullable
  public ComparedValue readMember(String name, JsonValue value, Side side) {
    Place root = root();
    long[] states = next(root.states(), name);
    return ignores(states, null) ? null : read(value, root.member(name, states), side);
  }

  private Place root() {
    long[] states = dead.clone();
    for (int i = 0; i < paths.length; i++) {
      PathPattern path = paths[i];
      states[i] = path == null ? PathPattern.DEAD : path.start();
    }
    return Place.root(states);
  }

  /** Whether a rule that has a path says something of a place. */
  boolean matches(int rule, ComparedValue value) {
    PathPattern path = paths[rule];
    return path == null || path.matches(value.states[rule]);
  }

  /** The parts of a text that rules replaced before it was compared, as {@link Rewriting} says. */
  public List<Rewriting.Part> replacements(ComparedValue text, TextScope scope, int place) {
    if (!text.isRewritten()) {
      return List.of();
    }
    Rewriting rewriting = Rewriting.traced(text.original.asString());
    for (CompiledRule rule : rules) {
      ScalarRule scalars = rule.scalars(scope);
      if (scalars != null) {
        scalars.rewrite(text.member, rewriting);
      }
    }
    return rewriting.replacements(place);
  }

  /** How often each rule applied so far. */
  public RuleCounts counts() {
    return counts;
  }

  private ComparedValue read(JsonValue value, Place place, @Nullable Side side) {
    if (value instanceof JsonObject object) {
      List<ComparedValue> members = new ArrayList<>(object.size());
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        long[] states = next(place.states(), name);
        if (!ignores(states, side) && !ignoresContent(place, name, side)) {
          members.add(read(object.value(i), place.member(name, states), side));
        }
      }
      return ComparedValue.container(value, object.size(), members, place, null);
    }
    if (value instanceof JsonArray array) {
      List<ComparedValue> elements = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        long[] states = place.states() == dead ? dead : next(place.states(), Integer.toString(i));
        if (!ignores(states, side)) {
          elements.add(read(array.get(i), place.element(i, states), side));
        }
      }
      return ComparedValue.container(
          value, array.size(), elements, place, unordered(place.states(), side));
    }
    return ComparedValue.scalar(value, rewrite(value, place, side), place);
  }

  private long[] next(long[] states, String token) {
    if (states == dead) {
      return dead;
    }
    long[] next = new long[states.length];
    long alive = PathPattern.DEAD;
    for (int i = 0; i < states.length; i++) {
      PathPattern path = paths[i];
      next[i] = path == null ? PathPattern.DEAD : path.next(states[i], token);
      alive |= next[i];
    }
    return alive == PathPattern.DEAD ? dead : next;
  }

  private boolean ignores(long[] states, @Nullable Side side) {
    int rule = find(Ignore.Place.class, states);
    if (rule >= 0 && side != null) {
      counts.count(rule, side);
    }
    return rule >= 0;
  }

  /** Whether a member is the hash of a content that is ignored. */
  private boolean ignoresContent(Place event, String name, @Nullable Side side) {
    String content = event.isRoot() ? CONTENTS.get(name) : null;
    return content != null && ignores(next(event.states(), content), side);
  }

  private @Nullable UnorderedArray unordered(long[] states, @Nullable Side side) {
    int rule = find(UnorderedArray.class, states);
    if (rule < 0) {
      return null;
    }
    if (side != null) {
      counts.count(rule, side);
    }
    return (UnorderedArray) rules.get(rule).rule();
  }

  /** The first rule of a kind that has a path which matches; -1 when there is none. */
  private int find(Class<? extends ComparisonRule> kind, long[] states) {
    for (int i = 0; states != dead && i < paths.length; i++) {
      PathPattern path = paths[i];
      if (path != null
          && path.matches(states[i])
          && kind.isInstance(rules.get(i).rule())) {
        return i;
      }
    }
    return -1;
  }

  private JsonValue rewrite(JsonValue scalar, Place place, @Nullable Side side) {
    JsonValue rewritten = scalar;
    for (int i = 0; i < paths.length; i++) {
      ScalarRule rule = rules.get(i).scalars(place.scope());
      JsonValue before = rewritten;
      rewritten = rule == null ? before : apply(rule, before, place, side);
      if (rewritten != before && side != null) {
        counts.count(i, side);
      }
    }
    return rewritten;
  }

  private static JsonValue apply(
      ScalarRule rule, JsonValue scalar, Place place, @Nullable Side side) {
    try {
      return rule.apply(place.member(), scalar);
    } catch (UncheckedIOException e) {
      throw e.getCause() instanceof RunawayPatternException runaway ? at(place, side, runaway) : e;
    }
  }

  /** The failure with the place of the text, and the session if that is known. */
  private static UncheckedIOException at(
      Place place, @Nullable Side side, RunawayPatternException failure) {
    String session = side == null ? "" : " of the " + side.id() + " session";
    String where = ", at " + Excerpt.of(place.path().toString()) + " in an event" + session;
    return new UncheckedIOException(new RunawayPatternException(
        failure.pattern(), failure.getMessage() + where, failure.getCause()));
  }
}
