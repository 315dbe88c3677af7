package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What values cost: reading text into one, and the hash of one that has been read. The sum is what
 * {@link CanonicalHashBenchmark} measures without values in between.
 */
public class JsonValueBenchmark extends DocumentBenchmark {

  private JsonValue value;

  @Override
  void prepare() {
    value = JsonText.parse(bytes);
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
