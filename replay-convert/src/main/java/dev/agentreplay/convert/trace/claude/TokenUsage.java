package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of answers. Each line of an answer states them; an answer whose lines are apart counts
 * with what its later lines state more.
 */
final class TokenUsage {

  /** The maximum number of answers of which the tokens are known to be counted. */
  private static final int MAX_ANSWERS = 50_000;

  private static final String TOKENS_IN = "ModelResult/" + Names.TOKENS_IN;
  private static final String TOKENS_OUT = "ModelResult/" + Names.TOKENS_OUT;

  /** An answer that was written: the number of times, and its tokens. */
  private static final class Written {
    int times;
    long input;
    long output;
  }

  private final TraceSession session;

  private final Map<String, Written> written = new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Written> eldest) {
      return size() > MAX_ANSWERS;
    }
  };

  TokenUsage(TraceSession session) {
    this.session = session;
  }

  /** Counts an answer that is written, and returns the number of times; 1 if it has no id. */
  int count(@Nullable String messageId) {
    return messageId == null ? 1 : ++written.computeIfAbsent(messageId, any -> new Written()).times;
  }

  /** Adds the tokens that a line states, without those that were counted for its answer. */
  ModelResult add(ModelResult result, SourceRecord line, @Nullable String messageId) {
    TokenCounts stated = stated(line);
    for (String name :
        List.of("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")) {
      line.derive(TOKENS_IN, "message", "usage", name);
    }
    line.derive(TOKENS_OUT, "message", "usage", "output_tokens");
    Written answer = messageId == null ? null : written.get(messageId);
    boolean isFirst = answer == null || answer.times == 1;
    TokenCounts counts = stated;
    if (answer != null) {
      counts = isFirst
          ? stated
          : new TokenCounts(
              increase(stated.input(), answer.input), increase(stated.output(), answer.output));
      answer.input = Math.max(answer.input, orZero(stated.input()));
      answer.output = Math.max(answer.output, orZero(stated.output()));
    }
    ModelResult counted = result.withTokens(counts);
    JsonValue usage = isFirst
        ? line.move("ModelResult/" + Names.TOKEN_DETAILS, "message", "usage")
        : null; // it is that of the whole answer, and stays with the line
    return usage == null
        ? counted
        : counted.withMeta(
            counted.meta().withExtra(counted.meta().extra().with(Names.TOKEN_DETAILS, usage)));
  }

  private TokenCounts stated(SourceRecord line) {
    Long fresh = count(line, "input_tokens");
    Long output = count(line, "output_tokens");
    try {
      Long input = fresh == null
          ? null
          : Math.addExact(
              fresh,
              Math.addExact(
                  orZero(count(line, "cache_creation_input_tokens")),
                  orZero(count(line, "cache_read_input_tokens"))));
      return new TokenCounts(input, output);
    } catch (ArithmeticException tooMany) {
      session.fault(new SourceFault(
          SourceFault.Kind.CONTRADICTION,
          line.place(),
          "the sum of the input tokens is not a 64-bit integer, and is not counted"));
      return new TokenCounts(null, output);
    }
  }

  private static @Nullable Long increase(@Nullable Long stated, long counted) {
    return stated == null || stated <= counted ? null : stated - counted;
  }

  private static @Nullable Long count(SourceRecord record, String name) {
    return record.count("message", "usage", name);
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }
}
