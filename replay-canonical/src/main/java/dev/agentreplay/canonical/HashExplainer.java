package dev.agentreplay.canonical;

import dev.agentreplay.canonical.ConventionWriter.Token;
import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries the conventions of producers, each with every {@link Canonicalization} it goes with. */
final class HashExplainer {

  private HashExplainer() {}

  /**
   * How the hash of a value was made, or null when no known convention makes it, or the
   * canonicalization itself does.
   *
   * @param canonicalization the one that the hash should have been made with
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
      default -> convention.hasCanonicalization() || base == expected; // then only once
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
