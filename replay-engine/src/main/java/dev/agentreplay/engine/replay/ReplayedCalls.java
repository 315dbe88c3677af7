package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.KnownPartners;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls in the log of a replay: the number of each request, and the recorded call that it was
 * matched with. The call of a miss has the nearest recorded one, unless that was requested.
 */
final class ReplayedCalls implements KnownPartners {

  /** A call of a request that was missed. */
  private record Missed(long line, ExchangeKind kind, long nearest) {}

  /** The numbers of the requests, by the lines of their calls. */
  private final Map<Long, Long> requests = new HashMap<>();

  /** The lines of the calls, by those of their recorded calls. */
  private final Map<Long, Long> partners = new HashMap<>();

  private final List<Missed> missed = new ArrayList<>();

  private final CallPairing<Long> tools = new CallPairing<>();
  private final CallPairing<Long> models = new CallPairing<>();

  /** The lines of the calls without a result so far. */
  private final Set<Long> open = new HashSet<>();

  private Set<Long> openAtStop = Set.of();

  /** The numbers of the requests that the recorder did not take, which have no line. */
  private final Set<Long> notRecorded;

  private long number;

  private ReplayedCalls(Set<Long> notRecorded) {
    this.notRecorded = notRecorded;
  }

  /**
   * Reads the calls.
   *
   * @param misses the misses, by the numbers of their requests
   * @param notRecorded the numbers of the requests that the recorder did not take
   * @param stoppedAt the number of the request at which the replay stopped; null if it was none
   */
  static ReplayedCalls read(
      Session replayed,
      List<RecordedExchange> recorded,
      Map<Long, ReplayMiss> misses,
      Set<Long> notRecorded,
      @Nullable Long stoppedAt)
      throws IOException {
    ReplayedCalls calls = new ReplayedCalls(notRecorded);
    try (ReplayReader reader = replayed.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ToolCall || line.event() instanceof ModelCall) {
          calls.add(line.event(), line.position().line(), misses);
        }
        if (stoppedAt != null && calls.openAtStop.isEmpty()) {
          calls.follow(line, stoppedAt);
        }
      }
    }
    calls.pairMissed(recorded);
    return calls;
  }

  private void add(ReplayEvent call, long line, Map<Long, ReplayMiss> misses) {
    do {
      number++;
    } while (notRecorded.contains(number));
    requests.put(line, number);
    Provenance provenance = Provenance.of(call);
    Long matched = provenance == null ? null : provenance.line();
    ReplayMiss miss = misses.get(number);
    if (matched != null) {
      partners.put(matched, line); // of several, the last: the others were not executed
    } else if (miss != null && miss.nearest() != null) {
      missed.add(new Missed(line, ExchangeKind.ofCall(call), miss.nearest().line()));
    }
  }

  /** Notes which calls are open, up to the call at which the replay stopped. */
  private void follow(ReplayLine line, long stoppedAt) {
    ReplayEvent event = line.event();
    String agent = event.meta().agent();
    Long at = line.position().line();
    if (event instanceof ToolCall call) {
      tools.call(call.id(), agent, at);
      open.add(at);
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), agent, at);
      open.add(at);
    } else if (event instanceof ToolResult result) {
      close(tools.result(result.id(), agent));
    } else if (event instanceof ModelResult result) {
      close(models.result(result.id(), agent));
    }
    if (number == stoppedAt) {
      openAtStop = Set.copyOf(open);
    }
  }

  private void close(@Nullable Long call) {
    if (call != null) {
      open.remove(call);
    }
  }

  private void pairMissed(List<RecordedExchange> recorded) {
    if (missed.isEmpty()) {
      return;
    }
    Map<Long, ExchangeKind> kinds = new HashMap<>();
    recorded.forEach(exchange -> kinds.put(exchange.line(), exchange.kind()));
    for (Missed call : missed) {
      if (call.kind() == kinds.get(call.nearest())) {
        partners.putIfAbsent(call.nearest(), call.line());
      }
    }
  }

  /**
   * Whether a call had no result yet when the request was made at which the replay stopped.
   *
   * @param line the line of the call; null for a step that is none
   */
  boolean wasOpenAtStop(@Nullable Long line) {
    return line != null && openAtStop.contains(line);
  }

  /** The number of the request of a call; null if there is none on the line. */
  @Nullable
  Long request(long line) {
    return requests.get(line);
  }

  @Override
  public long right(long leftLine) {
    return partners.getOrDefault(leftLine, 0L);
  }
}
