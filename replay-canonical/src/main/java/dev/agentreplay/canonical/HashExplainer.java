package dev.agentreplay.canonical;

import dev.agentreplay.canonical.ConventionWriter.Token;
import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tries the conventions of known producers, each with every applicable {@link Canonicalization}.
 */
final class HashExplainer {

  private HashExplainer() {}

  /**
   * Finds the convention that gives a value this hash. Returns null if the hash is that of the
   * expected canonicalization, or if no known convention gives it.
   *
   * @param canonicalization the expected canonicalization
   */
  static @Nullable HashExplanation explain(
      JsonValue value, ContentHash hash, Canonicalization canonicalization) {
    if (hash.equals(CanonicalJson.of(canonicalization).tryHash(value))) {
      return null;
    }
    for (ProducerConvention convention : ProducerConvention.values()) {
      for (Canonicalization base : Canonicalization.values()) {
        if (isOfUse(convention, base, canonicalization)
            && ConventionWriter.hash(value, ConventionRules.of(convention, base))
                .equals(hash)) {
          return explanation(convention, base, value, canonicalization);
        }
      }
    }
    return null;
  }

  private static boolean isOfUse(
      ProducerConvention convention, Canonicalization base, Canonicalization expected) {
    return switch (convention) {
      case CANONICALIZATION -> base != expected;
      case ROUNDED_INTEGERS -> base == expected && base == Canonicalization.JCS;
      default -> convention.hasCanonicalization() || base == expected; // tried once if it has none
    };
  }

  private static HashExplanation explanation(
      ProducerConvention convention,
      Canonicalization base,
      JsonValue value,
      Canonicalization expected) {
    ConventionRules exact = ConventionRules.exact(expected);
    List<String> canonical = ConventionWriter.tokens(value, exact);
    List<String> produced = ConventionWriter.tokens(value, ConventionRules.of(convention, base));
    int first = 0;
    while (canonical.get(first).equals(produced.get(first))) {
      first++; // the hashes differ, so the forms do
    }
    Token token = ConventionWriter.token(first, value, exact);
    return new HashExplanation(
        convention,
        convention.hasCanonicalization() ? base : null,
        token.pointer(),
        token.text().equals(ConventionRules.NONE) ? null : token.text(),
        produced.get(first));
  }
}
