package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.MappingIterator;
import dev.agentreplay.io.log.RawLine;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures the time per line of a log: {@link #typed} reads it as an event, {@link #raw} finds its
 * end, {@link #jackson} binds it to a class as users of Jackson do, and {@link #verify} verifies
 * it, from a file.
 *
 * <p>The reader of this library does more than Jackson: it rejects JSON that is not strict, keeps
 * the bytes of the line and unknown members, and parses times and hashes, which Jackson leaves as
 * text.
 */
@State(Scope.Thread)
public class ReadBenchmark extends TimeBenchmark {

  private byte[] log;
  private Path file;

  @Setup
  public void setUp() throws IOException {
    log = ReadLog.bytes();
    ReadLog.requireSameEvents(log);
    file = Files.createTempFile("benchmark", ".jsonl");
    Files.write(file, log);
  }

  @TearDown
  public void tearDown() throws IOException {
    Files.delete(file);
  }

  @Benchmark
  @OperationsPerInvocation(ReadLog.LINES)
  public void typed(Blackhole hole) throws IOException {
    try (ReplayReader reader = ReadLog.reader(log)) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        hole.consume(line.event());
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ReadLog.LINES)
  public void raw(Blackhole hole) throws IOException {
    try (RawLineReader reader = ReadLog.rawReader(log)) {
      for (RawLine line = reader.read(); line != null; line = reader.read()) {
        hole.consume(line);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ReadLog.LINES)
  public void jackson(Blackhole hole) throws IOException {
    try (MappingIterator<ReadPojos.Event> events = ReadLog.jackson(log)) {
      while (events.hasNextValue()) {
        hole.consume(events.nextValue());
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(ReadLog.LINES)
  public VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(file));
  }
}
