package dev.agentreplay.canonical;

import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * How a hash that is not that of a value came about. It does not make the hash a right one.
 *
 * @param convention how the producer wrote the value
 * @param canonicalization the canonicalization that the convention departs from; null where it is a
 *     form of its own
 * @param pointer the JSON Pointer (RFC 6901) of the value at which, or in whose name or place, the
 *     producer's form first differs from the canonical one
 * @param canonical what the canonical form has there; null where it has none, since the
 *     canonicalization would round an integer
 * @param produced what the producer's form has there
 */
public record HashExplanation(
    ProducerConvention convention,
    @Nullable Canonicalization canonicalization,
    String pointer,
    @Nullable String canonical,
    String produced) {

  /** The explanation, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("the hash fits ");
    if (convention == ProducerConvention.CANONICALIZATION && canonicalization != null) {
      text.append("the canonicalization ").append(canonicalization.id());
    } else {
      text.append(convention.description());
      if (canonicalization != null) {
        text.append(", canonicalization ").append(canonicalization.id());
      }
    }
    text.append(": first difference at \"").append(Excerpt.of(pointer)).append("\", ");
    text.append(quoted(produced)).append(" instead of ");
    text.append(canonical == null ? "an integer that would be rounded" : quoted(canonical));
    return text.toString();
  }

  private static String quoted(String token) {
    return '`' + Excerpt.of(token) + '`';
  }
}
