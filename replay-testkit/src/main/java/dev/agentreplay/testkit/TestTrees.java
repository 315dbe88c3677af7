package dev.agentreplay.testkit;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Computes the root of a Merkle tree by the recursive definition of RFC 6962, section 2.1. */
public final class TestTrees {

  private TestTrees() {}

  public static TreeHead head(List<byte[]> leaves) {
    return new TreeHead(leaves.size(), root(leaves));
  }

  private static ContentHash root(List<byte[]> leaves) {
    int n = leaves.size();
    if (n == 0) {
      return ContentHash.sha256(new byte[0]);
    }
    if (n == 1) {
      return hash(0, leaves.get(0));
    }
    int k = Integer.highestOneBit(n - 1);
    return hash(1, bytes(root(leaves.subList(0, k))), bytes(root(leaves.subList(k, n))));
  }

  private static ContentHash hash(int prefix, byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(prefix);
    Arrays.stream(parts).forEach(all::writeBytes);
    return ContentHash.sha256(all.toByteArray());
  }

  private static byte[] bytes(ContentHash hash) {
    return HexFormat.of().parseHex(hash.hex());
  }
}
