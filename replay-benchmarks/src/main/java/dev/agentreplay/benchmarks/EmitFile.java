package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A temporary file written by a contender; it is replaced before it becomes large. */
final class EmitFile implements Closeable {

  private static final int MAX_LINES = 100_000;

  private final EmitContender.Kind kind;
  private final Path directory;
  private final Path file;
  private EmitContender contender;
  private int lines;

  EmitFile(EmitContender.Kind kind) throws IOException {
    this.kind = kind;
    this.directory = Files.createTempDirectory("replay-emit");
    this.file = directory.resolve(kind + ".jsonl");
    this.contender = kind.open(file);
  }

  /** Appends a line. */
  void emit() throws IOException {
    if (++lines > MAX_LINES) {
      reopen(1);
    }
    contender.emit();
  }

  /** Reserves space for some lines, so that the file is not replaced between them. */
  void reserve(int count) throws IOException {
    if (lines + count > MAX_LINES) {
      reopen(0);
    }
  }

  private void reopen(int linesToCome) throws IOException {
    contender.close();
    Files.delete(file);
    contender = kind.open(file);
    lines = linesToCome;
  }

  /**
   * Checks that the contender writes the expected line.
   *
   * @throws IllegalStateException if it writes a different line
   */
  void requireSameLine() throws IOException {
    emit();
    List<String> written = Files.readAllLines(file);
    JsonObject line = JsonText.parse(written.get(written.size() - 1)).asObject();
    JsonObject expected = JsonObject.of("params", EmitContender.CALL.params().value());
    for (var member : EmitFields.all().entrySet()) {
      expected = expected.with(member.getKey(), member.getValue());
    }
    if (!line.without("t").equals(expected) || !line.has("t")) {
      throw new IllegalStateException(kind + " wrote " + line + ", expected " + expected);
    }
  }

  @Override
  public void close() throws IOException {
    contender.close();
    try (var left = Files.list(directory)) {
      for (Path path : left.toList()) {
        Files.delete(path);
      }
    }
    Files.delete(directory);
  }
}
