package dev.agentreplay.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A reader who has published bytes, knows the log except for one value and the salt, and tests
 * candidates of the value: computes everything that a hash in those bytes could be of it.
 */
final class GuessingAttack {

  private static final Pattern BASE64 = Pattern.compile("(?<![\\w-])[\\w-]{43}(?![\\w-])");
  private static final Pattern HEX = Pattern.compile("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])");
  private static final List<String> NAMES = List.of("params", "output", "params_hash", "pin");

  private final List<JsonObject> lines;
  private final int line;
  private final JsonPointer place;
  private final Set<ContentHash> known = new HashSet<>();
  private final List<byte[]> keys = new ArrayList<>();
  private final MessageDigest digest = ContentHash.newDigest();
  private final Mac mac;

  /**
   * Prepares an attack.
   *
   * @param lines the lines of the log as the attacker knows them
   * @param line the index of the line with the value
   * @param place the place of the value in the line
   */
  GuessingAttack(List<JsonObject> lines, int line, JsonPointer place) {
    this.lines = lines;
    this.line = line;
    this.place = place;
    try {
      mac = Mac.getInstance("HmacSHA256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds published bytes. */
  GuessingAttack with(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    Matcher base64 = BASE64.matcher(text);
    while (base64.find()) {
      try {
        add(Base64.getUrlDecoder().decode(base64.group()));
      } catch (IllegalArgumentException notBase64) {
        continue;
      }
    }
    Matcher hex = HEX.matcher(text);
    while (hex.find()) {
      add(HexFormat.of().parseHex(hex.group()));
    }
    return this;
  }

  /** Adds the files of a published directory, and what its envelope contains. */
  GuessingAttack with(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.filter(Files::isRegularFile).forEach(file -> {
        try {
          byte[] bytes = Files.readAllBytes(file);
          with(bytes);
          decoded(new String(bytes, UTF_8));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    return this;
  }

  private void decoded(String text) {
    Matcher payload = Pattern.compile("\"payload\":\"([^\"]+)\"").matcher(text);
    while (payload.find()) {
      with(Base64.getDecoder().decode(payload.group(1)));
    }
  }

  private void add(byte[] bytes) {
    if (known.add(ContentHash.of(bytes))) {
      keys.add(bytes);
    }
  }

  /** Returns the candidate that a published hash confirms; null if none is confirmed. */
  @Nullable
  JsonValue guess(Iterable<? extends JsonValue> candidates) {
    for (JsonValue candidate : candidates) {
      if (isConfirmed(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private boolean isConfirmed(JsonValue candidate) {
    JsonObject guessed = Replaced.at(lines.get(line), place, candidate).asObject();
    List<byte[]> texts = new ArrayList<>();
    texts.add(CanonicalJson.SERDE.bytes(candidate));
    JsonValue around = guessed;
    for (String token : place.tokens()) { // each value around it, such as all parameters
      texts.add(CanonicalJson.SERDE.bytes(around));
      around = JsonPointer.ROOT.append(token).find(around);
    }
    for (byte[] text : texts) {
      if (isKnown(hash(text)) || isKeyed(text)) {
        return true;
      }
    }
    return isInTree(guessed);
  }

  /** Whether a hash of a text with any published bytes as its salt or key is published. */
  private boolean isKeyed(byte[] text) {
    for (byte[] key : keys) {
      byte[] commitment = hash(new byte[] {2}, key, text);
      if (isKnown(commitment)
          || isKnown(hash(key, text))
          || isKnown(hash(text, key))
          || isKnown(hmac(key, text))) {
        return true;
      }
      for (String name : NAMES) {
        if (isKnown(hash(new byte[] {5}, commitment, name.getBytes(UTF_8)))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether a hash over the line, alone or with its neighbors, is published: its leaf, a node above
   * it, the root of the log up to a later line, or one that follows from a published root and the
   * lines after it.
   */
  private boolean isInTree(JsonObject guessed) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      all.add(CanonicalJson.SERDE.bytes(i == line ? guessed : lines.get(i)));
    }
    if (isKnown(hash(all.get(line)))) {
      return true;
    }
    for (int from = 0; from <= line; from++) {
      MerkleTree tree = new MerkleTree();
      for (int to = from; to < all.size(); to++) {
        tree.add(all.get(to));
        if (to >= line && (isKnown(bytes(tree.head().root())) || isAboveKnown(tree))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the node above a published one and a guessed subtree is published. */
  private boolean isAboveKnown(MerkleTree guessed) {
    byte[] root = bytes(guessed.head().root());
    for (byte[] key : keys) {
      if (isKnown(hash(new byte[] {1}, key, root)) || isKnown(hash(new byte[] {1}, root, key))) {
        return true;
      }
    }
    return false;
  }

  private boolean isKnown(byte[] found) {
    return known.contains(ContentHash.of(found));
  }

  private byte[] hash(byte[]... parts) {
    Arrays.stream(parts).forEach(digest::update);
    return digest.digest();
  }

  private byte[] hmac(byte[] key, byte[] text) {
    try {
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(ContentHash hash) {
    return HexFormat.of().parseHex(hash.hex());
  }
}
