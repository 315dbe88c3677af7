package dev.agentreplay.engine.exchange;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers of recordings to requests: for the same request in the same lane, the first time the
 * first recorded result, then the next one. Results are read from the logs when they are asked for.
 * Not safe for use by several threads at the same time.
 */
public final class RecordedAnswers implements Closeable {

  private record Asked(@Nullable String agent, RequestKey key) {}

  private record Source(RecordedExchanges recorded, Map<Asked, List<RecordedExchange>> exchanges) {}

  private final List<Source> sources = new ArrayList<>();

  /** Creates the answers of no recording. */
  public RecordedAnswers() {}

  /**
   * Adds those of a recording, which are used after those of the ones before.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line cannot be read
   */
  public void add(Session session) throws IOException {
    RecordedExchanges recorded = RecordedExchanges.read(
        session, canonical -> EventComparison.of(DiffOptions.defaults(), canonical), line -> {});
    Map<Asked, List<RecordedExchange>> exchanges = new HashMap<>();
    for (RecordedExchange exchange : recorded.all()) {
      if (exchange.isAnswered()) {
        exchanges
            .computeIfAbsent(new Asked(exchange.agent(), exchange.key), asked -> new ArrayList<>())
            .add(exchange);
      }
    }
    sources.add(new Source(recorded, exchanges));
  }

  /** Starts a run, in which each request is asked for the first time. */
  public Run start() {
    return new Run();
  }

  @Override
  public void close() throws IOException {
    for (Source source : sources) {
      source.recorded.close();
    }
  }

  /** The answers to the requests of one run. */
  public final class Run {

    private final Map<Asked, Integer> asked = new HashMap<>();

    private Run() {}

    /**
     * Returns the answer to a request.
     *
     * @param call the call, with its parameters or prompt in full
     * @param agent the id of the agent that makes it; null for the main agent
     * @return the result, whose content has its value; null if no recording has it
     * @throws IOException if a recording cannot be read, or was changed
     */
    public @Nullable ReplayEvent answer(ReplayEvent call, @Nullable String agent)
        throws IOException {
      ReplayEvent request = RequestKeys.request(call);
      @Nullable Asked first = null;
      for (Source source : sources) {
        Asked request1 =
            new Asked(agent, RequestKeys.exact(request, source.recorded.canonicalization()));
        first = first == null ? request1 : first;
        int before = asked.getOrDefault(first, 0);
        List<RecordedExchange> same = source.exchanges.getOrDefault(request1, List.of());
        ReplayEvent answer = before < same.size() ? read(source, same.get(before)) : null;
        if (answer != null) {
          asked.put(first, before + 1);
          return answer;
        }
      }
      return null;
    }

    private static @Nullable ReplayEvent read(Source source, RecordedExchange exchange)
        throws IOException {
      ReplayEvent result = source.recorded.result(exchange);
      return result == null ? null : withValue(result, source.recorded.resolve(result.content()));
    }
  }

  /** A result with its value; null if only its hash is known. */
  static @Nullable ReplayEvent withValue(ReplayEvent result, @Nullable JsonValue value) {
    Content content = result.content();
    if (value == null && (content.hash() != null || content.blob() != null)) {
      return null;
    }
    Content full = value == null ? Content.NONE : Content.of(value);
    return result instanceof ToolResult tool
        ? tool.withOutput(full)
        : ((ModelResult) result).withAnswer(full);
  }
}
