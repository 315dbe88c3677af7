package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.attribution.RecordedRun.Call;
import dev.agentreplay.engine.attribution.RecordedRun.Lane;
import dev.agentreplay.engine.attribution.RecordedRun.Value;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the differences between two recordings that did not follow from others: how the
 * conversations of each agent begin, other results of the same requests, and other values.
 */
final class DifferenceFinder {

  private static final String CONTEXT = "context";
  private static final String MESSAGES = "messages";

  private record Found(
      Difference.Kind kind, String title, long left, long right, ForkChange change) {}

  private final List<Found> found = new ArrayList<>();
  private final List<String> notTried = new ArrayList<>();

  private DifferenceFinder() {}

  /** The differences of the second recording from the first, in the order of their lines. */
  static DifferenceFinder between(RecordedRun left, RecordedRun right) {
    DifferenceFinder finder = new DifferenceFinder();
    right.lanes().keySet().stream()
        .filter(agent -> !left.lanes().containsKey(agent))
        .forEach(agent -> finder.notTried.add(
            "the agent %s, which only the second recording has".formatted(agent)));
    left.lanes().forEach((agent, lane) -> {
      Lane other = right.lanes().get(agent);
      if (other == null) {
        finder.notTried.add("the agent %s, which only the first recording has".formatted(agent));
      } else {
        finder.later(lane, other);
        finder.requests(lane, other);
        finder.results(lane, other);
        finder.values(lane, other);
      }
    });
    finder.settings(left.settings(), right.settings());
    return finder;
  }

  /**
   * Returns the differences without those of requests that a run does not have any more.
   *
   * @param made a run on the first recording with the results and values of the second
   */
  static List<Difference> withoutConsequences(
      List<Difference> differences, RecordedRun made, RecordedRun second) {
    Set<String> left = new TreeSet<>();
    Set<Long> compared = new TreeSet<>();
    second.lanes().forEach((agent, lane) -> {
      Lane own = made.lanes().get(agent);
      if (own != null && !own.models.isEmpty() && !lane.models.isEmpty()) {
        DifferenceFinder finder = new DifferenceFinder();
        finder.requests(own, lane);
        finder.found.forEach(each -> left.add(place(each.right, each.change)));
        compared.add(lane.models.get(0).line);
      }
    });
    return differences.stream()
        .filter(each -> !(each.change() instanceof ForkChange.RequestValue)
            || !compared.contains(each.rightLine())
            || left.contains(place(each.rightLine(), each.change())))
        .toList();
  }

  private static String place(long line, ForkChange change) {
    return "%d %s".formatted(line, ((ForkChange.RequestValue) change).pointer());
  }

  List<Difference> differences() {
    List<Found> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingLong(Found::left));
    List<Difference> differences = new ArrayList<>();
    for (Found each : sorted) {
      differences.add(new Difference(
          differences.size() + 1, each.kind, each.title, each.left, each.right, each.change));
    }
    return differences;
  }

  /** The differences that no trial can take over. */
  List<String> notTried() {
    return notTried;
  }

  private void settings(JsonObject left, JsonObject right) {
    Set<String> names = new TreeSet<>(left.names());
    names.addAll(right.names());
    for (String name : names) {
      if (!Objects.equals(left.get(name), right.get(name))) {
        notTried.add("the setting " + name);
      }
    }
  }

  private void requests(Lane left, Lane right) {
    if (left.models.isEmpty() || right.models.isEmpty()) {
      return;
    }
    Call one = left.models.get(0);
    Call other = right.models.get(0);
    ModelCall before = (ModelCall) one.call;
    ModelCall after = (ModelCall) other.call;
    if (after.model() != null && !Objects.equals(before.model(), after.model())) {
      add(
          Difference.Kind.MODEL,
          "model %s instead of %s".formatted(after.model(), before.model()),
          one,
          other,
          ForkChange.set(one.line, new JsonPointer(List.of("model")), JsonValue.of(after.model())));
    }
    members(
        before.parameters().json(),
        after.parameters().json(),
        List.of("parameters"),
        Difference.Kind.PARAMETER,
        one,
        other);
    prompt(before.prompt(), after.prompt(), one, other);
  }

  /** Notes the first later model call that has a different model or parameters than the first. */
  private void later(Lane left, Lane right) {
    for (int i = 1; i < Math.min(left.models.size(), right.models.size()); i++) {
      ModelCall before = (ModelCall) left.models.get(i).call;
      ModelCall after = (ModelCall) right.models.get(i).call;
      boolean isSame = Objects.equals(before.model(), after.model())
          && before.parameters().equals(after.parameters());
      ModelCall first = (ModelCall) left.models.get(0).call;
      boolean isAsFirst = Objects.equals(before.model(), first.model())
          && before.parameters().equals(first.parameters());
      if (!isSame && !(isAsFirst && hasThoseOfFirst(right, after))) {
        notTried.add(
            "the model or its parameters in the call on line %d, not the first of its agent"
                .formatted(left.models.get(i).line));
        return;
      }
    }
  }

  /** Whether a later call has the model and the parameters of the first call of its agent. */
  private static boolean hasThoseOfFirst(Lane right, ModelCall after) {
    ModelCall first = (ModelCall) right.models.get(0).call;
    return Objects.equals(first.model(), after.model())
        && first.parameters().equals(after.parameters());
  }

  private void prompt(Content before, Content after, Call one, Call other) {
    if (!(before.value() instanceof JsonObject old)
        || !(after.value() instanceof JsonObject changed)) {
      return;
    }
    JsonObject left = old;
    JsonObject right = changed;
    if (left.get(CONTEXT) instanceof JsonObject context
        && right.get(CONTEXT) instanceof JsonObject otherContext) {
      List<String> place = List.of("prompt", CONTEXT);
      members(context, otherContext, place, Difference.Kind.PROMPT, one, other);
      left = left.without(CONTEXT);
      right = right.without(CONTEXT);
    }
    if (left.get(MESSAGES) instanceof JsonArray messages
        && right.get(MESSAGES) instanceof JsonArray others
        && messages.size() == others.size()) {
      for (int i = 0; i < messages.size(); i++) {
        member(
            messages.get(i),
            others.get(i),
            List.of("prompt", MESSAGES, String.valueOf(i)),
            Difference.Kind.PROMPT,
            one,
            other);
      }
      left = left.without(MESSAGES);
      right = right.without(MESSAGES);
    }
    members(left, right, List.of("prompt"), Difference.Kind.PROMPT, one, other);
  }

  private void members(
      JsonObject left,
      JsonObject right,
      List<String> place,
      Difference.Kind kind,
      Call one,
      Call other) {
    Set<String> names = new TreeSet<>(left.names());
    names.addAll(right.names());
    for (String name : names) {
      List<String> tokens = new ArrayList<>(place);
      tokens.add(name);
      member(left.get(name), right.get(name), tokens, kind, one, other);
    }
  }

  private void member(
      @Nullable JsonValue left,
      @Nullable JsonValue right,
      List<String> tokens,
      Difference.Kind kind,
      Call one,
      Call other) {
    if (!Objects.equals(left, right)) {
      JsonPointer pointer = new JsonPointer(tokens);
      String what = kind == Difference.Kind.PARAMETER ? "parameter" : "prompt";
      JsonPointer inner = new JsonPointer(tokens.subList(1, tokens.size()));
      add(
          kind,
          "%s %s".formatted(what, inner),
          one,
          other,
          new ForkChange.RequestValue(one.line, pointer, right));
    }
  }

  private void results(Lane left, Lane right) {
    left.same.forEach((key, calls) -> {
      List<Call> others = right.same.getOrDefault(key, List.of());
      for (int i = 0; i < Math.min(calls.size(), others.size()); i++) {
        ReplayEvent before = calls.get(i).result;
        ReplayEvent after = others.get(i).result;
        if (before != null && after != null && !RecordedRun.isSame(before, after)) {
          result(calls.get(i), others.get(i), after);
        }
      }
    });
  }

  private void result(Call one, Call other, ReplayEvent after) {
    if (RecordedRun.isKnown(after)) {
      ForkChange change = new ForkChange.Result(one.line, after);
      add(Difference.Kind.RESULT, "result of " + one.call.name(), one, other, change);
    } else {
      notTried.add("the result of %s on line %d, of which only the hash is known"
          .formatted(one.call.name(), other.line));
    }
  }

  private void values(Lane left, Lane right) {
    left.values.forEach((source, values) -> {
      List<Value> others = right.values.getOrDefault(source, List.of());
      if (values.size() != others.size()) {
        notTried.add("the number of values of %s, %d and %d"
            .formatted(source, values.size(), others.size()));
      }
      for (int i = 0; i < Math.min(values.size(), others.size()); i++) {
        Value before = values.get(i);
        Value after = others.get(i);
        if (!before.event().value().equals(after.event().value())) {
          found.add(new Found(
              Difference.Kind.VALUE,
              "value of " + source,
              before.line(),
              after.line(),
              new ForkChange.Value(before.line(), after.event().value())));
        }
      }
    });
  }

  private void add(Difference.Kind kind, String title, Call one, Call other, ForkChange change) {
    found.add(new Found(kind, title, one.line, other.line, change));
  }
}
