package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Passes on lists and arrays that keep the order of a collection without one. */
public final class OrderKept implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");
  private final Map<String, Integer> counts = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private List<String> last = List.of();

  @Override
  public void run(AgentScope scope) throws Exception {
    requests(scope);
    scope.call("returned", collected());
    scope.call("returned", copied());
    scope.call("sorted", sorted());
    leaving(scope);
    fine(scope, new ArrayList<>());
    arrays(scope);
    sortedArrays(scope);
  }

  private void requests(AgentScope scope) throws Exception {
    // FOUND order AgentScope.call
    scope.call("x", TOOLS.stream().collect(Collectors.toList()));
    // FOUND order AgentScope.call
    scope.call("x", TOOLS);
    // FOUND order AgentScope.call
    scope.call("x", counts.keySet());
    // FOUND order AgentScope.ask
    scope.ask("m", TOOLS.stream().map(String::trim).toList());
    // FOUND order AgentScope.run
    scope.run("x", new ArrayList<>(counts.values()), () -> null);
    scope.call("x", counts);
    scope.call("x", Map.of("path", "a"));
    scope.call("x", new TreeSet<>(TOOLS));
    List<String> list = TOOLS.stream().collect(Collectors.toList());
    list.sort(null);
    scope.call("x", list);
    scope.ask("m", TOOLS.stream().sorted().toList());
    scope.run("x", null, () -> list.get(0));
  }

  private static List<String> collected() {
    // FOUND order Stream.collect
    return TOOLS.stream().collect(Collectors.toList());
  }

  private List<String> copied() {
    // FOUND order ArrayList.<init>
    List<String> copy = new ArrayList<>(counts.keySet());
    if (copy.size() < 3) {
      Collections.sort(copy);
    }
    return copy;
  }

  private static List<String> sorted() {
    List<String> list = new ArrayList<>(TOOLS);
    Collections.sort(list);
    return Collections.unmodifiableList(list);
  }

  private void leaving(AgentScope scope) throws Exception {
    // FOUND order Stream.toList
    List<String> stored = TOOLS.stream().toList();
    last = stored;
    scope.call("last", last);
    List<Object> list = Arrays.asList("a", new HashMap<>(counts));
    helper(scope, List.of("counts %s".formatted(list)));
    // FOUND order String.formatted
    helper(scope, List.of("counts %s %s".formatted(new HashMap<>(counts), list)));
    // FOUND order Stream.toList
    List<String> inMap = TOOLS.stream().toList();
    scope.call("x", Map.of("tools", inMap));
    // FOUND order JsonObject.of
    scope.call("x", JsonObject.of("tools", List.copyOf(TOOLS)));
    // FOUND order JsonArray.of
    scope.call("x", JsonArray.of("tools", counts.keySet()));
    scope.call("x", JsonObject.of("counts", counts, "map", new HashMap<>(counts)));
    // FOUND order Stream.toList
    List<String> passed = TOOLS.stream().toList();
    helper(scope, passed);
    // FOUND order Stream.toList
    List<String> captured = TOOLS.stream().toList();
    Runnable later = () -> System.err.println(captured.get(0));
    later.run();
    List<String> all = new ArrayList<>();
    // FOUND order List.addAll
    all.addAll(TOOLS);
    helper(scope, all);
    // FOUND order Stream.toList
    last.addAll(TOOLS.stream().toList());
  }

  /** Is created elsewhere, so that only the use of its field is reached. */
  private static final class Given {
    private final List<String> names = new ArrayList<>(Set.of("x", "y"));

    String first() {
      // FOUND order List.get
      return names.get(0);
    }
  }

  private static void given(AgentScope scope, Given given) throws Exception {
    scope.call(given.first(), null);
  }

  private static void helper(AgentScope scope, List<String> names) throws Exception {
    scope.call("x", names.get(0));
  }

  private void fine(AgentScope scope, List<String> others) throws Exception {
    List<String> list = TOOLS.stream().map(String::trim).collect(Collectors.toList());
    scope.call("x", list.size() + " " + list.contains("read") + seen.containsAll(list));
    seen.addAll(list);
    seen.removeAll(list);
    scope.call("x", others.stream().filter(list::contains).toList());
    scope.call("x", list.stream().sorted().toList());
    scope.call("x", new TreeSet<>(list).first() + new HashSet<>(list).size());
    scope.call("x", Set.copyOf(list).size());
    Set<String> set = new HashSet<>();
    set.addAll(list);
    scope.call("x", set.size());
    scope.call("x", list.stream().anyMatch(others::contains));
    List<String> copy = new ArrayList<>(list);
    Collections.sort(copy);
    helper(scope, copy);
    last = copy;
  }

  private void arrays(AgentScope scope) throws Exception {
    // FOUND order Set.toArray
    String[] t = TOOLS.toArray(new String[0]), u = TOOLS.toArray(new String[0]);
    Arrays.sort(t);
    scope.call(t[0] + u[0], null);
    // FOUND order Set.toArray
    String[] early = TOOLS.toArray(new String[0]);
    scope.call(early[0], null);
    Arrays.sort(early);
    // FOUND order Stream.toArray
    Object[] passed = TOOLS.stream().toArray();
    scope.call("x", Arrays.asList(passed));
    // FOUND order Set.toArray
    for (String tool : TOOLS.toArray(new String[0])) {
      scope.call(tool, null);
    }
    // FOUND order AgentScope.call
    scope.call("x", TOOLS.toArray(new String[0]));
    // FOUND order Set.toArray
    Object cloned = TOOLS.toArray(new String[0]).clone();
    scope.call("x", cloned);
  }

  private void sortedArrays(AgentScope scope) throws Exception {
    String[] t = TOOLS.toArray(new String[0]), u = TOOLS.toArray(new String[0]);
    Arrays.sort(t);
    Arrays.sort(u);
    scope.call(t[0] + u[0], Arrays.asList(t));
    String[] counted = TOOLS.toArray(new String[0]);
    scope.call("x", counted.length);
  }
}
