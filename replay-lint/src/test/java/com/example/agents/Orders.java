package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.ArrayList;
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
    fine(scope, declared);
  }

  private static List<String> list(AgentScope scope) throws Exception {
    return List.of(scope.call("list", null).asString());
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
