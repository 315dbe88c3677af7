package dev.agentreplay.junit;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.view.RecordedToolCall;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a tool call and its result, created by {@link SessionAssert#toolCall(String)}.
 *
 * <p>Expected values are converted by {@link JsonValue#of}. They are equal to recorded values if
 * both have the same canonical JSON in the canonicalization of the log: in {@code serde}, 1 is not
 * equal to 1.0.
 *
 * <p>Pointers continue into text: in a string that holds a JSON object or array as a whole, such as
 * the output {@code "{\"ok\":true}"} of a tool that returns text, the name {@code "ok"} and the
 * pointer {@code "/ok"} are those of its member. {@link #hasOutput}, {@link #hasParams} and
 * {@link #hasOutputMatching} compare the text itself.
 *
 * <p>Not final, because AssertJ creates subclasses for soft assertions; not intended for other
 * subclasses.
 */
public class ToolCallAssert extends AbstractAssert<ToolCallAssert, RecordedToolCall> {

  /** Creates assertions; called by AssertJ. */
  public ToolCallAssert(@Nullable RecordedToolCall actual) {
    super(actual, ToolCallAssert.class);
  }

  /** Verifies the name of the tool. */
  public ToolCallAssert hasTool(String tool) {
    isNotNull();
    return requireEqual(
        "different tool", JsonString.of(tool), JsonString.of(actual.call().tool()));
  }

  /**
   * Verifies the value of a member of the params, or at a JSON Pointer (RFC 6901) into them.
   *
   * @param place the name of a member such as "path", or a JSON Pointer such as "/range/from" or ""
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasParam(String place, @Nullable Object expected) {
    return requireAt("param", params(), pointer(place), expected);
  }

  /**
   * Verifies all params.
   *
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasParams(@Nullable Object expected) {
    return requireEqual("different params", JsonValue.of(expected), params());
  }

  /**
   * Verifies the whole output.
   *
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasOutput(@Nullable Object expected) {
    return requireEqual("different output", JsonValue.of(expected), output());
  }

  /**
   * Verifies the value of a member of the output, or at a JSON Pointer (RFC 6901) into it.
   *
   * @param place the name of a member such as "status", or a JSON Pointer such as "/rows/0" or ""
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasOutputAt(String place, @Nullable Object expected) {
    return requireAt("output", output(), pointer(place), expected);
  }

  /**
   * Verifies that the whole output matches a regular expression: its text if it is a string, else
   * its JSON without white space and with the members in the order of the log.
   *
   * @param regex a regular expression in the syntax of {@link Pattern}
   * @throws java.util.regex.PatternSyntaxException if the syntax is invalid
   */
  public ToolCallAssert hasOutputMatching(String regex) {
    Pattern pattern = Pattern.compile(regex);
    JsonValue output = output();
    String text = output instanceof JsonString string ? string.value() : output.toString();
    if (!pattern.matcher(text).matches()) {
      throw error("the output does not match\nexpected: /%s/\nfound:    %s"
          .formatted(regex, Shown.value(output)));
    }
    return this;
  }

  /** Verifies that the call has a result that does not report a failure of the tool. */
  public ToolCallAssert succeeded() {
    if (!outcome().succeeded()) {
      throw error("it failed" + details());
    }
    return this;
  }

  /** Verifies that the call has a result that reports a failure of the tool. */
  public ToolCallAssert failed() {
    if (outcome().succeeded()) {
      throw error("it succeeded" + details());
    }
    return this;
  }

  /** Verifies that the call has a result with this exit code. */
  public ToolCallAssert hasExitCode(int expected) {
    Integer found = outcome().exitCode();
    if (!Objects.equals(found, expected)) {
      throw error("different exit code\nexpected: %d\nfound:    %s%s"
          .formatted(expected, found == null ? "none" : found, details()));
    }
    return this;
  }

  /**
   * Verifies the maximum latency of the tool, as its result states it in milliseconds. Fails if the
   * call has no result, or the result states no latency, or a negative one.
   */
  public ToolCallAssert lastsAtMost(Duration most) {
    Objects.requireNonNull(most, "duration");
    Long millis = result().latencyMillis();
    if (millis == null) {
      throw error("its result states no latency");
    } else if (millis < 0) {
      throw error("its result states a negative latency: %d ms".formatted(millis));
    }
    Duration found = Duration.ofMillis(millis);
    if (found.compareTo(most) > 0) {
      throw error("it lasts longer\nexpected: at most %s\nfound:    %s"
          .formatted(Shown.duration(most), Shown.duration(found)));
    }
    return this;
  }

  /** Converts a place, which may be the name of a member, to a pointer. */
  private static String pointer(String place) {
    return place.isEmpty() || place.startsWith("/") ? place : "/" + JsonPointer.escape(place);
  }

  private ToolCallAssert requireAt(
      String part, JsonValue root, String pointer, @Nullable Object expected) {
    JsonValue found = JsonText.find(root, JsonPointer.parse(pointer));
    if (found == null) {
      throw error(
          "no %s at %s: %s".formatted(part, Shown.name(pointer), CallText.members(root, pointer)));
    }
    return requireEqual(
        "different %s at %s".formatted(part, Shown.name(pointer)), JsonValue.of(expected), found);
  }

  private ToolCallAssert requireEqual(String difference, JsonValue expected, JsonValue found) {
    if (!canonical(expected).equals(canonical(found))) {
      throw Failed.comparing(
          error("%s\nexpected: %s\nfound:    %s"
              .formatted(difference, Shown.value(expected), Shown.value(found))),
          Shown.pretty(expected),
          Shown.pretty(found));
    }
    return this;
  }

  private String canonical(JsonValue value) {
    try {
      return actual.canonical().text(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.text(value);
    }
  }

  private JsonValue params() {
    isNotNull();
    JsonValue params;
    try {
      params = actual.params();
    } catch (IOException e) {
      throw Failed.because(e, error("its params cannot be read: " + Shown.cause(e)));
    }
    if (params == null) {
      throw error("its params are " + CallText.absent(actual.call().content()));
    }
    return params;
  }

  private ToolResult result() {
    isNotNull();
    ToolResult result = actual.result();
    if (result == null) {
      throw error("it has no result" + CallText.params(actual));
    }
    return result;
  }

  private Outcome outcome() {
    return result().outcome();
  }

  private JsonValue output() {
    ToolResult result = result();
    JsonValue output;
    try {
      output = actual.output();
    } catch (IOException e) {
      throw Failed.because(e, error("its output cannot be read: " + Shown.cause(e)));
    }
    if (output == null) {
      throw error("its output is " + CallText.absent(result.output()));
    }
    return output;
  }

  private String details() {
    return CallText.params(actual) + CallText.outcome(actual);
  }

  /** Creates a failure with the problem first and its place last. */
  private AssertionError error(String message) {
    return failure(
        "%s: %s\nin %s, line %d",
        CallText.name(actual), message, Shown.path(actual.session()), actual.line());
  }
}
