package dev.agentreplay.publish;

import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scans each text of a line once: a text that was scanned for the decision to show it, and that is
 * shown, is not scanned again for the check of what is shown. Not safe for use by several threads.
 */
final class OnceScan implements TextScan {

  private final TextScan scan;

  /** The name of the member of each text without secrets. */
  private final Map<String, String> clean = new IdentityHashMap<>();

  OnceScan(TextScan scan) {
    this.scan = scan;
  }

  /** Forgets the texts of the last line. */
  void next() {
    clean.clear();
  }

  @Override
  public List<SecretMatch> scan(String text) {
    return scan.scan(text);
  }

  @Override
  public List<SecretMatch> scan(String name, String text) {
    if (name.equals(clean.get(text))) {
      return List.of();
    }
    List<SecretMatch> found = scan.scan(name, text);
    if (found.isEmpty()) {
      clean.put(text, name);
    }
    return found;
  }

  @Override
  public List<SecretMatch> scanIdentifier(String text) {
    return scan.scanIdentifier(text);
  }
}
