package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Copies collections without an order, and sorts the copies. */
public final class OrderCopies implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");
  // FOUND order ArrayList.<init>
  private final List<String> names = new ArrayList<>(Set.of("x", "y"));
  private final Map<String, Integer> sorted = new TreeMap<>();
  private final Map<String, Integer> linked = new LinkedHashMap<>();

  @Override
  public void run(AgentScope scope) throws Exception {
    sourcesOfSorted(scope);
    others(scope, names.isEmpty());
    filled(scope, new TreeMap<>(), new TreeSet<>());
    fields(scope);
  }

  private void sourcesOfSorted(AgentScope scope) throws Exception {
    Set<String> set = Set.of("a", "b");
    Set<String> other = Set.of("c", "d");
    List<String> list = set.stream().collect(Collectors.toList());
    Collections.sort(list);
    // FOUND order Set.iterator
    for (String name : set) {
      scope.call(name, null);
    }
    // FOUND order Set.iterator
    for (String name : other) {
      scope.call(name, null);
    }
    for (String name : list) {
      scope.call(name, null);
    }
    Set<String> streamed = Set.of("a", "b");
    scope.call(streamed.stream().sorted().toList().get(0), null);
    // FOUND order Set.iterator
    for (String name : streamed) {
      scope.call(name, null);
    }
    Set<String> tools = TOOLS;
    List<String> copy = tools.stream().collect(Collectors.toList());
    copy.sort(null);
    // FOUND order Set.iterator
    for (String name : tools) {
      scope.call(name + copy.get(0), null);
    }
  }

  private void others(AgentScope scope, boolean isFirst) throws Exception {
    List<String> one = new ArrayList<>(TOOLS);
    List<String> two = new ArrayList<>(TOOLS);
    List<String> either = isFirst ? one : two;
    Collections.sort(either);
    scope.call(either.get(0), null);
    // FOUND order List.get
    scope.call(one.get(0), null);
    List<String> loaded = names;
    Collections.sort(loaded);
    scope.call(loaded.get(0), null);
    // FOUND order List.get
    scope.call(names.get(0), null);
    List<String> chosen = new ArrayList<>(TOOLS);
    if (isFirst) {
      chosen = TOOLS.stream().collect(Collectors.toList());
    }
    Collections.sort(chosen);
    scope.call(chosen.get(0), null);
  }

  private void filled(AgentScope scope, TreeMap<String, Integer> map, TreeSet<String> set)
      throws Exception {
    map.putAll(new HashMap<>(linked));
    map.forEach((name, count) -> scope.settings(null));
    set.addAll(TOOLS);
    set.addAll(Set.of("x", "y"));
    scope.call(String.format("%s", set), null);
  }

  private void fields(AgentScope scope) throws Exception {
    Map<String, Integer> local = sorted;
    local.putAll(new HashMap<>(linked));
    local.forEach((name, count) -> scope.settings(null));
    Map<String, Integer> unsorted = linked;
    unsorted.putAll(new HashMap<>(sorted));
    // FOUND order Map.forEach
    unsorted.forEach((name, count) -> scope.settings(null));
    Map<String, Integer> again = linked;
    again.putAll(unsorted);
    // FOUND order Map.forEach
    again.forEach((name, count) -> scope.settings(null));
    Map<String, Integer> either = names.isEmpty() ? sorted : linked;
    either.putAll(new HashMap<>(sorted));
    // FOUND order Map.forEach
    either.forEach((name, count) -> scope.settings(null));
  }
}
