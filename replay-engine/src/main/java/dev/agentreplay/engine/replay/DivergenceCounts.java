package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of divergences by kind and severity. */
final class DivergenceCounts {

  private final Map<String, Map<DivergenceSeverity, Long>> counts = new TreeMap<>();

  void add(String kind, DivergenceSeverity severity, long count) {
    counts
        .computeIfAbsent(kind, name -> new EnumMap<>(DivergenceSeverity.class))
        .merge(severity, count, Long::sum);
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  /** The number of a kind. */
  long count(String kind) {
    return byKind().getOrDefault(kind, 0L);
  }

  Map<String, Long> byKind() {
    Map<String, Long> kinds = new TreeMap<>();
    counts.forEach((kind, severities) ->
        kinds.put(kind, severities.values().stream().mapToLong(Long::longValue).sum()));
    return Collections.unmodifiableMap(kinds);
  }

  /** Receives a count. */
  interface Visitor {
    void count(String kind, DivergenceSeverity severity, long count);
  }

  void forEach(Visitor visitor) {
    counts.forEach((kind, severities) ->
        severities.forEach((severity, count) -> visitor.count(kind, severity, count)));
  }
}
