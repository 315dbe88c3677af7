package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.dialect.LineEncoder.EncodedLine;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Instant;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the time to emit an event: afterwards its line of about 300 bytes has been passed to the
 * operating system. {@link EmitLatency} measures the same with interleaved contenders, for ratios.
 */
public class EmitBenchmark extends TimeBenchmark {

  /** A file and its contender. */
  @State(Scope.Thread)
  public static class Target {

    /** The contender that writes. */
    @Param
    public EmitContender.Kind contender;

    private EmitFile file;

    @Setup
    public void open() throws IOException {
      file = new EmitFile(contender);
      file.requireSameLine();
    }

    @TearDown
    public void close() throws IOException {
      file.close();
    }
  }

  /** The encoder of the line, without a file. */
  @State(Scope.Thread)
  public static class Encoder {

    private final LineEncoder encoder = LineEncoder.of(Dialect.EVENT);
    private final MessageDigest log = ContentHash.newDigest();
    private final Timestamp now = Timestamp.of(Instant.now());
  }

  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public void emit(Target target) throws IOException {
    target.file.emit();
  }

  @Benchmark
  public EncodedLine encode(Encoder state) {
    return state.encoder.encode(EmitContender.CALL, state.now);
  }

  /** Encodes with the current time, and updates the hash of all lines. */
  @Benchmark
  public EncodedLine encodeAndHash(Encoder state) {
    Timestamp now = Timestamp.of(Instant.now());
    EncodedLine line = state.encoder.encode(EmitContender.CALL, now);
    state.encoder.update(state.log);
    return line;
  }
}
