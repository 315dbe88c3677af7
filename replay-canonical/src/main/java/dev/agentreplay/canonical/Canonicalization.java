package dev.agentreplay.canonical;

import org.jspecify.annotations.Nullable;

/**
 * The canonical forms that a log's hashes can be made with, as its header names them.
 *
 * <p>All write strings with minimal escapes and no white space. They differ in the order of names
 * and in numbers:
 *
 * <table>
 * <caption>What differs</caption>
 * <tr><th></th><th>names sorted by</th><th>integers</th><th>other numbers</th></tr>
 * <tr><td>{@link #SERDE}</td><td>code point</td><td>of 64 bits, signed or not, as they are</td>
 *     <td>{@code 1.0}, {@code 1e+16}, {@code 1e-6}, {@code -0.0}</td></tr>
 * <tr><td>{@link #SERDE_RYU}</td><td>code point</td><td>the same</td>
 *     <td>{@code 1.0}, {@code 1e16}, {@code 1e-6}, {@code -0.0}</td></tr>
 * <tr><td>{@link #JCS}</td><td>UTF-16 code unit</td><td>as doubles</td>
 *     <td>{@code 1}, {@code 10000000000000000}, {@code 0.000001}, {@code 0}</td></tr>
 * </table>
 */
public enum Canonicalization {
  /** What serde_json writes since 1.0.147; a header that names none means this. */
  SERDE("serde"),

  /** What serde_json wrote before 1.0.147. */
  SERDE_RYU("serde-ryu"),

  /**
   * The JSON Canonicalization Scheme, RFC 8785. Its numbers are doubles, so an integer literal
   * beyond 2<sup>53</sup>-1 may come out with other digits: then it is refused, unless rounding is
   * asked for. One that comes out as it is, as {@code 10000000000000000} does, is the form of a
   * double.
   */
  JCS("jcs");

  private final String id;

  Canonicalization(String id) {
    this.id = id;
  }

  /** What a header calls it. */
  public String id() {
    return id;
  }

  /** The one that a header names, {@link #SERDE} when it names none, null when it is not known. */
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
