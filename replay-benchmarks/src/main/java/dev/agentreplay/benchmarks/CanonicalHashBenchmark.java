package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.security.MessageDigest;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Measures the time from UTF-8 text to the SHA-256 hash of its canonical form: by this library, by
 * the RFC 8785 implementation of erdtman, and by Jackson with sorted names, which is deterministic
 * but not a canonical form that other languages share.
 *
 * <p>Lower bounds for comparison: {@link #limitSha256()} hashes bytes that are already canonical,
 * {@link #limitJacksonTokens()} only finds the tokens, and {@link #limitJacksonCopy()} reads and
 * writes them without sorting and hashing.
 */
public class CanonicalHashBenchmark extends DocumentBenchmark {

  private final MessageDigest sha256 = ContentHash.newDigest();
  private byte[] canonical;

  @Override
  void prepare() {
    canonical = CanonicalJson.SERDE.bytes(bytes);
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

  /** Hashes bytes with a digest that is reused, as this library does. */
  private ContentHash hash(byte[] written) {
    return ContentHash.of(sha256.digest(written));
  }
}
