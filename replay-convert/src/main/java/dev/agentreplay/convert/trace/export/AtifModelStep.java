package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The members of an ATIF step that are of the call of a model and its answer. */
final class AtifModelStep {

  private AtifModelStep() {}

  /** The text of the answer; empty if there is none. */
  static String message(Exchange exchange) {
    ChatMessage answer = answer(exchange);
    return answer == null ? "" : answer.text();
  }

  private static @Nullable ChatMessage answer(Exchange exchange) {
    JsonValue value = exchange.end() == null ? null : exchange.end().value();
    return value == null ? null : ChatMessage.of(value, "assistant");
  }

  static void put(Exchange exchange, JsonObject.Builder step, JsonObject.Builder kept) {
    ExportedEvent call = exchange.begin();
    if (exchange.model().model() != null) {
      step.put("model_name", exchange.model().model());
      call.move("steps[].model_name", "model");
    }
    ChatMessage answer = answer(exchange);
    ExportedEvent end = exchange.end();
    if (answer != null && end != null) {
      if (answer.reasoning() != null) {
        step.put("reasoning_content", answer.reasoning());
        end.record().derive("steps[].reasoning_content", "answer");
      }
      JsonObject plain = JsonObject.of("role", "assistant", "content", answer.text());
      if (plain.equals(end.value())) {
        end.record().transform("steps[].message", "answer");
      } else {
        end.record().derive("steps[].message", "answer");
      }
    }
    ModelResult result = exchange.modelResult();
    if (result != null && end != null) {
      putMetrics(result, end, step);
    }
    AtifWriter.keep(kept, call);
    AtifWriter.keep(kept, end);
  }

  private static void putMetrics(ModelResult result, ExportedEvent end, JsonObject.Builder step) {
    JsonObject.Builder metrics = JsonObject.builder();
    if (result.tokens().input() != null) {
      metrics.put("prompt_tokens", result.tokens().input());
      end.move("steps[].metrics.prompt_tokens", Names.TOKENS_IN);
    }
    if (result.tokens().output() != null) {
      metrics.put("completion_tokens", result.tokens().output());
      end.move("steps[].metrics.completion_tokens", Names.TOKENS_OUT);
    }
    JsonValue cached = TokenDetails.cacheRead(end, "steps[].metrics.cached_tokens");
    if (cached != null) {
      metrics.put("cached_tokens", cached);
    }
    JsonObject built = metrics.build();
    if (!built.isEmpty()) {
      step.put("metrics", built);
    }
  }
}
