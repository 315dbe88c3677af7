package dev.agentreplay.convert.pack;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.KeyOrder;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The manifest of a packed session: its first entry, which lists the other files by path. */
final class PackManifest {

  static final String NAME = "MANIFEST.json";

  /** The order of the files: by the bytes of their paths. */
  static final Comparator<String> ORDER = KeyOrder.CODE_POINT::compare;

  private static final String SCHEMA = "replay.pack/1";
  private static final List<String> MEMBERS = List.of("files", "schema");
  private static final List<String> FILE_MEMBERS = List.of("bytes", "path", "sha256");

  private PackManifest() {}

  /** Encodes the manifest of files, which must be in order. */
  static byte[] encode(List<PackedFile> files) {
    List<JsonObject> entries = new ArrayList<>(files.size());
    for (PackedFile file : files) {
      entries.add(JsonObject.of(
          "bytes", file.bytes(), "path", file.path(), "sha256", file.sha256().toString()));
    }
    return CanonicalJson.SERDE.bytes(
        JsonObject.of("files", JsonArray.copyOf(entries), "schema", SCHEMA));
  }

  /**
   * Reads a manifest, which must have exactly the form that {@link #encode} writes. The paths in it
   * are not checked.
   *
   * @throws MalformedException if it does not
   */
  static List<PackedFile> decode(byte[] bytes) throws MalformedException {
    JsonValue value;
    try {
      value = JsonText.parse(
          bytes, 0, bytes.length, JsonLimits.defaults().withMaxBytes(Math.max(1, bytes.length)));
    } catch (JsonSyntaxException e) {
      throw new MalformedException("not JSON: " + e.getMessage());
    }
    JsonObject manifest = members(value, MEMBERS, "the manifest");
    if (!JsonString.of(SCHEMA).equals(manifest.get("schema"))) {
      throw new MalformedException("expected the schema \"%s\", found %s"
          .formatted(SCHEMA, Excerpt.of(String.valueOf(manifest.get("schema")))));
    }
    if (!(manifest.get("files") instanceof JsonArray array)) {
      throw new MalformedException("files is not an array");
    }
    List<PackedFile> files = new ArrayList<>(array.size());
    String last = null;
    for (JsonValue entry : array) {
      PackedFile file = file(entry, files.size());
      if (last != null && ORDER.compare(last, file.path()) > 0) {
        throw new MalformedException("files/" + files.size() + " is not in the order of paths");
      }
      last = file.path();
      files.add(file);
    }
    if (!Arrays.equals(encode(files), bytes)) {
      throw new MalformedException("the manifest is not in canonical form");
    }
    return files;
  }

  private static PackedFile file(JsonValue entry, int index) throws MalformedException {
    JsonObject members = members(entry, FILE_MEMBERS, "files/" + index);
    ContentHash hash = members.get("sha256") instanceof JsonString text
        ? ContentHash.tryParse(text.value())
        : null;
    if (hash == null) {
      throw new MalformedException("files/" + index + "/sha256 is not a SHA-256 hash");
    }
    if (!(members.get("path") instanceof JsonString path)) {
      throw new MalformedException("files/" + index + "/path is not a string");
    }
    Long bytes = length(members.get("bytes"));
    if (bytes == null) {
      throw new MalformedException("files/" + index + "/bytes is not a length");
    }
    return new PackedFile(path.value(), bytes, hash);
  }

  private static @Nullable Long length(@Nullable JsonValue value) {
    try {
      return value instanceof JsonNumber number && number.asLong() >= 0 ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  private static JsonObject members(JsonValue value, List<String> expected, String what)
      throws MalformedException {
    if (!(value instanceof JsonObject object) || !object.names().equals(expected)) {
      throw new MalformedException(what + " is not an object of " + String.join(", ", expected));
    }
    return object;
  }

  /** Thrown when bytes are not a manifest. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String detail;

    MalformedException(String detail) {
      super(detail);
      this.detail = detail;
    }

    String detail() {
      return detail;
    }
  }
}
