package dev.agentreplay.publish.secret;

import java.util.List;

/**
 * Finds secrets in texts. The texts are the decoded strings and names of a log. An implementation
 * takes time linear in the length of a text, and keeps no state between calls that changes a
 * result.
 */
public interface TextScan {

  /** Finds no secrets. */
  TextScan NONE = new TextScan() {
    @Override
    public List<SecretMatch> scan(String text) {
      return List.of();
    }

    @Override
    public List<SecretMatch> scanIdentifier(String text) {
      return List.of();
    }
  };

  /** Returns the secrets in a text, in any order; they may overlap. */
  List<SecretMatch> scan(String text);

  /**
   * Returns the secrets in the text of a member, which may be known by its name, as that of
   * {@code password}.
   */
  default List<SecretMatch> scan(String name, String text) {
    return scan(text);
  }

  /**
   * Returns the secrets in an id, which is random by its nature: rules that only measure randomness
   * do not apply.
   */
  List<SecretMatch> scanIdentifier(String text);
}
