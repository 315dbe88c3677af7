package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What values cost: reading text into one, and the hash of one that has been read. The sum is what
 * {@link CanonicalHashBenchmark} measures without values in between.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JsonValueBenchmark {

  /** The documents of {@link CanonicalHashBenchmark}. */
  @Param({"line270", "line270-unsorted", "line3k", "line3k-unsorted", "array1m", "array1m-unsorted"
  })
  public String document;

  private byte[] bytes;
  private JsonValue value;

  @Setup
  public void setUp() throws IOException {
    bytes = Documents.named(document);
    value = JsonText.parse(bytes);
    Peers.requireSameWork(bytes);
  }

  @Benchmark
  public JsonValue parse() {
    return JsonText.parse(bytes);
  }

  @Benchmark
  public ContentHash hashSerde() {
    return CanonicalJson.SERDE.hash(value);
  }

  @Benchmark
  public ContentHash hashJcs() {
    return CanonicalJson.JCS.hash(value);
  }
}
