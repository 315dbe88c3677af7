package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object whose members must be there, and of the right type and form. What is not is an
 * {@link DocumentFormatException} with the JSON pointer (RFC 6901) of the place, what was expected
 * there, and what was found.
 *
 * @param json the object
 * @param pointer where it stands in the document
 */
public record StrictObject(JsonObject json, String pointer) {

  /** An object that is the document itself. */
  public static StrictObject of(JsonObject document) {
    return new StrictObject(document, "");
  }

  /** Parses a document. */
  public static JsonObject parse(byte[] utf8) throws DocumentFormatException {
    return parse(utf8, JsonLimits.defaults());
  }

  /** Parses a document within limits. */
  public static JsonObject parse(byte[] utf8, JsonLimits limits) throws DocumentFormatException {
    JsonValue value;
    try {
      value = JsonText.parse(utf8, 0, utf8.length, limits);
    } catch (JsonSyntaxException e) {
      throw new DocumentFormatException(String.valueOf(e.getMessage()), e);
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new DocumentFormatException("expected a JSON object, found a JSON " + value.typeName());
  }

  /** Refuses members of other names. */
  public StrictObject only(String... names) throws DocumentFormatException {
    List<String> known = List.of(names);
    for (String name : json.names()) {
      if (!known.contains(name)) {
        throw new DocumentFormatException("%s/%s: is not known here".formatted(pointer, name));
      }
    }
    return this;
  }

  /** A string. */
  public String string(String name) throws DocumentFormatException {
    if (json.get(name) instanceof JsonString string) {
      return string.value();
    }
    throw mustBe("a string", name, json.get(name));
  }

  /** A string that must be this one. */
  public void constant(String name, String expected) throws DocumentFormatException {
    if (!(json.get(name) instanceof JsonString string && string.value().equals(expected))) {
      throw mustBe('"' + expected + '"', name, json.get(name));
    }
  }

  /** An integer, written as one, from this one on. */
  public long integer(String name, long least) throws DocumentFormatException {
    if (json.get(name) instanceof JsonNumber number && number.isIntegerLiteral()) {
      BigInteger integer = new BigInteger(number.text());
      if (integer.bitLength() < Long.SIZE && integer.longValue() >= least) {
        return integer.longValue();
      }
    }
    throw mustBe("an integer of 64 bits from " + least, name, json.get(name));
  }

  /** A hash, as {@link ContentHash#parse} reads it. */
  public ContentHash hash(String name) throws DocumentFormatException {
    return hash(name, json.get(name));
  }

  /** An array of hashes. */
  public List<ContentHash> hashes(String name) throws DocumentFormatException {
    return elements(name, this::hash);
  }

  /** An object. */
  public StrictObject object(String name) throws DocumentFormatException {
    return object(name, json.get(name));
  }

  /** An array of objects. */
  public List<StrictObject> objects(String name) throws DocumentFormatException {
    return elements(name, this::object);
  }

  /** The refusal of a member. */
  public DocumentFormatException mustBe(String what, String name, @Nullable JsonValue found) {
    return new DocumentFormatException("%s/%s: must be %s, found %s"
        .formatted(pointer, name, what, found == null ? "nothing" : Excerpt.of(found.toString())));
  }

  private ContentHash hash(String name, @Nullable JsonValue value) throws DocumentFormatException {
    ContentHash hash =
        value instanceof JsonString string ? ContentHash.tryParse(string.value()) : null;
    if (hash == null) {
      throw mustBe("\"sha256:\" and 64 lower-case hexadecimal digits", name, value);
    }
    return hash;
  }

  private StrictObject object(String name, @Nullable JsonValue value)
      throws DocumentFormatException {
    if (value instanceof JsonObject object) {
      return new StrictObject(object, pointer + "/" + name);
    }
    throw mustBe("an object", name, value);
  }

  private <T> List<T> elements(String name, ElementReader<T> reader)
      throws DocumentFormatException {
    if (!(json.get(name) instanceof JsonArray array)) {
      throw mustBe("an array", name, json.get(name));
    }
    List<T> elements = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      elements.add(reader.read(name + "/" + i, array.get(i)));
    }
    return elements;
  }

  @FunctionalInterface
  private interface ElementReader<T> {
    T read(String name, JsonValue value) throws DocumentFormatException;
  }
}
