package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Measures parsing text to a JSON value, and hashing a parsed value. The sum is the cost of the
 * work that {@link CanonicalHashBenchmark} measures without intermediate values.
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
