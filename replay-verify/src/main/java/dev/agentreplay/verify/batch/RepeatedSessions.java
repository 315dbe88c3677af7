package dev.agentreplay.verify.batch;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Detects sessions that occur in a batch more than once, under several paths: a copy of a genuine
 * session verifies, because nothing ties a session to its path.
 *
 * <p>Two fingerprints of 64 bits and the path are kept per session, about 300 bytes.
 */
final class RepeatedSessions {

  private final Map<Long, Path> roots = new HashMap<>();
  private final Map<Long, Path> ids = new HashMap<>();

  /**
   * Adds a session.
   *
   * @param root the root of the tree over its lines, or null
   * @param id its {@code session_id}, or null
   * @return the finding that it repeats an earlier session; null if it does not
   */
  @Nullable
  Finding add(Path path, @Nullable ContentHash root, @Nullable String id) {
    Path sameRoot = root == null ? null : roots.putIfAbsent(fingerprint(root.hex()), path);
    Path sameId = id == null ? null : ids.putIfAbsent(fingerprint(id), path);
    if (sameRoot != null && !sameRoot.equals(path)) {
      return finding("the log has the same lines as %s".formatted(sameRoot));
    }
    return sameId == null || sameId.equals(path)
        ? null
        : finding("session_id is the same as in %s, which has a different log".formatted(sameId));
  }

  private static Finding finding(String message) {
    return new Finding(FindingCode.SESSION_REPEATED, null, message);
  }

  private static long fingerprint(String text) {
    byte[] hash = ContentHash.newDigest().digest(text.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(hash).getLong();
  }
}
