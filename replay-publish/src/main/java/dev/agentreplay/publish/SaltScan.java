package dev.agentreplay.publish;

import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the salt of a log in its texts, where a tool may have printed it, besides the secrets that
 * rules find: a reader who has the salt can guess every value.
 */
final class SaltScan implements TextScan {

  private static final String RULE = "salt";

  /** The length of the parts of a form: a text that has more than two of them has a whole one. */
  private static final int PART = 11;

  private final TextScan rules;
  private final List<Part> parts = new ArrayList<>();

  /** A part of a form, which begins at an index of it. */
  private record Part(String text, String form, int from) {}

  SaltScan(TextScan rules, @Nullable Salt salt) {
    this.rules = rules;
    for (String form : salt == null ? List.<String>of() : SaltForms.texts(salt)) {
      for (int from = 0; from + PART <= form.length(); from += PART) {
        parts.add(new Part(form.substring(from, from + PART), form, from));
      }
    }
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
    for (Part part : parts) {
      for (int at = text.indexOf(part.text); at >= 0; at = text.indexOf(part.text, at + 1)) {
        if (all == found) {
          all = new ArrayList<>(found);
        }
        all.add(match(text, at, part.form, part.from));
      }
    }
    return all;
  }

  /** The match of a part of a form, with everything around it that the form has there as well. */
  private static SecretMatch match(String text, int at, String form, int part) {
    int from = 0;
    while (from < Math.min(at, part)
        && text.charAt(at - from - 1) == form.charAt(part - from - 1)) {
      from++;
    }
    int to = PART;
    while (at + to < text.length()
        && part + to < form.length()
        && text.charAt(at + to) == form.charAt(part + to)) {
      to++;
    }
    return new SecretMatch(RULE, at - from, at + to);
  }
}
