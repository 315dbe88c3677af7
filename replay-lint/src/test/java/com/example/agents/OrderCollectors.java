package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Collects and reduces streams without an order. */
public final class OrderCollectors implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");

  @Override
  public void run(AgentScope scope) throws Exception {
    maps(scope);
    groups(scope);
    reductions(scope, BigInteger.TEN);
    finishers(scope);
  }

  private void maps(AgentScope scope) throws Exception {
    Map<String, Integer> linked = TOOLS.stream()
        .collect(Collectors.toMap(name -> name, String::length, Integer::sum, LinkedHashMap::new));
    // FOUND order Map.forEach
    linked.forEach((name, length) -> scope.settings(null));
    Map<Integer, String> last = TOOLS.stream()
        // FOUND order Stream.collect
        .collect(Collectors.toMap(String::length, name -> name, (x, y) -> y, TreeMap::new));
    scope.call(last.get(4), null);
    Map<Integer, String> first = TOOLS.stream()
        // FOUND order Stream.collect
        .collect(Collectors.toMap(String::length, name -> name, (x, y) -> x));
    scope.call(first.get(4), null);
    Map<String, Integer> sums =
        TOOLS.stream().collect(Collectors.toMap(name -> name, String::length, Integer::sum));
    scope.call("sum", sums.get("read"));
  }

  private void groups(AgentScope scope) throws Exception {
    Map<Integer, Long> counts =
        TOOLS.stream().collect(Collectors.groupingBy(String::length, Collectors.counting()));
    scope.call("count", counts.get(4));
    Map<Integer, Long> sorted = TOOLS.stream()
        .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.counting()));
    for (Integer length : sorted.keySet()) {
      scope.call("count", length);
    }
    Map<Integer, Long> linked = TOOLS.stream()
        .collect(Collectors.groupingBy(String::length, LinkedHashMap::new, Collectors.counting()));
    // FOUND order Set.iterator
    for (Integer length : linked.keySet()) {
      scope.call("count", length);
    }
    Map<Integer, List<String>> lists =
        // FOUND order Stream.collect
        TOOLS.stream().collect(Collectors.groupingBy(String::length));
    scope.call("read", lists.get(4));
    Map<Integer, String> joined = TOOLS.stream()
        // FOUND order Stream.collect
        .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.joining()));
    scope.call("read", joined.get(4));
    // FOUND order Map.toString
    scope.call("read", "" + lists);
  }

  private void reductions(AgentScope scope, BigInteger given) throws Exception {
    // FOUND order Stream.reduce
    scope.call("a", TOOLS.stream().reduce(0, (sum, t) -> sum * 31 + t.length(), Integer::sum));
    BinaryOperator<BigInteger> shift = (p, q) -> p.shiftLeft(1).add(q);
    scope.call(
        "b",
        // FOUND order Stream.reduce
        TOOLS.stream().map(BigInteger::new).reduce(given.add(BigInteger.ONE), shift));
    scope.call("c", TOOLS.stream().map(BigInteger::new).reduce(given.add(given), BigInteger::add));
    BinaryOperator<Integer> either = given.signum() > 0 ? Integer::sum : (x, y) -> x;
    // FOUND order Stream.reduce
    scope.call("d", TOOLS.stream().map(String::length).reduce(0, either));
    // FOUND order Stream.collect
    scope.call("e", TOOLS.stream().collect(Collectors.reducing("", String::concat)));
    scope.call("f", TOOLS.stream().collect(Collectors.reducing(0, String::length, Integer::sum)));
    Function<BigInteger, BigInteger> plus = given::add;
    String joined = TOOLS.stream()
        .map(BigInteger::new)
        // FOUND order Stream.collect
        .collect(Collectors.mapping(
            plus, Collectors.mapping(BigInteger::toString, Collectors.joining())));
    scope.call("g", joined);
  }

  private void finishers(AgentScope scope) throws Exception {
    String first = TOOLS.stream()
        // FOUND order Stream.collect
        .collect(Collectors.collectingAndThen(Collectors.toList(), list -> list.get(0)));
    String text = TOOLS.stream()
        // FOUND order Stream.collect
        .collect(Collectors.collectingAndThen(Collectors.toSet(), Object::toString));
    scope.call(first, text);
    List<String> list = TOOLS.stream()
        .collect(Collectors.collectingAndThen(Collectors.toList(), Collections::unmodifiableList));
    // FOUND order List.get
    scope.call(list.get(0), null);
    List<String> copy =
        TOOLS.stream().collect(Collectors.collectingAndThen(Collectors.toList(), ArrayList::new));
    // FOUND order List.get
    scope.call(copy.get(0), null);
    Set<String> set =
        TOOLS.stream().collect(Collectors.collectingAndThen(Collectors.toList(), HashSet::new));
    // FOUND order Set.iterator
    for (String tool : set) {
      scope.call(tool, null);
    }
    Set<String> sorted =
        TOOLS.stream().collect(Collectors.collectingAndThen(Collectors.toSet(), TreeSet::new));
    for (String tool : sorted) {
      scope.call(tool, null);
    }
    scope.call(
        "n", TOOLS.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size)));
    scope.call(
        "m",
        TOOLS.stream()
            .collect(Collectors.collectingAndThen(Collectors.counting(), count -> count + 1)));
    scope.call(
        "o",
        TOOLS.stream()
            .collect(Collectors.collectingAndThen(
                Collectors.toCollection(TreeSet::new), tree -> tree.first())));
  }
}
