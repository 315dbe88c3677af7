package dev.agentreplay.jackson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.InvalidSchemaException;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.SchemaCompiler;
import dev.agentreplay.jackson.JacksonBridge;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Compiles JSON Schemas of the drafts 4, 6, 7, 2019-09 and 2020-12, the default without
 * {@code $schema}. {@code format} is not checked. Safe for use by several threads.
 *
 * <p>Schemas are not trusted. A schema that refers to anything outside of it, including files and
 * the schemas of the drafts, is refused when it is compiled: nothing is fetched. So are
 * {@code $dynamicRef} and {@code $recursiveRef}, and a schema that is nested deeper than 100
 * objects and arrays. Patterns are those of Java. A check fails with an
 * {@link IllegalArgumentException} if it takes too many steps, or a number has more than 1,000
 * characters or an exponent of more than 3 digits.
 */
@SuppressWarnings("exports") // a transitive engine would be required of all users of the module
public final class JsonSchemas implements SchemaCompiler {

  private static final JsonSchemas COMPILER = new JsonSchemas();

  private static final Map<String, VersionFlag> VERSIONS = Map.of(
      "json-schema.org/draft-04/schema", VersionFlag.V4,
      "json-schema.org/draft-06/schema", VersionFlag.V6,
      "json-schema.org/draft-07/schema", VersionFlag.V7,
      "json-schema.org/draft/2019-09/schema", VersionFlag.V201909,
      "json-schema.org/draft/2020-12/schema", VersionFlag.V202012);

  private static final Comparator<ValidationMessage> ORDER = Comparator.comparing(
          (ValidationMessage message) -> String.valueOf(message.getInstanceLocation()))
      .thenComparing(message -> String.valueOf(message.getEvaluationPath()));

  private static final int MAX_DEPTH = 100;
  private static final int MAX_NUMBER_LENGTH = 1_000;
  private static final int MAX_EXPONENT_LENGTH = 3;

  private JsonSchemas() {}

  /** The compiler. */
  public static JsonSchemas compiler() {
    return COMPILER;
  }

  @Override
  public ParameterCheck compile(JsonValue schema) {
    if (!(schema instanceof JsonObject) && !(schema instanceof JsonBoolean)) {
      throw new IllegalArgumentException(
          "is not valid: expected an object or a boolean, found a " + schema.typeName());
    }
    if (schema.depth() > MAX_DEPTH) {
      throw new IllegalArgumentException("is not valid: nested deeper than " + MAX_DEPTH);
    }
    JsonSchema compiled = counted("is not valid: ", () -> {
      requireShortNumbers(schema);
      VersionFlag version = version(schema);
      JsonNode node = JacksonBridge.defaults().toNode(schema);
      requireValid(node, version);
      SchemaValidatorsConfig config = config();
      JsonSchema read = UntrustedSchemas.factory(version, config).getSchema(node, config);
      read.initializeValidators();
      return read;
    });
    return new SchemaCheck(schema, compiled);
  }

  /** The check of parameters against a schema. */
  private record SchemaCheck(JsonValue schema, JsonSchema compiled) implements ParameterCheck {

    @Override
    public List<Fault> check(JsonValue params) {
      return counted("the schema cannot be used: ", () -> JsonSchemas.check(compiled, params));
    }
  }

  private static <T> T counted(String before, Callable<T> body) {
    try {
      return Steps.counted(body);
    } catch (JsonSchemaException e) {
      throw new IllegalArgumentException(before + message(e), e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException(
          before
              + "it takes more stack than the thread has; does it refer to itself without an end?",
          e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static VersionFlag version(JsonValue schema) {
    JsonValue stated = schema instanceof JsonObject object ? object.get("$schema") : null;
    if (stated == null) {
      return VersionFlag.V202012;
    }
    String id = stated instanceof JsonString text ? text.value() : stated.toString();
    VersionFlag version = VERSIONS.get(id.replaceFirst("^https?://", "").replaceFirst("#$", ""));
    if (version == null) {
      throw new JsonSchemaException(
          "$schema is not one of the drafts 4, 6, 7, 2019-09 and 2020-12: " + Excerpt.of(id));
    }
    return version;
  }

  private static SchemaValidatorsConfig config() {
    return SchemaValidatorsConfig.builder()
        .locale(Locale.ENGLISH)
        .pathType(PathType.JSON_POINTER)
        .formatAssertionsEnabled(false)
        .losslessNarrowing(true)
        .preloadJsonSchema(true)
        .regularExpressionFactory(BoundedPattern::compile)
        .build();
  }

  /** Validates a schema with the schema of its draft, which is part of the validator. */
  private static void requireValid(JsonNode schema, VersionFlag version) {
    JsonSchema draft = JsonSchemaFactory.getInstance(version)
        .getSchema(SchemaLocation.of(version.getId()), config());
    ValidationMessage fault = first(draft.validate(schema));
    if (fault != null) {
      throw new InvalidSchemaException(fault);
    }
  }

  private static List<ParameterCheck.Fault> check(JsonSchema schema, JsonValue params) {
    requireShortNumbers(params);
    return schema.validate(JacksonBridge.defaults().toNode(params)).stream()
        .sorted(ORDER)
        .map(message -> new ParameterCheck.Fault(
            String.valueOf(message.getInstanceLocation()), message.getType(), text(message)))
        .toList();
  }

  private static String message(JsonSchemaException e) {
    Collection<ValidationMessage> messages = e.getValidationMessages();
    ValidationMessage fault = messages == null ? null : first(messages);
    if (fault == null || fault.getInstanceLocation() == null) {
      return String.valueOf(e.getMessage());
    }
    String pointer = fault.getInstanceLocation().toString();
    return pointer.isEmpty() ? text(fault) : "at %s: %s".formatted(pointer, text(fault));
  }

  private static @Nullable ValidationMessage first(Collection<ValidationMessage> faults) {
    return faults.stream().min(ORDER).orElse(null);
  }

  /** The message without the location, which is stated apart. */
  private static String text(ValidationMessage message) {
    String error = message.getError();
    return error == null ? message.getMessage() : error;
  }

  /** Refuses numbers with which arithmetic takes very long. */
  private static void requireShortNumbers(JsonValue value) {
    if (value instanceof JsonObject object) {
      object.forEach((name, each) -> requireShortNumbers(each));
    } else if (value instanceof JsonArray array) {
      array.forEach(JsonSchemas::requireShortNumbers);
    } else if (value instanceof JsonNumber number) {
      String text = number.text();
      String exponent = text.replaceFirst("^[^eE]*[eE]?[+-]?0*", "");
      if (text.length() > MAX_NUMBER_LENGTH || exponent.length() > MAX_EXPONENT_LENGTH) {
        throw new IllegalArgumentException("a number is too long: " + Excerpt.of(text));
      }
    }
  }
}
