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
 * A view of a JSON object that requires its members to be present and of the right type and form.
 * Each violation is a {@link DocumentFormatException} with the path of the member, its names
 * separated by {@code /}, the expected value and the value found.
 *
 * @param json the object
 * @param pointer the path of the object in its document: names and indexes, each after a {@code /},
 *     not escaped as in a JSON Pointer; empty for the document itself
 */
public record StrictObject(JsonObject json, String pointer) {

  /** The view of an object that is the whole document. */
  public static StrictObject of(JsonObject document) {
    return new StrictObject(document, "");
  }

  /** Parses a document that must be a JSON object, within the default limits. */
  public static JsonObject parse(byte[] utf8) throws DocumentFormatException {
    return parse(utf8, JsonLimits.defaults());
  }

  /** Parses a document that must be a JSON object, within limits. */
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

  /** Throws if the object has members other than these. */
  public StrictObject only(String... names) throws DocumentFormatException {
    List<String> known = List.of(names);
    for (String name : json.names()) {
      if (!known.contains(name)) {
        throw new DocumentFormatException("%s/%s: unknown member".formatted(pointer, name));
      }
    }
    return this;
  }

  /** The value of a member that must be a string. */
  public String string(String name) throws DocumentFormatException {
    if (json.get(name) instanceof JsonString string) {
      return string.value();
    }
    throw mustBe("a string", name, json.get(name));
  }

  /** Throws unless a member is this string. */
  public void constant(String name, String expected) throws DocumentFormatException {
    if (!(json.get(name) instanceof JsonString string && string.value().equals(expected))) {
      throw mustBe('"' + expected + '"', name, json.get(name));
    }
  }

  /**
   * The value of a member that must be a 64-bit integer literal.
   *
   * @param least the smallest valid value
   */
  public long integer(String name, long least) throws DocumentFormatException {
    if (json.get(name) instanceof JsonNumber number && number.isIntegerLiteral()) {
      BigInteger integer = new BigInteger(number.text());
      if (integer.bitLength() < Long.SIZE && integer.longValue() >= least) {
        return integer.longValue();
      }
    }
    throw mustBe("an integer of 64 bits from " + least, name, json.get(name));
  }

  /** The value of a member that must be a hash in the form that {@link ContentHash#parse} reads. */
  public ContentHash hash(String name) throws DocumentFormatException {
    return hash(name, json.get(name));
  }

  /** The value of a member that must be an array of hashes. */
  public List<ContentHash> hashes(String name) throws DocumentFormatException {
    return elements(name, this::hash);
  }

  /** The value of a member that must be an object. */
  public StrictObject object(String name) throws DocumentFormatException {
    return object(name, json.get(name));
  }

  /** The value of a member that must be an array of objects. */
  public List<StrictObject> objects(String name) throws DocumentFormatException {
    return elements(name, this::object);
  }

  /**
   * The exception for an invalid member.
   *
   * @param what the expected value in words
   * @param name the name of the member
   * @param found the value found; null if the member is missing
   */
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

  /** Reads an element of an array; its name is its place in the object. */
  @FunctionalInterface
  private interface ElementReader<T> {
    T read(String name, JsonValue value) throws DocumentFormatException;
  }
}
