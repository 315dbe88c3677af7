package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --out} and {@code --overwrite}: the destination of a command's output. */
public final class OutFile {

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "File to write instead of standard output.")
  private @Nullable Path file;

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  /** The file, or null for the standard output. */
  public @Nullable Path file() {
    return file;
  }

  /** Whether a file that exists is replaced. */
  public boolean overwrite() {
    return overwrite;
  }

  /** Fails if {@code --overwrite} is given without a file. */
  public void check() {
    if (overwrite && file == null) {
      throw new UsageException("--overwrite requires --out");
    }
  }

  /** Prints the name and size of a file that was written. */
  public static void tell(Path file, Terminal terminal) throws IOException {
    long bytes = Files.size(file);
    String size = bytes < 1_000
        ? "%d bytes".formatted(bytes)
        : bytes < 1_000_000
            ? "%d KB".formatted(Math.round(bytes / 1e3))
            : "%.1f MB".formatted(bytes / 1e6);
    terminal.err().println("wrote %s, %s".formatted(Style.plain(file.toString()), size));
  }

  /**
   * Begins a file that appears whole or not at all, and replaces one with {@code --overwrite},
   * except an input.
   */
  public WholeFile begin(Path other, ReadableSessions input) throws IOException {
    input.requireOutput(other);
    return overwrite ? WholeFile.replacing(other) : WholeFile.creating(other);
  }

  /**
   * Writes a text to the file, whole or not at all, unless that is an input; without a file, to
   * standard output.
   */
  public void write(String text, ReadableSessions input, PrintStream standard) throws IOException {
    if (file == null) {
      standard.print(text);
      return;
    }
    input.requireOutput(file);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (overwrite) {
      WholeFile.replace(file, bytes);
    } else {
      WholeFile.create(file, bytes);
    }
  }
}
