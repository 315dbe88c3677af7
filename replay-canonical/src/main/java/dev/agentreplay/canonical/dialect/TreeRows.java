package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.Table.Layout;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.receipt.Receipt;
import org.jspecify.annotations.Nullable;

/** The rows of the tree head in a receipt: either both members are present or neither. */
record TreeRows<R extends Receipt>(Row<R, Long> size, Row<R, ContentHash> root) {

  static <R extends Receipt> TreeRows<R> add(Layout<R> t) {
    return new TreeRows<>(
        t.optional(Names.TREE_SIZE, FieldType.LONG, receipt -> {
          TreeHead tree = receipt.tree();
          return tree == null ? null : tree.size();
        }),
        t.optional(Names.TREE_ROOT, FieldType.HASH, receipt -> {
          TreeHead tree = receipt.tree();
          return tree == null ? null : tree.root();
        }));
  }

  /**
   * Reads the tree head. Returns null, and keeps the members as extra members, if they are
   * incomplete or invalid.
   */
  @Nullable
  TreeHead read(Members m) {
    Long lines = m.get(size);
    ContentHash hash = m.get(root);
    if (lines != null && hash != null && lines >= 0) {
      return new TreeHead(lines, hash);
    }
    if (lines != null) {
      m.keep(size);
      m.reportIfMissing(root);
      if (lines < 0) {
        m.report(
            FindingCode.FIELD_INVALID, size.name, "tree_size must not be negative, found " + lines);
      }
    }
    if (hash != null) {
      m.keep(root);
      m.reportIfMissing(size);
    }
    return null;
  }
}
