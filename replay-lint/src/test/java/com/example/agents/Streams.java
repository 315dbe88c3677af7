package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Passes the missing order of a set through streams of numbers. */
public final class Streams implements ReplayAgent {

  private static final Set<String> TOOLS = Set.of("read", "write");

  @Override
  public void run(AgentScope scope) throws Exception {
    List<Integer> ints = TOOLS.stream().mapToInt(String::length).boxed().toList();
    // FOUND order AgentScope.call
    scope.call("x", ints);
    List<Long> longs = TOOLS.stream().mapToLong(String::length).boxed().toList();
    // FOUND order AgentScope.call
    scope.call("x", longs);
    List<Double> doubles = TOOLS.stream().mapToDouble(String::length).boxed().toList();
    // FOUND order AgentScope.call
    scope.call("x", doubles);
    // FOUND order Stream.collect
    scope.ask("m", TOOLS.stream().mapToLong(name -> 1).mapToObj(i -> "" + i).collect(joining()));
    scope.ask("m", ofInts());
    scope.ask("m", ofDoubles());
    scope.call("x", TOOLS.stream().mapToLong(String::length).sorted().boxed().toList());
    scope.call("x", TOOLS.stream().mapToInt(String::length).asLongStream().sum());
  }

  private static String ofInts() {
    return TOOLS.stream()
        .mapToInt(String::length)
        .filter(length -> length > 1)
        .map(length -> length + 1)
        .asLongStream()
        .mapToObj(Long::toString)
        // FOUND order Stream.collect
        .collect(joining());
  }

  private static String ofDoubles() {
    // FOUND order Stream.collect
    return TOOLS.stream().mapToDouble(i -> 1).distinct().mapToObj(i -> "" + i).collect(joining());
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining();
  }
}
