package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Iterates collections without an order. */
public final class Orders implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<String, Integer> sorted = new TreeMap<>();
  private final Map<String, Integer> given;

  public Orders(Map<String, Integer> given) {
    this.given = given;
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND order Set.iterator
    for (String tool : TOOLS) {
      scope.call(tool, null);
    }
    // FOUND order Set.iterator
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      scope.call(entry.getKey(), entry.getValue());
    }
    HashSet<String> names = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      names.add("n" + i);
    }
    // FOUND order HashSet.forEach
    names.forEach(name -> scope.settings(null));
    Set<String> declared = new HashSet<>();
    // FOUND order HashSet.iterator
    for (String name : names) {
      declared.add(name);
    }
    List<String> list = new ArrayList<>(declared);
    // FOUND order List.get
    scope.call("first", list.get(0));
    // FOUND order Stream.collect
    String joined = declared.stream().map(name -> name + "!").collect(Collectors.joining());
    // FOUND order HashSet.toString
    scope.ask("m", joined + declared);
    Map<Integer, List<String>> groups =
        list(scope).stream().collect(Collectors.groupingBy(String::length));
    // FOUND order Map.forEach
    groups.forEach((length, words) -> scope.settings(null));
    passedOn(scope);
    fine(scope, declared);
    collectors(scope);
  }

  private static List<String> list(AgentScope scope) throws Exception {
    return List.of(scope.call("list", null).asString());
  }

  private void passedOn(AgentScope scope) throws Exception {
    Map<String, Integer> copied = new LinkedHashMap<>();
    copied.putAll(counts);
    // FOUND order Map.forEach
    copied.forEach((name, count) -> scope.settings(null));
    HashSet<String> names = new HashSet<>(List.of("x", "y"));
    // FOUND order String.formatted
    scope.ask("m", "%s and %s".formatted("a", names));
    // FOUND order String.format
    scope.ask("m", String.format("%s", TOOLS));
    List<String> collected = TOOLS.stream().collect(Collectors.toList());
    // FOUND order List.iterator
    for (String tool : collected) {
      scope.call(tool, null);
    }
    // FOUND order LinkedHashSet.iterator
    for (String tool : TOOLS.stream().collect(Collectors.toCollection(LinkedHashSet::new))) {
      scope.call(tool, null);
    }
    // FOUND order Set.toArray
    String[] array = TOOLS.toArray(new String[0]);
    scope.call(array[0], array.length);
    // FOUND order Stream.reduce
    scope.call("all", TOOLS.stream().reduce("", String::concat));
    // FOUND order Stream.collect
    scope.call("mean", TOOLS.stream().collect(Collectors.averagingDouble(String::length)));
    scope.ask("m", "" + new Names(names, counts) + new Kinds(Kind.ONE).hashCode());
    scope.ask("m", "" + new Plain("text", List.of(), 1) + new Plain("", List.of(), 1).hashCode());
  }

  private enum Kind {
    ONE
  }

  // FOUND order HashSet.toString
  private record Names(HashSet<String> names, Map<String, Integer> counts) {}

  // FOUND id Enum.hashCode
  private record Kinds(Kind kind) {}

  private record Plain(String text, List<String> list, int number) {}

  private void collectors(AgentScope scope) throws Exception {
    List<String> list = TOOLS.stream().collect(Collectors.toList());
    Collections.sort(list);
    for (String tool : list) {
      scope.call(tool, null);
    }
    Set<String> tree = TOOLS.stream().collect(Collectors.toCollection(TreeSet::new));
    for (String tool : tree) {
      scope.call(tool, null);
    }
    TreeSet<String> created =
        TOOLS.stream().collect(Collectors.toCollection(() -> new TreeSet<>()));
    for (String tool : created) {
      scope.call(tool, null);
    }
    Map<String, Integer> map = TOOLS.stream()
        .collect(Collectors.toMap(name -> name, String::length, Integer::sum, TreeMap::new));
    for (String tool : map.keySet()) {
      scope.call(tool, null);
    }
    scope.call("count", TOOLS.stream().collect(Collectors.counting()));
    scope.call("sum", TOOLS.stream().collect(Collectors.summingInt(String::length)));
    scope.call("mean", TOOLS.stream().collect(Collectors.averagingInt(String::length)));
    scope.call("total", TOOLS.stream().map(String::length).reduce(0, Integer::sum));
    scope.call("longest", TOOLS.stream().map(String::length).reduce(Math::max));
    String[] array = TOOLS.toArray(new String[0]);
    Arrays.sort(array);
    scope.call(array[0], array.length);
    Object[] objects = TOOLS.stream().toArray();
    Arrays.sort(objects);
    scope.call("%s".formatted(objects[0]), null);
    Map<String, Integer> filled = new TreeMap<>();
    filled.putAll(counts);
    scope.ask("m", "%s of %s".formatted(filled, list));
  }

  private void fine(AgentScope scope, Set<String> unknown) throws Exception {
    for (String key : sorted.keySet()) {
      scope.call(key, null);
    }
    for (String key : given.keySet()) {
      scope.call(key, null);
    }
    for (String name : unknown) {
      scope.call(name, null);
    }
    for (String only : Set.of("one")) {
      scope.call(only, null);
    }
    for (String tool : new TreeSet<>(TOOLS)) {
      scope.call(tool, null);
    }
    List<String> copy = new ArrayList<>(TOOLS);
    Collections.sort(copy);
    for (String tool : copy) {
      scope.call(tool, null);
    }
    for (String tool : TOOLS.stream().sorted().toList()) {
      scope.call(tool, null);
    }
    HashMap<String, String> ordered = new LinkedHashMap<>();
    ordered.put("a", "b");
    for (String key : ordered.keySet()) {
      scope.call(key, null);
    }
    Set<String> linked = new LinkedHashSet<>(List.of("x", "y"));
    scope.call("count", TOOLS.stream().filter(linked::contains).count());
    scope.call("any", TOOLS.stream().anyMatch(counts::containsKey));
    scope.call("set", linked.stream().collect(Collectors.toSet()).size() + TOOLS.size());
    for (String key : linked) {
      scope.call(key, counts.get(key));
    }
  }
}
