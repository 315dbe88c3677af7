package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of a replay that later prompts may continue, one for each recorded model call that a
 * recorded call continues that is not taken. Not safe for use by several threads.
 */
final class LivePrompts {

  /** The most prompts that are kept, of which the oldest is dropped first. */
  private static final int MAX_KEPT = 256;

  /** The most recorded calls that one request is compared with. */
  private static final int MAX_COMPARED = 64;

  /** The most recorded calls that continue one prompt, of those that are considered. */
  private static final int MAX_BRANCHES = 1_000;

  /**
   * A recorded call that a request may be matched with.
   *
   * @param base the recorded call that it continues
   * @param prompt the prompt of this replay that counts as the base
   * @param prefix the number of messages that it has in common with the base
   */
  private record Candidate(
      RecordedExchange next, RecordedExchange base, JsonObject prompt, int prefix) {}

  private static final Comparator<Candidate> LONGEST_FIRST = Comparator.<Candidate>comparingInt(
          candidate -> -candidate.prefix())
      .thenComparingInt(candidate -> candidate.next().place());

  private final PromptGrowth growth;
  private final Map<RecordedExchange, JsonObject> prompts = new LinkedHashMap<>();

  LivePrompts(PromptGrowth growth) {
    this.growth = growth;
  }

  int size() {
    return prompts.size();
  }

  /** Keeps the request that was matched with a recorded call, or missed and nearest to it. */
  void add(RecordedExchange exchange, ModelCall request) {
    prompts.remove(exchange);
    if (exchange.isContinued() && request.prompt().value() instanceof JsonObject prompt) {
      prompts.put(exchange, prompt);
      if (prompts.size() > MAX_KEPT) {
        prompts.remove(prompts.keySet().iterator().next());
      }
    }
  }

  /** Drops the prompt that a call continues if it was the last that continues it. */
  void taken(RecordedExchange exchange) {
    for (RecordedExchange base :
        new @Nullable RecordedExchange[] {exchange.base, exchange.beginning}) {
      if (base != null && !base.isContinued()) {
        prompts.remove(base);
      }
    }
  }

  /** The recorded call of a lane that adds the same to a prompt as a request; null if none does. */
  @Nullable
  RecordedExchange continuedBy(ModelCall request, @Nullable String agent) throws IOException {
    if (!(request.prompt().value() instanceof JsonObject prompt)) {
      return null;
    }
    List<Candidate> candidates = new ArrayList<>();
    for (Map.Entry<RecordedExchange, JsonObject> entry : prompts.entrySet()) {
      RecordedExchange base = entry.getKey();
      int prefix =
          Objects.equals(base.agent(), agent) ? PromptGrowth.prefix(entry.getValue(), prompt) : 0;
      if (prefix > 0) {
        base.continuing(prefix, MAX_BRANCHES)
            .forEach(next -> candidates.add(new Candidate(next, base, entry.getValue(), prefix)));
      }
    }
    candidates.sort(LONGEST_FIRST);
    for (Candidate candidate : candidates.subList(0, Math.min(MAX_COMPARED, candidates.size()))) {
      if (growth.isSame(candidate.base(), candidate.next(), candidate.prompt(), request)) {
        return candidate.next();
      }
    }
    return null;
  }
}
