package dev.agentreplay.cli.input;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InvalidRecordException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Reads files that are one JSON value each. */
public final class JsonFile {

  private static final int MAX_BYTES = JsonLimits.defaults().maxBytes();

  private JsonFile() {}

  /**
   * Reads the object.
   *
   * @param what the expected content with its article, for the message
   * @throws IOException if it cannot be read, or is not a JSON object
   */
  public static JsonObject read(Path file, String what) throws IOException {
    JsonValue value = value(file, what);
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new IOException("%s: not %s: expected a JSON object, found a JSON %s"
        .formatted(file, what, value.typeName()));
  }

  /**
   * Reads a value.
   *
   * @param what the expected content with its article, for the message
   * @throws IOException if it cannot be read, or is not JSON
   */
  public static JsonValue value(Path file, String what) throws IOException {
    byte[] bytes = bytes(file, what);
    JsonLimits limits = JsonLimits.defaults().withMaxBytes(Integer.MAX_VALUE);
    try {
      return JsonText.parse(bytes, 0, bytes.length, limits);
    } catch (JsonSyntaxException e) {
      throw new IOException("%s: not %s: %s".formatted(file, what, e.getMessage()), e);
    }
  }

  /**
   * Reads a value that a reader converts.
   *
   * @param what the expected content with its article, for the message
   * @throws InvalidInputException if the reader refuses it with an {@link InvalidRecordException}
   * @throws IOException if it cannot be read, is not JSON, or the reader refuses it with another
   *     {@link IllegalArgumentException}
   */
  public static <T> T read(Path file, String what, Function<JsonValue, T> reader)
      throws IOException {
    try {
      return reader.apply(value(file, what));
    } catch (InvalidRecordException e) {
      throw new InvalidInputException("%s: not %s".formatted(file, what), e.problems(), e);
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: not %s: %s".formatted(file, what, e.getMessage()), e);
    }
  }

  /**
   * The bytes of a file that has some.
   *
   * @param what the expected content with its article, for the message
   */
  static byte[] bytes(Path file, String what) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a directory");
    }
    byte[] bytes = RegularFiles.read(file, MAX_BYTES);
    if (bytes == null) {
      throw new IOException("%s: has more than %d bytes".formatted(file, MAX_BYTES));
    }
    if (bytes.length == 0) {
      throw new IOException("%s: the file is empty; expected %s".formatted(file, what));
    }
    return bytes;
  }
}
