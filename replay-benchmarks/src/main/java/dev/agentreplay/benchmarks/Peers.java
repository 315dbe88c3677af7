package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.erdtman.jcs.JsonCanonicalizer;

/** The same work on a document with other libraries, written as their users write it. */
final class Peers {

  private static final JsonFactory JACKSON = new JsonFactory();
  private static final JsonFactory JACKSON_FAST_NUMBERS = JsonFactory.builder()
      .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
      .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
      .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
      .build();
  private static final JsonMapper SORTED_TREE =
      JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();
  private static final JsonMapper SORTED_MAP = JsonMapper.builder()
      .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
      .build();

  private Peers() {}

  /** RFC 8785 by erdtman. The root must be an array or object, and no number may be subnormal. */
  static byte[] erdtman(byte[] document) throws IOException {
    return new JsonCanonicalizer(document).getEncodedUTF8();
  }

  /** Jackson's tree, written with sorted names. Numbers are in Java's format. */
  static byte[] jacksonTree(byte[] document) throws IOException {
    return SORTED_TREE.writeValueAsBytes(SORTED_TREE.readTree(document));
  }

  /** Maps and lists, written with sorted names. Numbers are in Java's format. */
  static byte[] jacksonMap(byte[] document) throws IOException {
    return SORTED_MAP.writeValueAsBytes(SORTED_MAP.readValue(document, Object.class));
  }

  /** Finds all tokens without reading their values. */
  static int jacksonTokens(byte[] document) throws IOException {
    int tokens = 0;
    try (JsonParser parser = JACKSON.createParser(document)) {
      while (parser.nextToken() != null) {
        tokens++;
      }
    }
    return tokens;
  }

  /** The same values in the same order, without white space. */
  static byte[] jacksonCopy(byte[] document) throws IOException {
    return copy(JACKSON, document);
  }

  /** A copy with the fast readers and writers of numbers, which are not the default. */
  static byte[] jacksonCopyFastNumbers(byte[] document) throws IOException {
    return copy(JACKSON_FAST_NUMBERS, document);
  }

  private static byte[] copy(JsonFactory factory, byte[] document) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(document.length);
    try (JsonParser parser = factory.createParser(document);
        JsonGenerator generator = factory.createGenerator(out)) {
      while (parser.nextToken() != null) {
        generator.copyCurrentEvent(parser);
      }
    }
    return out.toByteArray();
  }

  /**
   * Checks that all libraries do the same work.
   *
   * @throws IllegalStateException if their results differ
   */
  static void requireSameWork(byte[] document) throws IOException {
    byte[] serde = CanonicalJson.SERDE.bytes(document);
    byte[] jcs = CanonicalJson.JCS.bytes(document);
    requireEqual(jcs, erdtman(document), "the canonical form that erdtman makes");

    requireHash(serde, CanonicalJson.SERDE.hash(document));
    requireHash(serde, CanonicalJson.SERDE.hash(JsonText.parse(document)));
    requireHash(jcs, CanonicalJson.JCS.hash(document));
    requireHash(jcs, CanonicalJson.JCS.hash(JsonText.parse(document)));

    byte[] tree = jacksonTree(document);
    requireEqual(jacksonTree(serde), tree, "Jackson's tree, sorted before and after it was read,");
    requireEqual(tree, jacksonMap(document), "what Jackson makes of a map");
    requireEqual(jcs, CanonicalJson.JCS.bytes(tree), "a value in Jackson's tree");
    requireEqual(jcs, CanonicalJson.JCS.bytes(jacksonCopy(document)), "a value in Jackson's copy");
    requireEqual(
        jcs,
        CanonicalJson.JCS.bytes(jacksonCopyFastNumbers(document)),
        "a value in Jackson's copy with fast numbers");
  }

  private static void requireEqual(byte[] expected, byte[] actual, String what) {
    int differsAt = Arrays.mismatch(expected, actual);
    if (differsAt >= 0) {
      throw new IllegalStateException("%s differs: expected ...%s, found ...%s"
          .formatted(what, excerpt(expected, differsAt), excerpt(actual, differsAt)));
    }
  }

  private static String excerpt(byte[] bytes, int at) {
    int from = Math.max(0, at - 40);
    int to = Math.min(bytes.length, at + 40);
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static void requireHash(byte[] canonical, ContentHash hash) {
    if (!hash.equals(ContentHash.sha256(canonical))) {
      throw new IllegalStateException("the hash is not that of the canonical form: " + hash);
    }
  }
}
