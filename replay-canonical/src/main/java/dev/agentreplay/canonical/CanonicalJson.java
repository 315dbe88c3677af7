package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes values in a canonical form and hashes them. The canonical form is the same sequence of
 * bytes for all JSON texts of a value, regardless of white space, escapes and the order of members.
 *
 * <pre>{@code
 * byte[] json = "{\"b\": 1, \"a\": 1e2}".getBytes(StandardCharsets.UTF_8);
 * ContentHash hash = CanonicalJson.SERDE.hash(json); // of {"a":100.0,"b":1}
 * CanonicalForm form = CanonicalJson.JCS.form(JsonObject.of("limit", 20));
 * form.isPortable(); // true: the same in every canonicalization
 * }</pre>
 *
 * <p>Values are given as {@link JsonValue} or as JSON text in UTF-8. Text is parsed as strictly as
 * by {@link JsonText}, in one pass, without building values, and in memory of a few times its size.
 * Offsets in {@link JsonSyntaxException} count from the start of the text.
 *
 * <p>Immutable, and safe for use by several threads. Each instance keeps its buffers, up to some
 * MiB, for the next call.
 */
public final class CanonicalJson {

  /** {@link Canonicalization#SERDE}, the default canonicalization of logs. */
  public static final CanonicalJson SERDE = standard(Canonicalization.SERDE);

  /** {@link Canonicalization#SERDE_RYU}. */
  public static final CanonicalJson SERDE_RYU = standard(Canonicalization.SERDE_RYU);

  /** {@link Canonicalization#JCS} (RFC 8785); refuses integers that it would round. */
  public static final CanonicalJson JCS = standard(Canonicalization.JCS);

  private final Canonicalization canonicalization;
  private final boolean roundsIntegers;
  private final JsonLimits limits;

  /** The buffers for the next calls. */
  private final IdlePool<Workspace> idle = new IdlePool<>();

  private CanonicalJson(
      Canonicalization canonicalization, boolean roundsIntegers, JsonLimits limits) {
    this.canonicalization = canonicalization;
    this.roundsIntegers = roundsIntegers;
    this.limits = limits;
  }

  private static CanonicalJson standard(Canonicalization canonicalization) {
    return new CanonicalJson(canonicalization, false, JsonLimits.defaults());
  }

  /** The instance for a canonicalization, with the default limits. */
  public static CanonicalJson of(Canonicalization canonicalization) {
    return switch (canonicalization) {
      case SERDE -> SERDE;
      case SERDE_RYU -> SERDE_RYU;
      case JCS -> JCS;
    };
  }

  /**
   * The instance for the canonicalization that a log's header names; null if the name is unknown.
   */
  public static @Nullable CanonicalJson namedBy(ReplayHeader header) {
    Canonicalization named = Canonicalization.find(header.canonicalization());
    return named == null ? null : of(named);
  }

  /** A copy with other limits for text. */
  public CanonicalJson withLimits(JsonLimits newLimits) {
    return new CanonicalJson(
        canonicalization, roundsIntegers, Objects.requireNonNull(newLimits, "limits"));
  }

  /**
   * A copy in which {@link Canonicalization#JCS} rounds integers to the nearest double, as a
   * JavaScript parser does, instead of refusing those whose digits would change. Has no effect on
   * other canonicalizations.
   */
  public CanonicalJson withRoundedIntegers() {
    boolean same = roundsIntegers || canonicalization != Canonicalization.JCS;
    return same ? this : new CanonicalJson(canonicalization, true, limits);
  }

  /** The canonicalization. */
  public Canonicalization canonicalization() {
    return canonicalization;
  }

  /**
   * Returns the canonical form of a value in UTF-8.
   *
   * @throws IllegalArgumentException if the value contains an integer that the canonicalization
   *     would round
   */
  public byte[] bytes(JsonValue value) {
    try (Workspace workspace = acquire()) {
      return workspace.writer.reset().value(value).toByteArray();
    }
  }

  /** Returns the canonical form of a value as text; fails like {@link #bytes(JsonValue)}. */
  public String text(JsonValue value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /** Returns the SHA-256 hash of the canonical form; fails like {@link #bytes(JsonValue)}. */
  public ContentHash hash(JsonValue value) {
    try (Workspace workspace = acquire()) {
      return workspace.writer.hash(value);
    }
  }

  /** Returns the hash of a value; null if the canonicalization would round an integer in it. */
  public @Nullable ContentHash tryHash(JsonValue value) {
    try {
      return hash(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }

  /**
   * Returns a hash for comparing values. Falls back to the hash in the form {@code serde} if the
   * canonicalization is unknown or would round an integer.
   *
   * @param canonical the canonicalization; null if it is unknown
   */
  public static ContentHash comparableHash(JsonValue value, @Nullable CanonicalJson canonical) {
    ContentHash hash = canonical == null ? null : canonical.tryHash(value);
    return hash == null ? SERDE.hash(value) : hash;
  }

  /** Returns the canonical form with its hash; fails like {@link #bytes(JsonValue)}. */
  public CanonicalForm form(JsonValue value) {
    try (Workspace workspace = acquire()) {
      CanonicalWriter writer = workspace.writer;
      ContentHash hash = writer.hash(value);
      return new CanonicalForm(writer.toByteArray(), hash, writer.isPortable(value));
    }
  }

  /**
   * Returns the canonical form of the value in a JSON text, both in UTF-8.
   *
   * @throws JsonSyntaxException if the text is not exactly one JSON value, exceeds the limits, or
   *     contains an integer that the canonicalization would round
   */
  public byte[] bytes(byte[] utf8) {
    return bytes(utf8, 0, utf8.length);
  }

  /**
   * Returns the canonical form of the value in a range of an array; fails like
   * {@link #bytes(byte[])}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public byte[] bytes(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      CanonicalScanner scanner = workspace.scan(utf8, from, to);
      return Arrays.copyOf(scanner.buffer(), scanner.size());
    }
  }

  /** Returns the SHA-256 hash of the canonical form; fails like {@link #bytes(byte[])}. */
  public ContentHash hash(byte[] utf8) {
    return hash(utf8, 0, utf8.length);
  }

  /**
   * Returns the SHA-256 hash of the canonical form of the value in a range of an array; fails like
   * {@link #bytes(byte[])}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public ContentHash hash(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      return workspace.hash(workspace.scan(utf8, from, to));
    }
  }

  /** Returns the canonical form with its hash; fails like {@link #bytes(byte[])}. */
  public CanonicalForm form(byte[] utf8) {
    return form(utf8, 0, utf8.length);
  }

  /**
   * Returns the canonical form, with its hash, of the value in a range of an array; fails like
   * {@link #bytes(byte[])}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public CanonicalForm form(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      CanonicalScanner scanner = workspace.scan(utf8, from, to);
      return new CanonicalForm(
          Arrays.copyOf(scanner.buffer(), scanner.size()),
          workspace.hash(scanner),
          scanner.isPortable());
    }
  }

  /** Whether a JSON text is the canonical form of its value; fails like {@link #bytes(byte[])}. */
  public boolean isCanonical(byte[] utf8) {
    return isCanonical(utf8, 0, utf8.length);
  }

  /**
   * Whether a range of an array is the canonical form of its value; fails like
   * {@link #bytes(byte[])}.
   *
   * @param from the index of the first byte
   * @param to the index after the last byte
   * @throws IndexOutOfBoundsException if the range is out of bounds
   */
  public boolean isCanonical(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      CanonicalScanner scanner = workspace.scan(utf8, from, to);
      return Arrays.equals(scanner.buffer(), 0, scanner.size(), utf8, from, to);
    }
  }

  /** The hash of a range of an array that is known to be in canonical form. */
  ContentHash hashCanonical(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      return workspace.hasher.hash(utf8, from, to);
    }
  }

  private Workspace acquire() {
    Workspace workspace = idle.take();
    return workspace == null ? new Workspace() : workspace;
  }

  /** The buffers of one call. */
  private final class Workspace implements AutoCloseable {
    private final CanonicalWriter writer =
        new CanonicalWriter(canonicalization, roundsIntegers, CanonicalWriter.UNLIMITED);
    private final CanonicalScanner scanner =
        new CanonicalScanner(canonicalization, roundsIntegers, limits);
    private final Hasher hasher = new Hasher();

    CanonicalScanner scan(byte[] utf8, int from, int to) {
      Objects.checkFromToIndex(from, to, utf8.length);
      scanner.scan(utf8, from, to);
      return scanner;
    }

    /** Returns the buffers for use by the next call. */
    @Override
    public void close() {
      writer.reset();
      scanner.release();
      idle.give(this);
    }

    ContentHash hash(CanonicalScanner scanned) {
      return hasher.hash(scanned.buffer(), 0, scanned.size());
    }
  }
}
