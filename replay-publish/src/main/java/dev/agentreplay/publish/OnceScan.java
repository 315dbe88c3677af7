package dev.agentreplay.publish;

import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scans the text of a member once while a line is published: a text that was scanned for the
 * decision to show it, and that is shown, is not scanned again for the check of what is shown. Not
 * safe for use by several threads.
 */
final class OnceScan implements TextScan {

  private final TextScan scan;

  /** The name of the member of each text without secrets; null outside of a line. */
  private @Nullable IdentityHashMap<String, String> clean;

  OnceScan(TextScan scan) {
    this.scan = scan;
  }

  /** Begins a line: remembers the texts that are scanned from now on. */
  void begin() {
    clean = new IdentityHashMap<>(); // clearing one that has grown takes as long as filling it
  }

  /** Ends the line, and forgets its texts. */
  void end() {
    clean = null;
  }

  @Override
  public List<SecretMatch> scan(String text) {
    return scan.scan(text);
  }

  @Override
  public List<SecretMatch> scan(String name, String text) {
    IdentityHashMap<String, String> known = clean;
    if (known != null && name.equals(known.get(text))) {
      return List.of();
    }
    List<SecretMatch> found = scan.scan(name, text);
    if (known != null && found.isEmpty()) {
      known.put(text, name);
    }
    return found;
  }

  @Override
  public List<SecretMatch> scanIdentifier(String text) {
    return scan.scanIdentifier(text);
  }
}
