package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where what a command makes is written to. */
public final class OutFile {

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Write it there instead of to standard output.")
  private @Nullable Path file;

  @Option(names = "--overwrite", description = "Replace FILE if it exists.")
  private boolean overwrite;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** The file, or null for the standard output. */
  public @Nullable Path file() {
    return file;
  }

  /** Whether a file that exists is replaced. */
  public boolean overwrite() {
    return overwrite;
  }

  /** Refuses options that do not go together. */
  public void check() {
    if (overwrite && file == null) {
      throw new ParameterException(spec.commandLine(), "--overwrite goes with --out");
    }
  }

  /** Refuses a directory, which is not replaced by a file. */
  public static void requireNoDirectory(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "it is a directory; expected the name of a file");
    }
  }

  /** Tells that a file was written, and how large it is. */
  public static void tell(Path file, Terminal terminal) throws IOException {
    long bytes = Files.size(file);
    String size = bytes < 1_000
        ? "%d bytes".formatted(bytes)
        : bytes < 1_000_000
            ? "%d KB".formatted(Math.round(bytes / 1e3))
            : "%.1f MB".formatted(bytes / 1e6);
    terminal.err().println("wrote %s, %s".formatted(Style.plain(file.toString()), size));
  }

  /** A file to write that is there whole or not at all; it replaces one when that is asked for. */
  public WholeFile begin(Path other) throws IOException {
    requireNoDirectory(other);
    return overwrite ? WholeFile.replacing(other) : WholeFile.creating(other);
  }

  /** Writes a text, to a file whole or not at all; or else to the standard output. */
  public void write(String text, PrintStream standard) throws IOException {
    if (file == null) {
      standard.print(text);
      return;
    }
    requireNoDirectory(file);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (overwrite) {
      WholeFile.replace(file, bytes);
    } else {
      WholeFile.create(file, bytes);
    }
  }
}
