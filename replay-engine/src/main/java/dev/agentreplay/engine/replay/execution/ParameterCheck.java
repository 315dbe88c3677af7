package dev.agentreplay.engine.replay.execution;

import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parameters of a tool before it is executed, usually against a JSON Schema. A call
 * whose parameters have faults is not executed. Called by several threads at the same time if the
 * agent calls the tool so.
 *
 * <pre>{@code
 * Executors executors = Executors.none()
 *     .withCheck("read_file", params -> params.at("/path").asString().startsWith("/etc/")
 *         ? List.of(new ParameterCheck.Fault("/path", "workspace", "path is outside"))
 *         : List.of());
 * }</pre>
 *
 * @see SchemaCompiler
 */
@FunctionalInterface
public interface ParameterCheck {

  /**
   * A fault of parameters.
   *
   * @param pointer the JSON Pointer of the value in the parameters
   * @param rule the name of the rule, such as the keyword of a schema
   * @param message the fault in one sentence
   */
  record Fault(String pointer, String rule, String message) {

    /** Checks for null. */
    public Fault {
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(rule, "rule");
      Objects.requireNonNull(message, "message");
    }
  }

  /**
   * Returns the faults of the parameters of a call; empty if there are none. The parameters are an
   * empty object if the call has none. If this throws an exception, or takes longer than 10 s, the
   * call is not executed.
   */
  List<Fault> check(JsonValue params);

  /**
   * The JSON Schema that this checks, which is compared with the recorded one; null, the default,
   * if it is not a schema.
   */
  default @Nullable JsonValue schema() {
    return null;
  }
}
