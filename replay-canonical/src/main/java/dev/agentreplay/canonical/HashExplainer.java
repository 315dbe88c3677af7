package dev.agentreplay.canonical;

import dev.agentreplay.canonical.ConventionWriter.Token;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how a hash was made that is not that of a value: tries the {@link ProducerConvention}s,
 * each with every {@link Canonicalization} that it goes with. Takes some twenty times as long as
 * hashing the value, and memory of some times its size. Safe for use by several threads.
 *
 * <pre>{@code
 * HashExplanation explanation =
 *     HashExplainer.explain(JsonText.parse("[1e16]"), stated, Canonicalization.SERDE);
 * // the hash fits the canonicalization serde-ryu: first difference at "/0", 1e16 instead of 1e+16
 * }</pre>
 */
public final class HashExplainer {

  private HashExplainer() {}

  /**
   * How the hash of a value was made, or null when no known convention makes it, or the
   * canonicalization itself does.
   *
   * @param canonicalization the one that the hash should have been made with
   */
  public static @Nullable HashExplanation explain(
      JsonValue value, ContentHash hash, Canonicalization canonicalization) {
    ConventionRules exact = ConventionRules.exact(canonicalization);
    String canonical = ConventionWriter.write(value, exact);
    for (ProducerConvention convention : ProducerConvention.values()) {
      for (Canonicalization base : Canonicalization.values()) {
        ConventionRules rules = ConventionRules.of(convention, base);
        String produced = ConventionWriter.write(value, rules);
        if (!produced.equals(canonical)
            && ContentHash.sha256(produced.getBytes(StandardCharsets.UTF_8)).equals(hash)) {
          return explanation(convention, base, value, exact, rules);
        }
        if (!convention.hasCanonicalization()) {
          break;
        }
      }
    }
    return null;
  }

  private static HashExplanation explanation(
      ProducerConvention convention,
      Canonicalization base,
      JsonValue value,
      ConventionRules exact,
      ConventionRules rules) {
    List<String> canonical = ConventionWriter.tokens(value, exact);
    List<String> produced = ConventionWriter.tokens(value, rules);
    int first = 0;
    while (canonical.get(first).equals(produced.get(first))) {
      first++; // one form is never the beginning of the other
    }
    Token token = ConventionWriter.token(first, value, exact);
    return new HashExplanation(
        convention,
        convention.hasCanonicalization() ? base : null,
        token.pointer(),
        token.text(),
        produced.get(first));
  }
}
