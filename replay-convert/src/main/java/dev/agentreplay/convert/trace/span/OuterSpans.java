package dev.agentreplay.convert.trace.span;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the span that contains one that states no parent, by name and time. Dumps of some tracers
 * leave out the parents; they name the part of an {@code ai.generateText} that is a request
 * {@code ai.generateText.doGenerate}.
 */
final class OuterSpans {

  private final Map<String, NavigableMap<Instant, Span>> byName = new HashMap<>();

  OuterSpans(List<Span> spans) {
    for (Span span : spans) {
      Instant start = span.times().start();
      if (span.link().parent() == null && start != null) {
        byName.computeIfAbsent(span.name(), any -> new TreeMap<>()).putIfAbsent(start, span);
      }
    }
  }

  /** Returns the span that contains a span; null if there is none, or the span has a parent. */
  @Nullable
  Span find(Span span) {
    Instant start = span.times().start();
    int dot = span.name().lastIndexOf('.');
    if (span.link().parent() != null || start == null || dot <= 0) {
      return null;
    }
    NavigableMap<Instant, Span> named = byName.get(span.name().substring(0, dot));
    Map.Entry<Instant, Span> before = named == null ? null : named.floorEntry(start);
    Instant end = before == null ? null : before.getValue().times().end();
    return before == null || end == null || end.isBefore(start) ? null : before.getValue();
  }
}
