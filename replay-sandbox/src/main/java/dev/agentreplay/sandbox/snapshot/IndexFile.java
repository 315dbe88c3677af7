package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The file of an index in the directory of a snapshot. It is a cache: an index that is missing,
 * damaged or of a different workspace is empty, and then all files are read.
 */
final class IndexFile {

  /** The name of the file; it is hidden, so that it is not packed with a session. */
  static final String NAME = SnapshotFiles.INDEX_NAME;

  private static final String MAGIC = "agent replay index 1\n";
  private static final int DIGEST_BYTES = 32;
  private static final int MAX_BYTES = 256 << 20;

  private IndexFile() {}

  /**
   * Writes the index of a workspace to a new file.
   *
   * @param root the absolute path of the workspace
   */
  static void write(Path file, String root, FileIndex index) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(160 * (index.files().size() + 1));
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(MAGIC);
    text(out, root);
    out.writeInt(index.files().size());
    byte[] hex = new byte[ContentHash.HEX_LENGTH];
    for (Map.Entry<String, FileIndex.Known> entry : index.files().entrySet()) {
      FileStat stat = entry.getValue().stat();
      text(out, entry.getKey());
      out.writeLong(stat.bytes());
      time(out, stat.modified());
      time(out, stat.changed());
      out.writeLong(stat.inode());
      out.writeInt(stat.permissions());
      entry.getValue().file().hash().writeHex(hex, 0);
      out.write(hex);
    }
    byte[] body = bytes.toByteArray();
    try (OutputStream target = OwnerOnly.newFile(file)) {
      target.write(body);
      target.write(ContentHash.newDigest().digest(body));
    }
  }

  /** Reads the index of a workspace; it is empty if it is not usable. */
  static FileIndex read(Path file, String root) throws IOException {
    if (RegularFiles.file(file) == null) {
      return FileIndex.EMPTY;
    }
    byte[] bytes;
    try (InputStream in = RegularFiles.open(file)) {
      bytes = in.readNBytes(MAX_BYTES);
    }
    int length = bytes.length - DIGEST_BYTES;
    if (length < 0) {
      return FileIndex.EMPTY;
    }
    MessageDigest digest = ContentHash.newDigest();
    digest.update(bytes, 0, length);
    if (!Arrays.equals(digest.digest(), Arrays.copyOfRange(bytes, length, bytes.length))) {
      return FileIndex.EMPTY;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length))) {
      return in.readUTF().equals(MAGIC) && text(in).equals(root) ? read(in) : FileIndex.EMPTY;
    } catch (IOException | IllegalArgumentException e) {
      return FileIndex.EMPTY; // a hash does not prove the form
    }
  }

  private static FileIndex read(DataInputStream in) throws IOException {
    int size = in.readInt();
    Map<String, FileIndex.Known> files = new HashMap<>();
    for (int i = 0; i < size; i++) {
      String path = text(in);
      FileStat stat = new FileStat(
          FileStat.Type.FILE, in.readLong(), time(in), time(in), in.readLong(), in.readInt());
      ContentHash hash = ContentHash.tryParseHex(
          new String(in.readNBytes(ContentHash.HEX_LENGTH), StandardCharsets.ISO_8859_1));
      if (hash == null) {
        return FileIndex.EMPTY;
      }
      files.put(
          path,
          new FileIndex.Known(
              stat,
              new SnapshotEntry.File(path, stat.mode(), stat.modified(), hash, stat.bytes())));
    }
    return new FileIndex(files);
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("expected the length of a text, found " + length);
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private static void time(DataOutputStream out, Instant time) throws IOException {
    out.writeLong(time.getEpochSecond());
    out.writeInt(time.getNano());
  }

  private static Instant time(DataInputStream in) throws IOException {
    try {
      return Instant.ofEpochSecond(in.readLong(), in.readInt());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IOException("expected a time", e);
    }
  }
}
