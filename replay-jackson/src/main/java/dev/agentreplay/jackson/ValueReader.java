package dev.agentreplay.jackson;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one value from the tokens of a parser that is positioned on the first of them. */
final class ValueReader {

  /** Converts an embedded object among the tokens that is neither bytes nor raw JSON. */
  interface Embedded {
    JsonValue toValue(@Nullable Object object) throws IOException;
  }

  private final JsonParser tokens;
  private final Base64Variant base64;
  private final Embedded embedded;

  ValueReader(JsonParser tokens, Base64Variant base64, Embedded embedded) {
    this.tokens = tokens;
    this.base64 = base64;
    this.embedded = embedded;
  }

  /**
   * Reads the value and leaves the parser on its last token.
   *
   * @throws IllegalArgumentException if the tokens cannot be a JSON value; the message has the JSON
   *     Pointer of the error
   */
  JsonValue read() throws IOException {
    return read(0);
  }

  private JsonValue read(int depth) throws IOException {
    JsonToken token = tokens.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return object(inner(depth));
    }
    if (token == JsonToken.START_ARRAY) {
      return array(inner(depth));
    }
    try {
      return scalar(token);
    } catch (IllegalArgumentException e) {
      throw refusal(String.valueOf(e.getMessage()), e);
    }
  }

  private static int inner(int depth) {
    if (depth >= JsonValue.MAX_DEPTH) {
      throw new IllegalArgumentException("nested deeper than " + JsonValue.MAX_DEPTH);
    }
    return depth + 1;
  }

  private JsonValue object(int depth) throws IOException {
    JsonObject.Builder builder = JsonObject.builder();
    while (tokens.nextToken() != JsonToken.END_OBJECT) {
      String name = tokens.currentName();
      tokens.nextToken();
      JsonValue value = read(depth);
      try {
        builder.add(name, value);
      } catch (IllegalArgumentException e) {
        throw refusal(String.valueOf(e.getMessage()), e);
      }
    }
    return builder.build();
  }

  private JsonValue array(int depth) throws IOException {
    List<JsonValue> values = new ArrayList<>();
    while (tokens.nextToken() != JsonToken.END_ARRAY) {
      values.add(read(depth));
    }
    return JsonArray.copyOf(values);
  }

  private JsonValue scalar(@Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw new IllegalArgumentException("expected a value, found nothing");
    }
    return switch (token) {
      case VALUE_STRING -> JsonString.of(tokens.getText());
      case VALUE_NUMBER_INT -> number();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE -> JsonBoolean.TRUE;
      case VALUE_FALSE -> JsonBoolean.FALSE;
      case VALUE_NULL -> JsonNull.NULL;
      case VALUE_EMBEDDED_OBJECT -> embedded(tokens.getEmbeddedObject());
      case NOT_AVAILABLE -> throw new IllegalArgumentException("the node is missing");
      default -> throw new IllegalArgumentException("expected a value, found " + token);
    };
  }

  private JsonValue embedded(@Nullable Object object) throws IOException {
    if (object instanceof byte[] bytes) {
      return JsonString.of(base64.encode(bytes));
    }
    if (object instanceof RawValue raw) {
      return JsonText.parse(String.valueOf(raw.rawValue()));
    }
    return embedded.toValue(object);
  }

  /**
   * Reads a number with a fraction or an exponent. If the tokens have no text for it, the text is
   * that of {@code JsonValue.of}.
   */
  private JsonNumber decimal() throws IOException {
    return switch (tokens.getNumberTypeFP()) {
      case FLOAT32 -> JsonNumber.of((double) tokens.getFloatValue());
      case DOUBLE64 -> JsonNumber.of(tokens.getDoubleValue());
      default -> number();
    };
  }

  private JsonNumber number() throws IOException {
    String text = tokens.getText();
    try {
      return JsonNumber.of(text);
    } catch (IllegalArgumentException e) {
      // YAML, and JSON with features such as ALLOW_LEADING_ZEROS_FOR_NUMBERS, have other notations
      return tokens.currentToken() == JsonToken.VALUE_NUMBER_INT
          ? JsonNumber.of(tokens.getBigIntegerValue())
          : JsonNumber.of(tokens.getDecimalValue());
    }
  }

  private IllegalArgumentException refusal(String message, IllegalArgumentException cause) {
    String pointer = tokens.getParsingContext().pathAsPointer().toString();
    if (pointer.isEmpty()) {
      return cause;
    }
    // replaces a lone surrogate in a name, so that the message can be logged
    byte[] utf8 = pointer.getBytes(StandardCharsets.UTF_8);
    return new IllegalArgumentException(
        message + ", at " + new String(utf8, StandardCharsets.UTF_8), cause);
  }
}
