package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes values in a canonical form, and hashes that: the one sequence of bytes that stands for all
 * texts of a value, whatever their white space, escapes and order of members.
 *
 * <pre>{@code
 * byte[] json = "{\"b\": 1, \"a\": 1e2}".getBytes(StandardCharsets.UTF_8);
 * ContentHash hash = CanonicalJson.SERDE.hash(json); // of {"a":100.0,"b":1}
 * CanonicalForm form = CanonicalJson.JCS.form(JsonObject.of("limit", 20));
 * form.isPortable(); // true: the same in every canonicalization
 * }</pre>
 *
 * <p>Values come as {@link JsonValue} or as JSON text in UTF-8. Text is read as strictly as
 * {@link JsonText} does, in one pass and in memory of a few times its size, without making values
 * of it; offsets in {@link JsonSyntaxException} count from the beginning of the text.
 *
 * <p>Immutable, and safe for use by several threads. Buffers are kept for the next call, of up to
 * some MiB an instance.
 */
public final class CanonicalJson {

  /** {@link Canonicalization#SERDE}, the default of logs. */
  public static final CanonicalJson SERDE = standard(Canonicalization.SERDE);

  /** {@link Canonicalization#SERDE_RYU}. */
  public static final CanonicalJson SERDE_RYU = standard(Canonicalization.SERDE_RYU);

  /** {@link Canonicalization#JCS}, RFC 8785; refuses integers that it would round. */
  public static final CanonicalJson JCS = standard(Canonicalization.JCS);

  private final Canonicalization canonicalization;
  private final boolean roundsIntegers;
  private final JsonLimits limits;

  /** What the next call may use; empty while another call uses it. */
  private final AtomicReference<@Nullable Workspace> idle = new AtomicReference<>();

  private CanonicalJson(
      Canonicalization canonicalization, boolean roundsIntegers, JsonLimits limits) {
    this.canonicalization = canonicalization;
    this.roundsIntegers = roundsIntegers;
    this.limits = limits;
  }

  private static CanonicalJson standard(Canonicalization canonicalization) {
    return new CanonicalJson(canonicalization, false, JsonLimits.defaults());
  }

  /** The one of a canonicalization, within the default limits. */
  public static CanonicalJson of(Canonicalization canonicalization) {
    return switch (canonicalization) {
      case SERDE -> SERDE;
      case SERDE_RYU -> SERDE_RYU;
      case JCS -> JCS;
    };
  }

  /** The one that the header of a log names, or null when that is not known. */
  public static @Nullable CanonicalJson namedBy(ReplayHeader header) {
    Canonicalization named = Canonicalization.find(header.canonicalization());
    return named == null ? null : of(named);
  }

  /** This one, with other limits for text. */
  public CanonicalJson withLimits(JsonLimits newLimits) {
    return new CanonicalJson(
        canonicalization, roundsIntegers, Objects.requireNonNull(newLimits, "limits"));
  }

  /**
   * This one, but {@link Canonicalization#JCS} rounds integers to the nearest double, as a reader
   * in JavaScript does, instead of refusing those that it would round.
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
   * The canonical form of a value, in UTF-8.
   *
   * @throws IllegalArgumentException if the value holds an integer that would be rounded
   */
  public byte[] bytes(JsonValue value) {
    try (Workspace workspace = acquire()) {
      return workspace.writer.reset().value(value).toByteArray();
    }
  }

  /** The canonical form of a value, as text; fails as {@link #bytes(JsonValue)} does. */
  public String text(JsonValue value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /** The SHA-256 hash of the canonical form; fails as {@link #bytes(JsonValue)} does. */
  public ContentHash hash(JsonValue value) {
    try (Workspace workspace = acquire()) {
      return workspace.writer.hash(value);
    }
  }

  /** The hash of a value, or null where the canonicalization would round an integer in it. */
  public @Nullable ContentHash tryHash(JsonValue value) {
    try {
      return hash(value);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }

  /**
   * A hash to compare values by: in the form {@code serde} where the canonicalization would round
   * an integer, or is not known.
   */
  public static ContentHash comparableHash(JsonValue value, @Nullable CanonicalJson canonical) {
    ContentHash hash = canonical == null ? null : canonical.tryHash(value);
    return hash == null ? SERDE.hash(value) : hash;
  }

  /** The canonical form with its hash; fails as {@link #bytes(JsonValue)} does. */
  public CanonicalForm form(JsonValue value) {
    try (Workspace workspace = acquire()) {
      CanonicalWriter writer = workspace.writer;
      ContentHash hash = writer.hash(value);
      return new CanonicalForm(writer.toByteArray(), hash, writer.isPortable(value));
    }
  }

  /**
   * The canonical form of the value in a text, both in UTF-8.
   *
   * @throws JsonSyntaxException if the text is not one value, beyond the limits, or holds an
   *     integer that would be rounded
   */
  public byte[] bytes(byte[] utf8) {
    return bytes(utf8, 0, utf8.length);
  }

  /**
   * The canonical form of the value in a part of an array; fails as {@link #bytes(byte[])} does.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public byte[] bytes(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      CanonicalScanner scanner = workspace.scan(utf8, from, to);
      return Arrays.copyOf(scanner.buffer(), scanner.size());
    }
  }

  /** The SHA-256 hash of the canonical form; fails as {@link #bytes(byte[])} does. */
  public ContentHash hash(byte[] utf8) {
    return hash(utf8, 0, utf8.length);
  }

  /**
   * The SHA-256 hash of the canonical form of the value in a part of an array; fails as
   * {@link #bytes(byte[])} does.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public ContentHash hash(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      return workspace.hash(workspace.scan(utf8, from, to));
    }
  }

  /** The canonical form with its hash; fails as {@link #bytes(byte[])} does. */
  public CanonicalForm form(byte[] utf8) {
    return form(utf8, 0, utf8.length);
  }

  /**
   * The canonical form, with its hash, of the value in a part of an array; fails as
   * {@link #bytes(byte[])} does.
   *
   * @throws IndexOutOfBoundsException if there is no such part
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

  /** Whether a text is the canonical form of its value; fails as {@link #bytes(byte[])} does. */
  public boolean isCanonical(byte[] utf8) {
    return isCanonical(utf8, 0, utf8.length);
  }

  /**
   * Whether a part of an array is the canonical form of its value; fails as {@link #bytes(byte[])}
   * does.
   *
   * @throws IndexOutOfBoundsException if there is no such part
   */
  public boolean isCanonical(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      CanonicalScanner scanner = workspace.scan(utf8, from, to);
      return Arrays.equals(scanner.buffer(), 0, scanner.size(), utf8, from, to);
    }
  }

  /** The hash of a part of an array that is known to be in canonical form. */
  ContentHash hashCanonical(byte[] utf8, int from, int to) {
    try (Workspace workspace = acquire()) {
      return workspace.hasher.hash(utf8, from, to);
    }
  }

  private Workspace acquire() {
    Workspace workspace = idle.getAndSet(null);
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

    /** Leaves the buffers to the next call. */
    @Override
    public void close() {
      writer.reset();
      scanner.release();
      idle.set(this);
    }

    ContentHash hash(CanonicalScanner scanned) {
      return hasher.hash(scanned.buffer(), 0, scanned.size());
    }
  }
}
