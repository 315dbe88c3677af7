package dev.agentreplay.publish;

import dev.agentreplay.model.Salt;
import dev.agentreplay.publish.policy.TextScan;
import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.SecretScanner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scan of texts by the rules of a scanner. */
record SecretScans(SecretScanner scanner) {

  /** The scan of the texts of a log, which also finds its salt. */
  TextScan of(@Nullable Salt salt) {
    return new SaltScan(
        new TextScan() {
          @Override
          public List<SecretMatch> scan(String text) {
            return scanner.scan(text);
          }

          @Override
          public List<SecretMatch> scan(String name, String text) {
            return scanner.scan(name, text);
          }

          @Override
          public List<SecretMatch> scanIdentifier(String text) {
            return scanner.scanIdentifier(text);
          }
        },
        salt);
  }
}
