package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
 * From UTF-8 text to the SHA-256 hash of its canonical form: ours, RFC 8785 by erdtman, and sorted
 * by Jackson, which is deterministic but no canonical form that other languages agree on.
 *
 * <p>Beside them the least that such work can take: {@link #limitSha256()} hashes bytes that are
 * canonical already, {@link #limitJacksonTokens()} finds the tokens only, and
 * {@link #limitJacksonCopy()} reads and writes them, without sorting and hashing.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CanonicalHashBenchmark {

  /** A tool call, a longer one, and many events; canonical already, and far from it. */
  @Param({"line270", "line270-unsorted", "line3k", "line3k-unsorted", "array1m", "array1m-unsorted"
  })
  public String document;

  private byte[] bytes;
  private byte[] canonical;
  private MessageDigest sha256;

  @Setup
  public void setUp() throws IOException, NoSuchAlgorithmException {
    sha256 = MessageDigest.getInstance("SHA-256");
    bytes = Documents.named(document);
    canonical = CanonicalJson.SERDE.bytes(bytes);
    Peers.requireSameWork(bytes);
  }

  @Benchmark
  public ContentHash serde() {
    return CanonicalJson.SERDE.hash(bytes);
  }

  @Benchmark
  public ContentHash jcs() {
    return CanonicalJson.JCS.hash(bytes);
  }

  @Benchmark
  public ContentHash erdtman() throws IOException {
    return hash(Peers.erdtman(bytes));
  }

  @Benchmark
  public ContentHash jacksonTree() throws IOException {
    return hash(Peers.jacksonTree(bytes));
  }

  @Benchmark
  public ContentHash jacksonMap() throws IOException {
    return hash(Peers.jacksonMap(bytes));
  }

  @Benchmark
  public ContentHash limitSha256() {
    return hash(canonical);
  }

  @Benchmark
  public int limitJacksonTokens() throws IOException {
    return Peers.jacksonTokens(bytes);
  }

  @Benchmark
  public byte[] limitJacksonCopy() throws IOException {
    return Peers.jacksonCopy(bytes);
  }

  /** Makes no new digest, as ours does not. */
  private ContentHash hash(byte[] written) {
    return ContentHash.of(sha256.digest(written));
  }
}
