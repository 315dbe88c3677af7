package dev.agentreplay.io;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.internal.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a session is kept: its log, and its receipt where there is one.
 *
 * @param log the log
 * @param receipt the receipt, or null
 */
public record Session(Path log, @Nullable Path receipt) {

  /** The name of the log in a session's directory. */
  public static final String LOG_NAME = "REPLAY.jsonl";

  /** The name of the receipt in a session's directory. */
  public static final String RECEIPT_NAME = "RECEIPT.json";

  /** Checks for null. */
  public Session {
    Objects.requireNonNull(log, "log");
  }

  /**
   * Finds the session at a path: a directory that holds {@value #LOG_NAME}, or a log. The receipt
   * is the file {@value #RECEIPT_NAME} beside a log of that name.
   *
   * @throws NoSuchFileException if there is no log
   */
  public static Session open(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString(), null, "no such file or directory");
    }
    Path log = Files.isDirectory(path) ? path.resolve(LOG_NAME) : path;
    if (!Files.exists(log)) {
      throw new NoSuchFileException(path.toString(), null, "directory holds no " + LOG_NAME);
    }
    Path receipt = log.resolveSibling(RECEIPT_NAME);
    boolean named = log.endsWith(LOG_NAME) && Files.exists(receipt);
    return new Session(log, named ? receipt : null);
  }

  /** This session with another receipt, or without one. */
  public Session withReceipt(@Nullable Path newReceipt) {
    return new Session(log, newReceipt);
  }

  /** Opens the log. */
  public ReplayReader reader() throws IOException {
    return ReplayReader.open(log);
  }

  /** The hash of the log's bytes, which receipts call {@code replay_hash}. */
  public ContentHash replayHash() throws IOException {
    MessageDigest digest = Sha256.newDigest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(log), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return ContentHash.of(digest.digest());
  }
}
