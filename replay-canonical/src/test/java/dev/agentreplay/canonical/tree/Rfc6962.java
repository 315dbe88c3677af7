package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The definitions of RFC 6962, section 2.1, word for word: recursive, over all leaves. D[i:j] is
 * given as i and j; the hash of each part is made once.
 */
final class Rfc6962 {

  private final List<byte[]> d;
  private final Map<List<Integer>, ContentHash> made = new HashMap<>();

  Rfc6962(List<byte[]> d) {
    this.d = d;
  }

  /** MTH(D[i:j]). */
  ContentHash mth(int i, int j) {
    ContentHash known = made.get(List.of(i, j));
    if (known != null) {
      return known;
    }
    ContentHash hash;
    if (i == j) {
      hash = hash();
    } else if (j - i == 1) {
      hash = hash(new byte[] {0x00}, d.get(i));
    } else {
      int k = i + split(j - i);
      hash = hash(new byte[] {0x01}, bytes(mth(i, k)), bytes(mth(k, j)));
    }
    made.put(List.of(i, j), hash);
    return hash;
  }

  /** PATH(m, D[n]). */
  List<ContentHash> path(int m, int n) {
    return path(m, 0, n);
  }

  private List<ContentHash> path(int m, int i, int j) {
    if (j - i == 1) {
      return List.of();
    }
    int k = split(j - i);
    return m < k
        ? append(path(m, i, i + k), mth(i + k, j))
        : append(path(m - k, i + k, j), mth(i, i + k));
  }

  /** PROOF(m, D[n]), for 0 &lt; m &lt;= n. */
  List<ContentHash> proof(int m, int n) {
    return subproof(m, 0, n, true);
  }

  private List<ContentHash> subproof(int m, int i, int j, boolean b) {
    if (m == j - i) {
      return b ? List.of() : List.of(mth(i, j));
    }
    int k = split(j - i);
    return m <= k
        ? append(subproof(m, i, i + k, b), mth(i + k, j))
        : append(subproof(m - k, i + k, j, false), mth(i, i + k));
  }

  /** The largest power of two smaller than n. */
  private static int split(int n) {
    int k = 1;
    while (k * 2 < n) {
      k *= 2;
    }
    return k;
  }

  private static List<ContentHash> append(List<ContentHash> list, ContentHash last) {
    List<ContentHash> longer = new ArrayList<>(list);
    longer.add(last);
    return longer;
  }

  private static byte[] bytes(ContentHash hash) {
    return HexFormat.of().parseHex(hash.hex());
  }

  private static ContentHash hash(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return ContentHash.of(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
