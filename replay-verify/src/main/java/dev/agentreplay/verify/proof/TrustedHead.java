package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tree head in a file that the caller trusts: a checkpoint, a receipt or a public checkpoint.
 * Immutable.
 */
public final class TrustedHead {

  private static final String WHAT = "a checkpoint or receipt";

  private final Path file;
  private final TreeHead tree;
  private final boolean isPublic;
  private final boolean isSigned;
  private final boolean isVerified;

  private TrustedHead(
      Path file, TreeHead tree, boolean isPublic, boolean isSigned, boolean isVerified) {
    this.file = file;
    this.tree = tree;
    this.isPublic = isPublic;
    this.isSigned = isSigned;
    this.isVerified = isVerified;
  }

  /**
   * Reads a checkpoint, a receipt, a public checkpoint, or the receipt in the directory of a
   * session.
   *
   * @param keys the keys of which one must have signed the file; null to trust it without a
   *     signature
   * @throws IOException if the file cannot be read, states no tree root, or is not signed with one
   *     of the keys
   */
  public static TrustedHead read(Path path, @Nullable SignatureVerifier keys) throws IOException {
    Path file = Files.isDirectory(path) ? receiptIn(path) : path;
    JsonObject json = DocumentFile.read(file, WHAT, JsonLimits.defaults().maxBytes());
    DecodedReceipt receipt = ReceiptCodec.decode(json);
    if (receipt != null) {
      return ofReceipt(file, json, receipt.receipt().tree(), keys);
    }
    return PublicCheckpoint.isOne(json)
        ? ofPublicCheckpoint(file, json, keys)
        : ofCheckpoint(file, json, keys);
  }

  private static TrustedHead ofPublicCheckpoint(
      Path file, JsonObject json, @Nullable SignatureVerifier keys) throws IOException {
    PublicCheckpoint checkpoint;
    try {
      checkpoint = PublicCheckpoint.fromJson(json);
    } catch (DocumentFormatException e) {
      throw DocumentFile.refused(file, WHAT, e);
    }
    if (keys != null) {
      DocumentFile.requireSigned(
          file, "public checkpoint", checkpoint.isSigned(), checkpoint.verify(keys));
    }
    return new TrustedHead(file, checkpoint.tree(), true, checkpoint.isSigned(), keys != null);
  }

  private static TrustedHead ofCheckpoint(
      Path file, JsonObject json, @Nullable SignatureVerifier keys) throws IOException {
    LogCheckpoint checkpoint;
    try {
      checkpoint = LogCheckpoint.fromJson(json);
    } catch (DocumentFormatException e) {
      throw DocumentFile.refused(file, WHAT, e);
    }
    if (keys != null) {
      DocumentFile.requireSigned(
          file, "checkpoint", checkpoint.isSigned(), checkpoint.verify(keys));
    }
    return new TrustedHead(file, checkpoint.tree(), false, checkpoint.isSigned(), keys != null);
  }

  private static Path receiptIn(Path directory) throws IOException {
    Path receipt = Session.open(directory).receipt();
    if (receipt == null) {
      throw new NoSuchFileException(
          directory.toString(), null, "directory holds no " + Session.RECEIPT_NAME);
    }
    return receipt;
  }

  private static TrustedHead ofReceipt(
      Path file, JsonObject json, @Nullable TreeHead tree, @Nullable SignatureVerifier keys)
      throws IOException {
    if (tree == null) {
      throw new IOException(file + ": the receipt states no tree root");
    }
    JsonValue signature = json.get("signature");
    boolean isSigned = signature != null && signature != JsonNull.NULL;
    if (keys != null) {
      DocumentFile.requireSigned(file, "receipt", isSigned, worth(json, keys));
    }
    return new TrustedHead(file, tree, false, isSigned, keys != null);
  }

  /**
   * The best outcome with any canonicalization: only the log, which is not available here, names
   * the one that was used.
   */
  private static Outcome worth(JsonObject receipt, SignatureVerifier keys) {
    return Arrays.stream(Canonicalization.values())
        .map(CanonicalJson::of)
        .map(canonical -> SignedJson.verify(receipt, SignedJson.RECEIPT, canonical, keys))
        .min(Outcome::compareTo)
        .orElse(Outcome.UNKNOWN_KEY);
  }

  /** The file that states the head. */
  public Path file() {
    return file;
  }

  /** The tree head; that of the public tree if {@link #isPublic}. */
  public TreeHead tree() {
    return tree;
  }

  /**
   * Whether the file is a public checkpoint, which states the head of the tree over the commitments
   * of the lines and not that over the lines themselves.
   */
  public boolean isPublic() {
    return isPublic;
  }

  /** Whether the file has a signature, valid or not. */
  public boolean isSigned() {
    return isSigned;
  }

  /** Whether the signature was verified with the keys given. */
  public boolean isVerified() {
    return isVerified;
  }

  /**
   * Whether this head states a different root for the same number of lines.
   *
   * @param other a head of the same kind of tree
   */
  public boolean contradicts(TreeHead other) {
    return tree.size() == other.size() && !tree.equals(other);
  }

  @Override
  public String toString() {
    return "%s: %s over %d lines".formatted(file, tree.root(), tree.size());
  }
}
