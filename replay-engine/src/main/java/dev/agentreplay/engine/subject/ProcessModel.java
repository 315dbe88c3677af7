package dev.agentreplay.engine.subject;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A model that is a program, started for each call. It gets the call as one line of JSON on its
 * standard input, with the members of a {@code ModelCall} event: {@code event}, {@code id},
 * {@code model}, {@code prompt}, {@code parameters}. It writes its answer: an object with
 * {@code answer}, and optionally {@code finish_reason}, {@code tokens_in} and {@code tokens_out};
 * anything else is the text of the answer, without the end of its last line. With an exit code
 * other than 0 the call has failed.
 *
 * <p>The program is killed, with the processes that it started, when the thread that calls it is
 * interrupted. Immutable and safe for use by several threads.
 */
public final class ProcessModel implements ModelExecutor {

  private static final Set<String> MEMBERS =
      Set.of("answer", Names.FINISH_REASON, Names.TOKENS_IN, Names.TOKENS_OUT);

  private final ProcessCommand command;

  private ProcessModel(ProcessCommand command) {
    this.command = command;
  }

  /** Creates a model that is a program. */
  public static ProcessModel of(ProcessCommand command) {
    return new ProcessModel(Objects.requireNonNull(command, "command"));
  }

  /**
   * Calls the model.
   *
   * @throws dev.agentreplay.engine.replay.execution.NotExecutedException if the program cannot be
   *     started, or was stopped at a limit
   * @throws IOException if its answer cannot be read
   * @throws InterruptedException if the thread was interrupted
   */
  @Override
  public ModelResult call(ModelCall call, Consumer<String> pieces)
      throws IOException, InterruptedException {
    JsonObject event = JsonObject.of(
        "event",
        "ModelCall",
        "id",
        call.id(),
        "model",
        call.model(),
        "prompt",
        Objects.requireNonNullElse(call.prompt().value(), JsonNull.NULL),
        "parameters",
        call.parameters().json());
    ProcessRun.Result run = ProcessRun.run(command, event);
    if (run.exitCode() != 0) {
      String message = "the program \"%s\" exited with %d%s"
          .formatted(command.name(), run.exitCode(), run.errors());
      return ModelResult.of(call.id(), null)
          .withFinish(Completion.failed(ProcessTools.FAILURE, message));
    }
    JsonValue answer = JsonText.parseOrString(run.output());
    if (!(answer instanceof JsonObject object) || !object.has("answer")) {
      return ModelResult.of(call.id(), run.output());
    }
    for (String name : object.names()) {
      if (!MEMBERS.contains(name)) {
        throw new IOException(
            "the answer of \"%s\" has an unknown member \"%s\"".formatted(command.name(), name));
      }
    }
    ModelResult result = ModelResult.of(call.id(), object.get("answer"))
        .withTokens(
            new TokenCounts(tokens(object, Names.TOKENS_IN), tokens(object, Names.TOKENS_OUT)));
    return object.get(Names.FINISH_REASON) instanceof JsonString reason
        ? result.withFinish(Completion.of(reason.value()))
        : result;
  }

  /** Returns true: the program gets the seed, and is expected to use it. */
  @Override
  public boolean takesSeed() {
    return true;
  }

  private @Nullable Long tokens(JsonObject answer, String name) throws IOException {
    JsonValue value = answer.get(name);
    try {
      if (value == null || (value instanceof JsonNumber number && number.asLong() >= 0)) {
        return value == null ? null : ((JsonNumber) value).asLong();
      }
    } catch (ArithmeticException notALong) {
      // reported below, like a value that is not a number
    }
    throw new IOException("the answer of \"%s\": expected a number of tokens as \"%s\", found %s"
        .formatted(command.name(), name, value));
  }
}
