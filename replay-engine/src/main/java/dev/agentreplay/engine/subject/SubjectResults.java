package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The results of calls in the messages of the protocol. */
final class SubjectResults {

  private SubjectResults() {}

  /** The members of the result of a tool. */
  static JsonObject of(JsonObject message, ToolResult result) {
    Outcome outcome = result.outcome();
    JsonObject json = message
        .with("ok", result.succeeded())
        .with("call", result.id())
        .with("output", shown(result.output()));
    json = with(json, Names.EXIT_CODE, outcome.exitCode());
    return with(json, "error", outcome.error() == null ? null : outcome.error().json());
  }

  /** The members of the result of a model. */
  static JsonObject of(JsonObject message, ModelResult result) {
    Completion finish = result.finish();
    JsonObject json = message
        .with("ok", result.succeeded())
        .with("call", result.id())
        .with("answer", shown(result.answer()));
    json = with(json, Names.FINISH_REASON, finish.reason());
    json = with(json, "partial", finish.partial());
    json = with(json, "error", finish.error() == null ? null : finish.error().json());
    json = with(json, Names.TOKENS_IN, result.tokens().input());
    return with(json, Names.TOKENS_OUT, result.tokens().output());
  }

  private static JsonValue shown(Content content) {
    return Objects.requireNonNullElse(content.value(), JsonNull.NULL);
  }

  static JsonObject with(JsonObject json, String name, @Nullable Object value) {
    return value == null ? json : json.with(name, value);
  }

  /** The result of a tool that the subject ran itself. */
  static ToolResult tool(String call, SubjectMessage message) throws Wrong {
    refuse(message, "answer", "partial", Names.FINISH_REASON, Names.TOKENS_IN, Names.TOKENS_OUT);
    Failure error = error(message);
    Boolean ok = message.optionalFlag("ok");
    boolean hasFailed = ok == null && error != null;
    Integer exitCode =
        message.value(Names.EXIT_CODE) == null ? null : message.smallInteger(Names.EXIT_CODE);
    return ToolResult.of(call, message.value("output"))
        .withOutcome(Outcome.of(hasFailed ? Boolean.FALSE : ok, exitCode, error));
  }

  /** The result of a model that the subject called itself. */
  static ModelResult model(String call, SubjectMessage message) throws Wrong {
    refuse(message, "output", "ok", Names.EXIT_CODE);
    return ModelResult.of(call, message.value("answer"))
        .withFinish(new Completion(
            message.text(Names.FINISH_REASON), message.optionalFlag("partial"), error(message)))
        .withTokens(
            new TokenCounts(tokens(message, Names.TOKENS_IN), tokens(message, Names.TOKENS_OUT)));
  }

  private static @Nullable Long tokens(SubjectMessage message, String member) throws Wrong {
    Long tokens = message.integer(member);
    if (tokens != null && tokens < 0) {
      throw message.wrong(member, "an integer that is not negative");
    }
    return tokens;
  }

  private static void refuse(SubjectMessage message, String... members) throws Wrong {
    for (String member : members) {
      if (message.value(member) != null) {
        throw message.wrong(member, "no such member for this kind of call");
      }
    }
  }

  private static @Nullable Failure error(SubjectMessage message) throws Wrong {
    JsonValue error = message.value("error");
    if (error == null || error instanceof JsonNull) {
      return null;
    }
    if (error instanceof JsonObject object) {
      return new Failure(object);
    }
    throw message.wrong("error", "an object with name and message");
  }
}
