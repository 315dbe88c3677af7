package dev.agentreplay.cli.input;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.recording.MessageExport;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordFormatException;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordTexts;
import dev.agentreplay.records.store.TextDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the session records named on the command line, and their texts. */
public final class RecordInput {

  private static final String RECORD_NAME = "record.json";
  private static final String RECORDS_NAME = "records";

  /** The number of bytes that show the form of a file. */
  private static final int HEAD = 1 << 16;

  @Mixin
  private StoreInput store = new StoreInput();

  @Option(
      names = "--content",
      paramLabel = "DIR",
      description = "Directory with more texts, each in a file named by its SHA-256.")
  private @Nullable Path content;

  /** The files that the command reads. */
  private final List<Path> inputs = new ArrayList<>();

  /**
   * A record with its texts.
   *
   * @param record the record
   * @param texts the texts
   * @param store the store that has the record; null if it is a file elsewhere
   */
  public record OpenRecord(SessionRecord record, RecordTexts texts, @Nullable RecordStore store) {}

  /**
   * Opens the record in a file or in a directory, or with an id in the store.
   *
   * @throws InvalidInputException if it is not a valid record, with each problem
   * @throws IOException if it is missing, or cannot be read
   */
  public OpenRecord open(String name) throws IOException {
    Path path = PathConverter.parse(name);
    if (Files.isDirectory(path)) {
      path = inDirectory(path);
    }
    try {
      if (Files.exists(path)) {
        inputs.add(path);
        RecordStore around = storeOf(path);
        RecordFile file = RecordFile.at(path);
        TextDirectory texts = around == null ? file.texts() : around.texts();
        return new OpenRecord(file.read(), withMore(texts), around);
      }
      if (!store.isGiven()) {
        throw new NoSuchFileException(
            name, null, "no such file or directory; --store DIR finds a record by its id");
      }
      RecordStore opened = store.open();
      String id = opened.find(name);
      return new OpenRecord(opened.record(id), withMore(opened.texts()), opened);
    } catch (RecordFormatException e) {
      throw new InvalidInputException(
          "%s: not a session record%s".formatted(name, instead(path)), e.problems(), e);
    }
  }

  private static Path inDirectory(Path directory) throws NoSuchFileException {
    Path file = directory.resolve(RECORD_NAME);
    if (Files.exists(file)) {
      return file;
    }
    boolean isStore = Files.isDirectory(directory.resolve(RECORDS_NAME));
    throw new NoSuchFileException(
        directory.toString(),
        null,
        isStore
            ? "a store of records; name one of its records, with --store " + directory
            : "expected a record, found a directory without the file " + RECORD_NAME);
  }

  /** The statement of what a file seems to be instead, and of the next step; empty if unknown. */
  private static String instead(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return "";
    }
    byte[] head;
    try (InputStream in = RegularFiles.open(file)) {
      head = in.readNBytes(HEAD);
    }
    String text = new String(head, StandardCharsets.UTF_8);
    boolean isLog = text.lines().findFirst().orElse("").contains("\"replay_version\"");
    boolean isExport = MessageExport.isExport(head)
        && text.contains("\"body_md\"")
        && !text.contains("\"inputs\"");
    if (!isLog && !isExport) {
      return "";
    }
    return ", but %s, of which replay session record makes one"
        .formatted(isLog ? "the log of a session" : "an export of messages");
  }

  /** The store that has the file of a record; null if it is not in one. */
  private static @Nullable RecordStore storeOf(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path records = absolute.getNameCount() < 4
        ? null
        : Objects.requireNonNull(absolute.getParent()).getParent();
    return records != null
            && records.endsWith(RECORDS_NAME)
            && absolute.endsWith(RECORD_NAME)
            && records.getParent() != null
        ? RecordStore.open(records.getParent())
        : null;
  }

  private RecordTexts withMore(RecordTexts texts) {
    return content == null ? texts : texts.or(TextDirectory.of(content));
  }

  /** Adds a file that the command reads, so that its output does not replace it. */
  public Path add(Path file) {
    inputs.add(file);
    return file;
  }

  /** Refuses to write to a file that the command reads, or to a directory. */
  public void requireOutput(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "it is a directory; expected the name of a file");
    }
    for (Path input : inputs) {
      if (Files.exists(file) && Files.exists(input) && Files.isSameFile(file, input)) {
        throw new FileAlreadyExistsException(
            file.toString(), null, "it is an input of this command; name a different file");
      }
    }
  }
}
