package dev.agentreplay.publish;

import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.policy.TextScan;
import dev.agentreplay.publish.secret.SecretMatch;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the salt of a log in its texts, where a tool may have printed it, besides the secrets that
 * rules find: a reader who has the salt can guess every value.
 */
final class SaltScan implements TextScan {

  private static final String RULE = "salt";

  private final TextScan rules;
  private final List<String> forms;

  SaltScan(TextScan rules, @Nullable Salt salt) {
    this.rules = rules;
    this.forms = salt == null ? List.of() : forms(salt);
  }

  /** The salt in base64url, Base64 and hexadecimal digits, without what may vary at the end. */
  private static List<String> forms(Salt salt) {
    byte[] bytes = salt.toBytes();
    String hex = HexFormat.of().formatHex(bytes);
    return List.of(
        salt.text(),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        hex,
        hex.toUpperCase(Locale.ROOT));
  }

  @Override
  public List<SecretMatch> scan(String text) {
    return with(text, rules.scan(text));
  }

  @Override
  public List<SecretMatch> scan(String name, String text) {
    return with(text, rules.scan(name, text));
  }

  @Override
  public List<SecretMatch> scanIdentifier(String text) {
    return with(text, rules.scanIdentifier(text));
  }

  private List<SecretMatch> with(String text, List<SecretMatch> found) {
    List<SecretMatch> all = found;
    for (String form : forms) {
      for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length())) {
        if (all == found) {
          all = new ArrayList<>(found);
        }
        all.add(new SecretMatch(RULE, at, at + form.length()));
      }
    }
    return all == found ? found : withoutOverlaps(all);
  }

  /** Keeps the salt rather than a match of a rule that overlaps it. */
  private static List<SecretMatch> withoutOverlaps(List<SecretMatch> matches) {
    List<SecretMatch> kept = new ArrayList<>();
    for (SecretMatch match : matches) {
      boolean isCovered = !match.rule().equals(RULE)
          && matches.stream()
              .anyMatch(other -> other.rule().equals(RULE)
                  && other.from() < match.to()
                  && match.from() < other.to());
      boolean isRepeated = kept.stream().anyMatch(match::equals);
      if (!isCovered && !isRepeated) {
        kept.add(match);
      }
    }
    kept.sort((a, b) -> Integer.compare(a.from(), b.from()));
    return kept;
  }
}
