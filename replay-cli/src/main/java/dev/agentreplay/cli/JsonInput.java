package dev.agentreplay.cli;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A JSON value that a command line names. */
final class JsonInput {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "-",
      description = "A file with one JSON value; - is standard input, and the default.")
  String file = "-";

  @Option(
      names = "--canonicalization",
      paramLabel = "PROFILE",
      defaultValue = "serde",
      description = "How: serde (the default).")
  Canonicalization canonicalization = Canonicalization.SERDE;

  JsonValue read(Terminal terminal) throws IOException {
    boolean standardInput = file.equals("-");
    byte[] bytes = standardInput ? terminal.in().readAllBytes() : readFile();
    try {
      return JsonText.parse(bytes);
    } catch (JsonSyntaxException e) {
      throw new IOException(
          (standardInput ? "standard input" : file) + ": not a JSON value: " + e.getMessage(), e);
    }
  }

  private byte[] readFile() throws IOException {
    Path path = PathConverter.parse(file);
    if (Files.isDirectory(path)) {
      throw new IOException(file + ": is a directory");
    }
    return Files.readAllBytes(path);
  }
}
