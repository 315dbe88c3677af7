package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.records.store.RecordStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The store of session records that the command line names. */
public final class StoreInput {

  @Option(
      names = "--store",
      paramLabel = "DIR",
      defaultValue = "${env:" + SessionInput.HOME + "}",
      description =
          "Directory with records and their texts, in which a record is found by its id or"
              + " session id (default: $REPLAY_HOME).")
  private @Nullable Path store;

  /** Whether a store is named. */
  boolean isGiven() {
    return store != null;
  }

  /**
   * Opens the store.
   *
   * @throws UsageException if none is named
   * @throws NoSuchFileException if it is missing
   */
  public RecordStore open() throws IOException {
    if (store == null) {
      throw new UsageException(
          "missing --store DIR (default: $REPLAY_HOME), the directory with records");
    }
    return RecordStore.open(store);
  }
}
