package dev.agentreplay.canonical;

import org.jspecify.annotations.Nullable;

/**
 * The canonical forms of JSON that the hashes of a log can be computed over. The header of a log
 * names its canonicalization in the member {@code canonicalization}.
 *
 * <p>All of them write strings with minimal escapes and no white space. They differ in the order of
 * member names and in the layout of numbers:
 *
 * <table>
 * <caption>Differences between the canonicalizations</caption>
 * <tr><th></th><th>names sorted by</th><th>integers</th><th>other numbers</th></tr>
 * <tr><td>{@link #SERDE}</td><td>code point</td><td>64-bit, signed or unsigned: kept</td>
 *     <td>{@code 1.0}, {@code 1e+16}, {@code 1e-6}, {@code -0.0}</td></tr>
 * <tr><td>{@link #SERDE_RYU}</td><td>code point</td><td>64-bit, signed or unsigned: kept</td>
 *     <td>{@code 1.0}, {@code 1e16}, {@code 1e-6}, {@code -0.0}</td></tr>
 * <tr><td>{@link #JCS}</td><td>UTF-16 code unit</td><td>as doubles</td>
 *     <td>{@code 1}, {@code 10000000000000000}, {@code 0.000001}, {@code 0}</td></tr>
 * </table>
 */
public enum Canonicalization {
  /** The output of serde_json 1.0.147 and later; the default for a header that names none. */
  SERDE("serde"),

  /** The output of serde_json before 1.0.147. */
  SERDE_RYU("serde-ryu"),

  /**
   * The JSON Canonicalization Scheme (RFC 8785). Its numbers are doubles, so the digits of an
   * integer literal beyond 2<sup>53</sup>-1 may change. A literal whose digits would change is
   * refused unless rounding is requested ({@link CanonicalJson#withRoundedIntegers}); one whose
   * digits stay the same, such as {@code 10000000000000000}, is accepted.
   */
  JCS("jcs");

  private final String id;

  Canonicalization(String id) {
    this.id = id;
  }

  /** The name in the header of a log: {@code serde}, {@code serde-ryu} or {@code jcs}. */
  public String id() {
    return id;
  }

  /**
   * The canonicalization that a header names; {@link #SERDE} for null, null for an unknown name.
   */
  public static @Nullable Canonicalization find(@Nullable String id) {
    if (id == null) {
      return SERDE;
    }
    for (Canonicalization known : values()) {
      if (known.id.equals(id)) {
        return known;
      }
    }
    return null;
  }
}
