package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Copies collections without an order, and sorts the copies. */
public final class OrderCopies implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");
  private final List<String> names = new ArrayList<>(Set.of("x", "y"));

  @Override
  public void run(AgentScope scope) throws Exception {
    sourcesOfSorted(scope);
    others(scope, names.isEmpty());
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
}
