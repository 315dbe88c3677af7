package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rule for a component beyond its type. A component that was read and violates the rule is kept,
 * with a finding; a writer refuses it.
 *
 * @param code the code of the finding
 * @param expected the expected value in words, for messages
 * @param isRead whether a component that was read satisfies the rule
 * @param isWritten whether a component can be written so that it satisfies the rule
 */
record Restriction<T>(
    FindingCode code, String expected, Predicate<T> isRead, Predicate<T> isWritten) {

  /** The parameters of a call in the dialect {@code type} (specification 001, "ToolCall"). */
  static final Restriction<JsonValue> PARAMS =
      shape("an object in the dialect type", value -> value instanceof JsonObject);

  /** The repository of a session (specification 001, "SessionStart"). */
  static final Restriction<JsonObject> REPOSITORY =
      texts(repository -> repository, "remote", "branch", "commit");

  /** The error of a call (specification 001, "ToolResult"). */
  static final Restriction<Failure> ERROR = texts(Failure::json, "name", "message", "stack");

  /** The type and the permissions of a file. */
  static final Restriction<String> FILE_MODE =
      shape("six octal digits", Pattern.compile("[0-7]{6}").asMatchPredicate());

  private static <T> Restriction<T> texts(Function<T, JsonObject> json, String... names) {
    return shape(
        "an object in which %s are strings".formatted(String.join(", ", names)),
        component ->
            Stream.of(names).map(json.apply(component)::get).allMatch(Restriction::isText));
  }

  /** Whether the value of an optional text is valid; null says as little as a missing member. */
  private static boolean isText(@Nullable JsonValue value) {
    return value == null || value == JsonNull.NULL || value instanceof JsonString;
  }

  /** A rule that is the same for reading and writing; a violation is {@code FIELD_INVALID}. */
  static <T> Restriction<T> shape(String expected, Predicate<T> rule) {
    return new Restriction<>(FindingCode.FIELD_INVALID, expected, rule, rule);
  }

  /** A range; a number outside it is {@code VALUE_OUT_OF_RANGE}. */
  static <T> Restriction<T> range(String expected, Predicate<T> rule) {
    return new Restriction<>(FindingCode.VALUE_OUT_OF_RANGE, expected, rule, rule);
  }
}
