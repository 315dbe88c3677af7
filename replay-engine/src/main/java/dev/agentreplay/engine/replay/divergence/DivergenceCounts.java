package dev.agentreplay.engine.replay.divergence;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of divergences by kind and severity. */
public final class DivergenceCounts {

  private final Map<String, Map<DivergenceSeverity, Long>> counts = new TreeMap<>();

  private boolean isPartial;

  /** Creates counts of zero. */
  public DivergenceCounts() {}

  /** States that there may be divergences that are not counted. */
  public void setPartial() {
    isPartial = true;
  }

  /** Adds divergences of a kind and severity. */
  public void add(String kind, DivergenceSeverity severity, long count) {
    counts
        .computeIfAbsent(kind, name -> new EnumMap<>(DivergenceSeverity.class))
        .merge(severity, count, Long::sum);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** The number of a kind. */
  public long count(String kind) {
    return byKind().getOrDefault(kind, 0L);
  }

  /** Whether there is a divergence of a severity, or of a greater one, or there may be. */
  public boolean hasFrom(DivergenceSeverity lowest) {
    return isPartial
        || counts.values().stream()
            .flatMap(severities -> severities.keySet().stream())
            .anyMatch(severity -> severity.compareTo(lowest) >= 0);
  }

  /** The numbers by kind, sorted. */
  public Map<String, Long> byKind() {
    Map<String, Long> kinds = new TreeMap<>();
    counts.forEach((kind, severities) ->
        kinds.put(kind, severities.values().stream().mapToLong(Long::longValue).sum()));
    return Collections.unmodifiableMap(kinds);
  }

  /** Receives a count. */
  public interface Visitor {
    void count(String kind, DivergenceSeverity severity, long count);
  }

  /** Passes each number to a visitor. */
  public void forEach(Visitor visitor) {
    counts.forEach((kind, severities) ->
        severities.forEach((severity, count) -> visitor.count(kind, severity, count)));
  }
}
