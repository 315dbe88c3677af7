package dev.agentreplay.records.store;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A file with a session record, and the directory {@value TextDirectory#NAME} next to it with the
 * texts of the record. Both are written whole or not at all, the texts first: a record that exists
 * has all of its texts that were given. Safe for use by several threads.
 */
public final class RecordFile {

  /** The name of a record in messages. */
  static final String RECORD = "session record";

  private static final String REPORT = "replay report";

  private final Disk disk;
  private final Path path;
  private final TextDirectory texts;

  RecordFile(Disk disk, Path path, TextDirectory texts) {
    this.disk = disk;
    this.path = Objects.requireNonNull(path, "path");
    this.texts = texts;
  }

  /** Returns the file at a path, which may be missing. Reads nothing. */
  public static RecordFile at(Path path) {
    return at(LocalDisk.INSTANCE, path);
  }

  static RecordFile at(Disk disk, Path path) {
    Path content = path.resolveSibling(TextDirectory.NAME);
    return new RecordFile(disk, path, TextDirectory.of(disk, content));
  }

  /** The path of the record. */
  public Path path() {
    return path;
  }

  /** The texts next to the record. */
  public TextDirectory texts() {
    return texts;
  }

  /**
   * Reads the record. The path itself may be a symbolic link.
   *
   * @throws RecordFormatException if the file is not a valid record
   * @throws IOException if it cannot be read
   */
  public SessionRecord read() throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return read(path, in);
    }
  }

  /** Reads a record as {@link #read()} does, from a file that must not be a symbolic link. */
  static SessionRecord readRegular(Path file) throws IOException {
    try (InputStream in = RegularFiles.open(file)) {
      return read(file, in);
    }
  }

  private static SessionRecord read(Path file, InputStream in) throws IOException {
    try {
      return SessionRecords.read(in);
    } catch (InvalidRecordException e) {
      throw new RecordFormatException(file, RECORD, e);
    } catch (JsonSyntaxException e) {
      throw new RecordFormatException(file, RECORD, e);
    }
  }

  /**
   * Reads a replay report from a file, which must not be a symbolic link.
   *
   * @throws RecordFormatException if the file is not a valid report
   * @throws IOException if it cannot be read
   */
  static RecordReplayReport readReport(Path file) throws IOException {
    try (InputStream in = RegularFiles.open(file)) {
      return SessionRecords.readReport(in);
    } catch (InvalidRecordException e) {
      throw new RecordFormatException(file, REPORT, e);
    } catch (JsonSyntaxException e) {
      throw new RecordFormatException(file, REPORT, e);
    }
  }

  /**
   * Writes the record as a new file, after those of its texts that are given.
   *
   * @param from has the texts; those that it does not have are not written
   * @throws InvalidRecordException if the record breaks constraints; nothing is written
   * @throws FileAlreadyExistsException if the file exists; it is not replaced
   * @throws AlteredTextException if a text does not have its hash, here or in {@code from}
   * @throws IOException if a file cannot be read or written
   */
  public void create(SessionRecord record, RecordTexts from) throws IOException {
    byte[] bytes = validBytes(record);
    requireParent();
    if (disk.exists(path)) { // before texts are written in vain
      throw new FileAlreadyExistsException(path.toString());
    }
    putTexts(record, from);
    WholeFile.create(disk, path, bytes);
  }

  /**
   * Writes the record as {@link #create} does, but replaces a file that exists. Its texts stay.
   *
   * @throws InvalidRecordException if the record breaks constraints; nothing is written
   * @throws AlteredTextException if a text does not have its hash, here or in {@code from}
   * @throws IOException if a file cannot be read or written
   */
  public void replace(SessionRecord record, RecordTexts from) throws IOException {
    byte[] bytes = validBytes(record);
    requireParent();
    putTexts(record, from);
    WholeFile.replace(disk, path, bytes);
  }

  /** Fails if the directory of the record is missing; that of its texts would create it. */
  private void requireParent() throws NoSuchFileException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && !disk.exists(parent)) {
      throw new NoSuchFileException(parent.toString());
    }
  }

  private void putTexts(SessionRecord record, RecordTexts from) throws IOException {
    for (RecordHash hash : hashes(record)) {
      String text = from.text(hash);
      if (text == null) {
        continue;
      }
      if (!RecordHash.ofContent(text).equals(hash)) {
        throw new AlteredTextException("text of a message or artifact", hash);
      }
      texts.put(text);
    }
  }

  /** Returns the hashes of messages and artifacts, each once, in the order of the record. */
  static Set<RecordHash> hashes(SessionRecord record) {
    Set<RecordHash> hashes = new LinkedHashSet<>();
    for (SessionTrace.Round round : record.trace().rounds()) {
      round.messages().stream().map(TraceMessage::contentHash).forEach(hashes::add);
      RecordHash artifact = round.compiledArtifactHash();
      if (artifact != null) {
        hashes.add(artifact);
      }
    }
    hashes.add(record.outputs().finalArtifactHash());
    return hashes;
  }

  private static byte[] validBytes(SessionRecord record) {
    SessionRecords.read(record.toJson());
    return SessionRecords.write(record).getBytes(StandardCharsets.UTF_8);
  }
}
