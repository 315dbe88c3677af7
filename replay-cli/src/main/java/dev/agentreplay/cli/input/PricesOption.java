package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.view.Prices;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --prices}: what the tokens of models cost. */
public final class PricesOption {

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description = "JSON file with the prices of a million tokens, for costs:"
          + " {\"MODEL\": {\"input\": 1.25, \"output\": 10}}.")
  private @Nullable Path file;

  /** The file with the prices; null if none was given. */
  public @Nullable Path file() {
    return file;
  }

  /**
   * Reads the prices; there are none without a file.
   *
   * @throws IOException if the file cannot be read
   * @throws UsageException if the file is not of the expected form
   */
  public Prices read() throws IOException {
    if (file == null) {
      return Prices.NONE;
    }
    try {
      return Prices.fromJson(JsonFile.read(file, "prices of models"));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--prices: %s: %s".formatted(file, e.getMessage()));
    }
  }
}
