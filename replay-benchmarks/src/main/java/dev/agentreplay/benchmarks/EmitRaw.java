package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.model.Timestamp;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;

/** The lower bound: a write of the same bytes. */
final class EmitRaw implements EmitContender {

  private final byte[] line;
  private final OutputStream out;

  EmitRaw(Path file) throws IOException {
    LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    encoder.encode(CALL, Timestamp.of(Instant.now()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    encoder.writeTo(bytes);
    line = bytes.toByteArray();
    out = new FileOutputStream(file.toFile(), true);
  }

  @Override
  public void emit() throws IOException {
    out.write(line);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
