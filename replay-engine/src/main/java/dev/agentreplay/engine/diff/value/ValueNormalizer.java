package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.Rewriting;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.ComparedValue.Place;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes values: removes ignored values and rewrites texts under the rules of a comparison. Not
 * safe for use by several threads, because it counts the rules that apply.
 */
public final class ValueNormalizer {

  /** A normalizer without rules. */
  static final ValueNormalizer EXACT = new ValueNormalizer(List.of());

  /**
   * The names of contents, by the name of the member that may hold the hash of the content instead.
   */
  private static final Map<String, String> CONTENTS = Stream.of(EventKind.values())
      .flatMap(kind -> Stream.ofNullable(kind.contentName()))
      .collect(Collectors.toUnmodifiableMap(ValueNormalizer::hashName, content -> content));

  private final List<CompiledRule> rules;

  private final RulePaths paths;
  private final TextReach reach;
  private final RuleCounts counts;

  public ValueNormalizer(List<CompiledRule> rules) {
    this.rules = rules;
    this.paths = new RulePaths(rules);
    this.reach = new TextReach(paths);
    this.counts = new RuleCounts(rules.size());
  }

  /** The name of the member that holds the hash of a content instead of its value. */
  public static String hashName(String content) {
    return content + "_hash";
  }

  /** Normalizes a value without counting the rules that apply. */
  public ComparedValue read(JsonValue value) {
    return read(value, null);
  }

  /** Normalizes a value and counts the rules that apply for a side, unless it is null. */
  public ComparedValue read(JsonValue value, @Nullable Side side) {
    return read(value, Place.root(paths.root()), side);
  }

  /**
   * Normalizes a member of an event's view and counts the rules that apply for a side. Returns null
   * when the member itself is ignored, which is not counted.
   */
  @Nullable
  public ComparedValue readMember(String name, JsonValue value, Side side) {
    Place root = Place.root(paths.root());
    long[] states = paths.next(root.states(), name);
    return ignores(states, null) ? null : read(value, root.member(name, states), side);
  }

  /** Whether a rule applies at a place; true for a rule without a path. */
  boolean matches(int rule, ComparedValue value) {
    return paths.matches(rule, value.states);
  }

  /**
   * Returns the value that a text holds, normalized without counting the rules that apply, although
   * no rule may select anything in it. Returns null for a value that is not a text, a text that is
   * not JSON, and at a place below which no rule can select anything.
   */
  public @Nullable ComparedValue inside(ComparedValue value) {
    ComparedValue.Text text = value.text;
    if (text == null || text.inside() != null) {
      return value.inside();
    }
    JsonValue held = TextReach.parse(value.original.asString(), text.place().depth());
    return held == null ? null : read(held, text.place(), null);
  }

  /** Returns a value to be compared as a text, if it is a text that is compared otherwise. */
  public ComparedValue asText(ComparedValue value) {
    ComparedValue.Text text = value.text;
    return text == null || text.inside() == null
        ? value
        : ComparedValue.scalar(
            value.original, rewrite(value.original, text.place(), null), text.place());
  }

  /**
   * Returns the parts of a text that rules replaced before it was compared, as
   * {@link Rewriting#replacements} documents them.
   */
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

  /** Returns the number of times that each rule applied so far. */
  public RuleCounts counts() {
    return counts;
  }

  private ComparedValue read(JsonValue value, Place place, @Nullable Side side) {
    if (value instanceof JsonObject object) {
      List<ComparedValue> members = new ArrayList<>(object.size());
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        long[] states = paths.next(place.states(), name);
        if (!ignores(states, side) && !ignoresContent(place, name, side)) {
          members.add(read(object.value(i), place.member(name, states), side));
        }
      }
      return ComparedValue.container(value, object.size(), members, place, null);
    }
    if (value instanceof JsonArray array) {
      List<ComparedValue> elements = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        long[] states = paths.next(place.states(), i);
        if (!ignores(states, side)) {
          elements.add(read(array.get(i), place.element(i, states), side));
        }
      }
      return ComparedValue.container(
          value, array.size(), elements, place, unordered(place.states(), side));
    }
    if (value instanceof JsonString text && reach.mayReach(text.value(), place.states())) {
      JsonValue held = reach.selected(text.value(), place.states(), place.depth());
      return held == null
          ? ComparedValue.text(value, rewrite(value, place, side), place)
          : ComparedValue.parsed(value, read(held, place, side), place);
    }
    return ComparedValue.scalar(value, rewrite(value, place, side), place);
  }

  private boolean ignores(long[] states, @Nullable Side side) {
    int rule = paths.find(Ignore.Place.class, states);
    if (rule >= 0 && side != null) {
      counts.count(rule, side);
    }
    return rule >= 0;
  }

  /** Whether a member is the hash of a content that is ignored. */
  private boolean ignoresContent(Place event, String name, @Nullable Side side) {
    String content = event.isRoot() ? CONTENTS.get(name) : null;
    return content != null && ignores(paths.next(event.states(), content), side);
  }

  private @Nullable UnorderedArray unordered(long[] states, @Nullable Side side) {
    int rule = paths.find(UnorderedArray.class, states);
    if (rule < 0) {
      return null;
    }
    if (side != null) {
      counts.count(rule, side);
    }
    return (UnorderedArray) rules.get(rule).rule();
  }

  private JsonValue rewrite(JsonValue scalar, Place place, @Nullable Side side) {
    JsonValue rewritten = scalar;
    for (int i = 0; i < rules.size(); i++) {
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

  /** The failure with the place of the text and, if known, the session. */
  private static UncheckedIOException at(
      Place place, @Nullable Side side, RunawayPatternException failure) {
    String session = side == null ? "" : " of the " + side.id() + " session";
    String where = ", at " + Excerpt.of(place.path().toString()) + " in an event" + session;
    return new UncheckedIOException(new RunawayPatternException(
        failure.pattern(), failure.getMessage() + where, failure.getCause()));
  }
}
