package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.view.Prices;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --prices}: what the tokens of models cost. */
public final class PricesOption {

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description = "JSON file with the prices of a million tokens, for costs:"
          + " {\"MODEL\": {\"input\": 1.25, \"output\": 10}}.")
  private @Nullable Path file;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** The file with the prices; null if none was given. */
  public @Nullable Path file() {
    return file;
  }

  /**
   * Reads the prices; there are none without a file.
   *
   * @throws IOException if the file cannot be read
   * @throws ParameterException if the file is not of the expected form
   */
  public Prices read() throws IOException {
    if (file == null) {
      return Prices.NONE;
    }
    try {
      return Prices.fromJson(JsonFile.read(file, "prices of models"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), Style.plain("--prices: %s: %s".formatted(file, e.getMessage())));
    }
  }
}
