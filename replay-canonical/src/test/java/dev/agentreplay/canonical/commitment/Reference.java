package dev.agentreplay.canonical.commitment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A second implementation of the public form, written after docs/format.md: bytes in, bytes out,
 * and openings as they are in JSON.
 */
final class Reference {

  private final int padding;

  Reference(int padding) {
    this.padding = padding;
  }

  static byte[] hmac(byte[] key, String label) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(label.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] sha256(int prefix, byte[]... parts) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(prefix);
      for (byte[] part : parts) {
        bytes.writeBytes(part);
      }
      return MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] lineSeed(byte[] salt, long line, byte[] raw) {
    String leaf = HexFormat.of().formatHex(sha256(0, raw));
    return hmac(salt, "replay.public/1\n" + line + "\n" + leaf);
  }

  /** The number of slots of a container with so many members or elements. */
  private int slots(int size) {
    int slots = size;
    while (padding > 1 && (slots == 0 || slots % padding != 0)) {
      slots++;
    }
    return slots;
  }

  byte[] commit(JsonValue value, byte[] seed) {
    List<byte[]> parts = new ArrayList<>();
    if (value instanceof JsonObject object) {
      for (String name : object.names()) {
        byte[] member = commit(object.get(name), hmac(seed, "m" + name));
        parts.add(sha256(5, member, name.getBytes(UTF_8)));
      }
      addDecoys(parts, object.size(), seed);
      return container(3, hmac(seed, "b"), parts);
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        parts.add(commit(array.get(i), hmac(seed, "e" + i)));
      }
      addDecoys(parts, array.size(), seed);
      return container(4, hmac(seed, "b"), parts);
    }
    return sha256(2, seed, value.toString().getBytes(UTF_8)); // the literal
  }

  private void addDecoys(List<byte[]> parts, int size, byte[] seed) {
    for (int j = 0; j < slots(size) - size; j++) {
      parts.add(sha256(6, hmac(seed, "d" + j)));
    }
  }

  private static byte[] container(int prefix, byte[] blinding, List<byte[]> parts) {
    if (prefix == 3) {
      parts.sort(Arrays::compareUnsigned);
    }
    byte[][] all = new byte[parts.size() + 1][];
    all[0] = blinding;
    for (int i = 0; i < parts.size(); i++) {
      all[i + 1] = parts.get(i);
    }
    return sha256(prefix, all);
  }

  /** The commitment that a shown value and the JSON form of its opening lead to. */
  byte[] open(JsonValue shown, JsonValue opening) {
    if (opening instanceof JsonString seed) {
      return commit(shown, decode(seed));
    }
    JsonObject json = opening.asObject();
    List<byte[]> parts = new ArrayList<>();
    if (json.has("commitment")) {
      return decode(json.get("commitment"));
    } else if (json.has("elements")) {
      JsonArray elements = json.get("elements").asArray();
      for (int i = 0; i < elements.size(); i++) {
        JsonArray array = shown.asArray();
        parts.add(open(i < array.size() ? array.get(i) : null, elements.get(i)));
      }
      return container(4, decode(json.get("blinding")), parts);
    }
    for (String name : json.get("members").asObject().names()) {
      byte[] member =
          open(shown.asObject().get(name), json.get("members").asObject().get(name));
      parts.add(sha256(5, member, name.getBytes(UTF_8)));
    }
    JsonArray others = json.get("others").asArray();
    for (int i = 0; i < others.size(); i++) {
      parts.add(decode(others.get(i)));
    }
    return container(3, decode(json.get("blinding")), parts);
  }

  static byte[] decode(JsonValue text) {
    return Base64.getUrlDecoder().decode(((JsonString) text).value());
  }

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
