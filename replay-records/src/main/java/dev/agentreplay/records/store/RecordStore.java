package dev.agentreplay.records.store;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.FileMessages;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory of session records, their texts and the reports of their replays.
 *
 * <pre>
 * DIR/records/&lt;id&gt;/record.json           a record
 * DIR/records/&lt;id&gt;/replays/&lt;time&gt;.json   the reports of its replays
 * DIR/content/&lt;hash&gt;                     the texts of all records, see {@link TextDirectory}
 * </pre>
 *
 * <p>Files are written whole or not at all, and forced to disk (fsync); none is replaced. The texts
 * of a record are written before the record: a directory of {@code records} that does not have
 * {@code record.json} is that of an interrupted {@link #add}, and not a record; the same record can
 * be added again. The files in the store are not trusted: links and special files are refused.
 *
 * <p>Safe for use by several threads and processes.
 */
public final class RecordStore {

  private static final String RECORDS = "records";
  private static final String RECORD = "record.json";
  private static final String REPLAYS = "replays";

  private final Disk disk;
  private final Path directory;
  private final Path records;
  private final TextDirectory texts;

  private RecordStore(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
    this.records = directory.resolve(RECORDS);
    this.texts = TextDirectory.of(disk, directory.resolve(TextDirectory.NAME));
  }

  /**
   * Opens the store in a directory. The directory itself may be a symbolic link; a directory
   * without {@code records} is an empty store.
   *
   * @throws NoSuchFileException if the directory is missing
   * @throws NotDirectoryException if it is not a directory
   */
  public static RecordStore open(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    return new RecordStore(LocalDisk.INSTANCE, directory);
  }

  /**
   * Opens the store in a directory, which is created if it is missing.
   *
   * @throws NotDirectoryException if it is not a directory
   */
  public static RecordStore create(Path directory) throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
    return create(LocalDisk.INSTANCE, directory);
  }

  static RecordStore create(Disk disk, Path directory) throws IOException {
    disk.createDirectory(directory);
    return new RecordStore(disk, directory);
  }

  /** The directory of the store. */
  public Path directory() {
    return directory;
  }

  /** The texts of all records. */
  public TextDirectory texts() {
    return texts;
  }

  /**
   * Adds a record, and those of its texts that are given.
   *
   * @param from has the texts of messages and artifacts; those that it does not have are not stored
   * @return the file of the record
   * @throws InvalidRecordException if the record breaks constraints; nothing is written
   * @throws FileAlreadyExistsException if the store has a record with this id, also the same record
   * @throws AlteredTextException if a text does not have its hash, in the store or in {@code from}
   * @throws IOException if a file cannot be read or written; then the store has the record whole or
   *     not at all
   */
  public Path add(SessionRecord record, RecordTexts from) throws IOException {
    SessionRecords.read(record.toJson()); // its id is the name of a directory
    Path home = home(record.id());
    if (RegularFiles.directory(records) == null || RegularFiles.directory(home) == null) {
      disk.createDirectory(home);
    }
    Path file = home.resolve(RECORD);
    try {
      new RecordFile(disk, file, texts).create(record, from);
    } catch (FileAlreadyExistsException e) {
      if (!file.toString().equals(e.getFile())) {
        throw e;
      }
      throw new FileAlreadyExistsException(
          file.toString(), null, "the store has a record with the id " + record.id());
    }
    return file;
  }

  /**
   * Lists the records, sorted by id. A record that cannot be read is listed with the reason. Names
   * that begin with a dot are not those of records.
   *
   * @throws IOException if the directory of the records cannot be read
   */
  public List<StoredRecord> list() throws IOException {
    if (RegularFiles.directory(records) == null) {
      return List.of();
    }
    List<StoredRecord> found = new ArrayList<>();
    for (String name : disk.names(records).stream().sorted().toList()) {
      StoredRecord record = name.startsWith(".") ? null : entry(name);
      if (record != null) {
        found.add(record);
      }
    }
    return List.copyOf(found);
  }

  /** Returns an entry of the directory of records; null for that of an interrupted addition. */
  private @Nullable StoredRecord entry(String name) {
    try {
      Path home = Objects.requireNonNull(RegularFiles.directory(records.resolve(name)), name);
      Path file = RegularFiles.file(home.resolve(RECORD));
      return file == null
          ? null
          : new RecordSummary(read(file, name), reportNames(home).size());
    } catch (IOException e) {
      return new BrokenRecord(name, FileMessages.of(e));
    }
  }

  /**
   * Returns the record with an id.
   *
   * @throws IllegalArgumentException if the text does not have the form of the id of a record, see
   *     {@link SessionRecord#isId}
   * @throws NoSuchFileException if the store does not have the record
   * @throws RecordFormatException if its file is not a valid record, or one with a different id
   * @throws IOException if it cannot be read
   */
  public SessionRecord record(String id) throws IOException {
    return read(existing(id), id);
  }

  /**
   * Returns the id of the record that a text means: the id of a record, or the {@code session_id}
   * of one. Reads all records of the store unless the text is the id of one.
   *
   * @throws NoSuchFileException if the store does not have such a record; the reason states how
   *     many records cannot be read
   * @throws FileSystemException if several records have this {@code session_id}; the reason states
   *     their ids
   * @throws IOException if the store cannot be read
   */
  public String find(String name) throws IOException {
    if (SessionRecord.isId(name) && findFile(name) != null) {
      return name;
    }
    List<String> ids = new ArrayList<>();
    int broken = 0;
    for (StoredRecord stored : list()) {
      if (stored instanceof RecordSummary record) {
        if (record.sessionId().equals(name)) {
          ids.add(record.id());
        }
      } else {
        broken++;
      }
    }
    String shown = Excerpt.of(PlainText.escaped(name));
    if (ids.isEmpty()) {
      String unread = broken == 0 ? "" : "; " + unread(broken);
      throw new NoSuchFileException(
          directory.toString(),
          null,
          "no record has the id or session id \"%s\"%s".formatted(shown, unread));
    }
    if (ids.size() > 1) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "expected one record of the session \"%s\", found %s; state the id of one of them"
              .formatted(shown, String.join(" and ", ids)));
    }
    return ids.get(0);
  }

  private static String unread(int broken) {
    return broken == 1 ? "1 record cannot be read" : broken + " records cannot be read";
  }

  /**
   * Stores the report of a replay of a record, in a new file that is named by its time, to the
   * millisecond.
   *
   * @return the file
   * @throws InvalidRecordException if the report breaks constraints
   * @throws IllegalArgumentException if the text does not have the form of the id of a record
   * @throws NoSuchFileException if the store does not have the record
   * @throws IOException if it cannot be written
   */
  public Path addReport(String recordId, RecordReplayReport report) throws IOException {
    SessionRecords.readReport(report.toJson());
    byte[] bytes = SessionRecords.write(report).getBytes(StandardCharsets.UTF_8);
    Path replays = existing(recordId).resolveSibling(REPLAYS);
    if (RegularFiles.directory(replays) == null) {
      disk.createDirectory(replays);
    }
    for (ReportName name = ReportName.of(report.replayedAt()); ; name = name.next()) {
      Path file = replays.resolve(name.file());
      try {
        WholeFile.create(disk, file, bytes);
        return file;
      } catch (FileAlreadyExistsException e) {
        if (!file.toString().equals(e.getFile())) {
          throw e;
        } // else a report of the same time: the next name is free, or the one after it
      }
    }
  }

  /**
   * Returns the files of the reports of a record's replays, in the order of their times. Use
   * {@link #report} to read one.
   *
   * @throws IllegalArgumentException if the text does not have the form of the id of a record
   * @throws NoSuchFileException if the store does not have the record
   * @throws IOException if they cannot be listed
   */
  public List<Path> reports(String recordId) throws IOException {
    existing(recordId);
    Path home = home(recordId);
    return reportNames(home).stream()
        .map(name -> home.resolve(REPLAYS).resolve(name.file()))
        .toList();
  }

  /**
   * Reads the file of a report.
   *
   * @param file one of {@link #reports}
   * @throws RecordFormatException if the file is not a valid report
   * @throws IOException if it cannot be read, or is a link or a special file
   */
  public RecordReplayReport report(Path file) throws IOException {
    if (RegularFiles.file(file) == null) {
      throw new NoSuchFileException(file.toString());
    }
    return RecordFile.readReport(file);
  }

  private List<ReportName> reportNames(Path home) throws IOException {
    Path replays = RegularFiles.directory(home.resolve(REPLAYS));
    return replays == null
        ? List.of()
        : disk.names(replays).stream()
            .filter(ReportName::isReport)
            .map(ReportName::parse)
            .sorted()
            .toList();
  }

  /** Returns the file of a record. */
  private Path existing(String id) throws IOException {
    Path file = findFile(id);
    if (file == null) {
      throw new NoSuchFileException(
          directory.toString(), null, "the store does not have the record " + id);
    }
    return file;
  }

  /** Returns the file of a record, or null. */
  private @Nullable Path findFile(String id) throws IOException {
    Path home = home(id);
    return RegularFiles.directory(records) == null || RegularFiles.directory(home) == null
        ? null
        : RegularFiles.file(home.resolve(RECORD));
  }

  /** Returns the directory of a record, which may be missing; its id has no path in it. */
  private Path home(String id) {
    if (!SessionRecord.isId(id)) {
      throw new IllegalArgumentException(
          "not the id of a record: \"%s\"".formatted(Excerpt.of(PlainText.escaped(id))));
    }
    return records.resolve(id);
  }

  private static SessionRecord read(Path file, String id) throws IOException {
    SessionRecord record = RecordFile.readRegular(file);
    if (!record.id().equals(id)) {
      throw new RecordFormatException(
          file,
          RecordFile.RECORD,
          new Problem(
              "id",
              "expected the name of the directory, %s, found %s"
                  .formatted(PlainText.escaped(id), record.id())));
    }
    return record;
  }
}
