package dev.agentreplay.io;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.model.receipt.Receipt;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes receipts, whole or not at all: under another name beside the file first, then moved. */
public final class ReceiptFile {

  private ReceiptFile() {}

  /** A receipt as it stands in a file: JSON on several lines, for people to read. */
  public static String toText(Receipt receipt) {
    return JsonText.pretty(ReceiptCodec.encode(receipt)) + "\n";
  }

  /**
   * Writes a new file.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  public static void create(Path file, Receipt receipt) throws IOException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    replace(file, receipt);
  }

  /** Writes a file in place of the one that is there, if there is one. */
  public static void replace(Path file, Receipt receipt) throws IOException {
    byte[] text = toText(receipt).getBytes(StandardCharsets.UTF_8);
    String suffix = "." + ProcessHandle.current().pid() + ".tmp";
    Path temporary = file.resolveSibling(file.getFileName() + suffix);
    try {
      // unlike a channel, a stream is not closed by an interrupt of the thread that writes
      try (OutputStream out = Files.newOutputStream(
          temporary,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC)) {
        out.write(text);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
