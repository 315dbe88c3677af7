package dev.agentreplay.junit;

import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a tool call and its result, from {@link SessionAssert#toolCall(String)}.
 *
 * <p>Expected values are converted as by {@link JsonValue#of}, and equal what was recorded if the
 * canonical JSON of both is the same, in the canonicalization of the log: in {@code serde}, 1 is
 * not 1.0.
 *
 * <p>Not final, since AssertJ makes subclasses of it for soft assertions; not meant for others.
 */
public class ToolCallAssert extends AbstractAssert<ToolCallAssert, RecordedToolCall> {

  /** For AssertJ. */
  public ToolCallAssert(@Nullable RecordedToolCall actual) {
    super(actual, ToolCallAssert.class);
  }

  /** This tool was called. */
  public ToolCallAssert hasTool(String tool) {
    isNotNull();
    return requireEqual(
        "another tool was called",
        JsonString.of(tool),
        JsonString.of(actual.call().tool()));
  }

  /**
   * It was called with this value of a member of its params, or at a JSON Pointer (RFC 6901) into
   * them.
   *
   * @param place the name of a member, as "path"; or a JSON Pointer, as "/range/from" or ""
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasParam(String place, @Nullable Object expected) {
    return requireAt("param", params(), pointer(place), expected);
  }

  /**
   * It was called with these params, and no others.
   *
   * @throws IllegalArgumentException if they have no JSON form
   */
  public ToolCallAssert hasParams(@Nullable Object expected) {
    return requireEqual("it has other params", JsonValue.of(expected), params());
  }

  /**
   * It returned this.
   *
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasOutput(@Nullable Object expected) {
    return requireEqual("it has another output", JsonValue.of(expected), output());
  }

  /**
   * It returned something with this value of a member, or at a JSON Pointer (RFC 6901).
   *
   * @param place the name of a member, as "status"; or a JSON Pointer, as "/rows/0" or ""
   * @throws IllegalArgumentException if the value has no JSON form
   */
  public ToolCallAssert hasOutputAt(String place, @Nullable Object expected) {
    return requireAt("output", output(), pointer(place), expected);
  }

  /**
   * It returned a text that matches as a whole, or something else whose JSON does, without white
   * space and with the members as they are in the log.
   *
   * @param regex a regular expression, as of {@link Pattern}
   * @throws java.util.regex.PatternSyntaxException if it is none
   */
  public ToolCallAssert hasOutputMatching(String regex) {
    Pattern pattern = Pattern.compile(regex);
    JsonValue output = output();
    String text = output instanceof JsonString string ? string.value() : output.toString();
    if (!pattern.matcher(text).matches()) {
      throw error("its output does not match\nexpected: /%s/\nfound:    %s"
          .formatted(regex, Shown.value(output)));
    }
    return this;
  }

  /** It has a result that does not say that the tool failed. */
  public ToolCallAssert succeeded() {
    if (!outcome().succeeded()) {
      throw error("it failed" + details());
    }
    return this;
  }

  /** It has a result that says that the tool failed. */
  public ToolCallAssert failed() {
    if (outcome().succeeded()) {
      throw error("it succeeded" + details());
    }
    return this;
  }

  /** It has a result with this exit code. */
  public ToolCallAssert hasExitCode(int expected) {
    Integer found = outcome().exitCode();
    if (!Objects.equals(found, expected)) {
      throw error("it has another exit code\nexpected: %d\nfound:    %s%s"
          .formatted(expected, found == null ? "none" : found, details()));
    }
    return this;
  }

  /** The pointer to a place that may be the bare name of a member. */
  private static String pointer(String place) {
    return place.isEmpty() || place.startsWith("/") ? place : "/" + JsonPointer.escape(place);
  }

  private ToolCallAssert requireAt(
      String part, JsonValue root, String pointer, @Nullable Object expected) {
    JsonValue found = root.find(pointer);
    if (found == null) {
      throw error(
          "no %s at %s: %s".formatted(part, Shown.name(pointer), CallText.members(root, pointer)));
    }
    return requireEqual(
        "another %s is at %s".formatted(part, Shown.name(pointer)), JsonValue.of(expected), found);
  }

  private ToolCallAssert requireEqual(String difference, JsonValue expected, JsonValue found) {
    if (!actual.areEqual(expected, found)) {
      throw Failed.comparing(
          error("%s\nexpected: %s\nfound:    %s"
              .formatted(difference, Shown.value(expected), Shown.value(found))),
          Shown.pretty(expected),
          Shown.pretty(found));
    }
    return this;
  }

  private JsonValue params() {
    isNotNull();
    JsonValue params = actual.call().params();
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

  /** A failure that says first what is wrong, and where last. */
  private AssertionError error(String message) {
    return failure(
        "%s: %s\nin %s, line %d",
        actual.name(), message, Shown.path(actual.session()), actual.line());
  }
}
