package dev.agentreplay.cli.input;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.RecordFile;
import dev.agentreplay.records.store.RecordStore;
import dev.agentreplay.records.store.RecordTexts;
import dev.agentreplay.records.store.TextDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Finds the session records named on the command line, and their texts. */
public final class RecordInput {

  private static final String RECORD_NAME = "record.json";
  private static final String RECORDS_NAME = "records";

  @Option(
      names = "--store",
      paramLabel = "DIR",
      defaultValue = "${env:REPLAY_HOME}",
      description =
          "Directory with records and their texts, in which a record is found by its id or"
              + " session id (default: $REPLAY_HOME).")
  private @Nullable Path store;

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

  /** The directory of the store; null if none is named. */
  public @Nullable Path store() {
    return store;
  }

  /**
   * The store.
   *
   * @throws NoSuchFileException if none is named, or it is missing
   */
  public RecordStore openStore() throws IOException {
    if (store == null) {
      throw new NoSuchFileException(
          "store", null, "--store DIR (default: $REPLAY_HOME) names the directory with records");
    }
    return RecordStore.open(store);
  }

  /**
   * Opens the record in a file or in a directory, or with an id in the store.
   *
   * @throws IOException if it is missing, or is not a valid record; the message lists each problem
   */
  public OpenRecord open(String name) throws IOException {
    Path path = PathConverter.parse(name);
    if (Files.isDirectory(path)) {
      path = path.resolve(RECORD_NAME);
    }
    if (Files.exists(path)) {
      inputs.add(path);
      RecordStore around = storeOf(path);
      RecordFile file = RecordFile.at(path);
      TextDirectory texts = around == null ? file.texts() : around.texts();
      return new OpenRecord(file.read(), withMore(texts), around);
    }
    if (store == null) {
      throw new NoSuchFileException(
          name, null, "no such file or directory; --store DIR finds a record by its id");
    }
    RecordStore opened = RecordStore.open(store);
    String id = opened.find(name);
    return new OpenRecord(opened.record(id), withMore(opened.texts()), opened);
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
