package dev.agentreplay.convert.pack;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Makes tar archives byte by byte, also such as no honest writer makes. */
final class TestTar {

  private static final int BLOCK = 512;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A manifest of files, which say what they are without being there. */
  static byte[] manifest(JsonValue... files) {
    return CanonicalJson.SERDE.bytes(
        JsonObject.of("files", JsonArray.copyOf(List.of(files)), "schema", "replay.pack/1"));
  }

  static JsonObject listed(String path, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return JsonObject.of(
        "bytes", bytes.length, "path", path, "sha256", ContentHash.sha256(bytes).toString());
  }

  /** An archive of files with the manifest that fits: names and contents by turns, in any order. */
  static TestTar of(String... namesAndContents) {
    List<String[]> sorted = new ArrayList<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      sorted.add(new String[] {namesAndContents[i], namesAndContents[i + 1]});
    }
    sorted.sort(Comparator.comparing(file -> file[0]));
    JsonValue[] files =
        sorted.stream().map(file -> listed(file[0], file[1])).toArray(JsonValue[]::new);
    TestTar tar = new TestTar().file("MANIFEST.json", manifest(files));
    sorted.forEach(file -> tar.file(file[0], file[1]));
    return tar;
  }

  TestTar file(String name, String content) {
    return file(name, content.getBytes(StandardCharsets.UTF_8));
  }

  TestTar file(String name, byte[] content) {
    return header(name, '0', content.length, header -> {}).content(content);
  }

  /** A header with its check sum, after an edit. */
  TestTar header(String name, char type, long size, Consumer<byte[]> edit) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "00000000000");
    header[156] = (byte) type;
    put(header, 257, "ustar\00000");
    edit.accept(header);
    return block(sealed(header));
  }

  /** With the check sum that fits. */
  static byte[] sealed(byte[] header) {
    put(header, 148, "        ");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    return header;
  }

  static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  TestTar extended(String records) {
    byte[] content = records.getBytes(StandardCharsets.UTF_8);
    return header("x", 'x', content.length, header -> {}).content(content);
  }

  TestTar content(byte[] content) {
    out.writeBytes(content);
    out.writeBytes(new byte[-content.length & BLOCK - 1]);
    return this;
  }

  TestTar block(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /** So far, without the end. */
  byte[] open() {
    return out.toByteArray();
  }

  byte[] end() {
    return block(new byte[2 * BLOCK]).open();
  }
}
