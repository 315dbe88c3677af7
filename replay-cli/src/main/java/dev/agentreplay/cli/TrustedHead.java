package dev.agentreplay.cli;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.DecodedReceipt;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.io.LogCheckpoint;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.TreeHead;
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
 * What somebody who is trusted says that a log is: a checkpoint or a receipt.
 *
 * @param file where that is said
 * @param tree what is said
 * @param why why that file is trusted, in words that follow its name
 */
record TrustedHead(Path file, TreeHead tree, String why) {

  private static final String SIGNED = ", which a trusted key has signed,";
  private static final String UNSIGNED = ", which is not signed,";
  private static final String UNCHECKED = ", whose signature no --public-key was given for,";

  /** The file, and why it is trusted, as what somebody states begins. */
  String name() {
    return Style.plain(file.toString()) + why;
  }

  /**
   * Reads a checkpoint, a receipt, or the receipt in a session's directory.
   *
   * @param keys what must have signed it; null when the file is trusted as it is
   * @throws IOException if it cannot be read, or is not signed by them
   */
  static TrustedHead read(Path path, @Nullable SignatureVerifier keys) throws IOException {
    Path file = Files.isDirectory(path) ? receiptIn(path) : path;
    JsonObject json = JsonFile.read(file, "a checkpoint or receipt");
    DecodedReceipt receipt = ReceiptCodec.decode(json);
    if (receipt != null) {
      return ofReceipt(file, json, receipt.receipt().tree(), keys);
    }
    LogCheckpoint checkpoint =
        keys == null ? LogCheckpoint.read(file) : LogCheckpoint.read(file, keys);
    return new TrustedHead(file, checkpoint.tree(), why(checkpoint.isSigned(), keys != null));
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
      throw new IOException(file + ": the receipt states no root of a tree");
    }
    JsonValue signature = json.get("signature");
    boolean isSigned = signature != null && signature != JsonNull.NULL;
    if (keys != null) {
      requireSigned(file, isSigned, worth(json, keys));
    }
    return new TrustedHead(file, tree, why(isSigned, keys != null));
  }

  /** The best by any canonicalization: the log says by which, and is not here. */
  private static Outcome worth(JsonObject receipt, SignatureVerifier keys) {
    return Arrays.stream(Canonicalization.values())
        .map(CanonicalJson::of)
        .map(canonical -> SignedJson.verify(receipt, SignedJson.RECEIPT, canonical, keys))
        .min(Outcome::compareTo)
        .orElse(Outcome.UNKNOWN_KEY);
  }

  private static void requireSigned(Path file, boolean isSigned, Outcome outcome)
      throws IOException {
    if (outcome != Outcome.VALID) {
      throw new IOException(file
          + (outcome == Outcome.INVALID
              ? ": the receipt is not what was signed"
              : isSigned
                  ? ": the receipt is signed, but by no key that is trusted here"
                  : ": the receipt is not signed"));
    }
  }

  private static String why(boolean isSigned, boolean isChecked) {
    return isChecked ? SIGNED : isSigned ? UNCHECKED : UNSIGNED;
  }
}
