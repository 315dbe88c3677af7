package dev.agentreplay.io.session;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Writes receipts atomically: to a temporary file next to the target, which is forced to disk
 * (fsync) and renamed. Receipts are computed by {@link Receipts}, or when a session is recorded.
 */
public final class ReceiptFile {

  private ReceiptFile() {}

  /** The text of a receipt file: JSON on several lines, for people to read. */
  public static String toText(Receipt receipt) {
    return toText(ReceiptCodec.encode(receipt));
  }

  private static String toText(JsonObject receipt) {
    return JsonText.pretty(receipt) + "\n";
  }

  /**
   * Writes a new file.
   *
   * @throws FileAlreadyExistsException if the file exists, or another program creates it meanwhile
   */
  public static void create(Path file, Receipt receipt) throws IOException {
    WholeFile.create(file, bytes(ReceiptCodec.encode(receipt)));
  }

  /** Writes a file that replaces an existing one, if there is one. */
  public static void replace(Path file, Receipt receipt) throws IOException {
    WholeFile.replace(file, bytes(ReceiptCodec.encode(receipt)));
  }

  /** The bytes of a receipt file. */
  public static byte[] bytes(JsonObject receipt) {
    return toText(receipt).getBytes(StandardCharsets.UTF_8);
  }
}
