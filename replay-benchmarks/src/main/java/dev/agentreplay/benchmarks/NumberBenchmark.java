package dev.agentreplay.benchmarks;

import dev.agentreplay.canonical.CanonicalJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the canonicalization of an array of numbers; the figures are for one number. */
@State(Scope.Thread)
@OperationsPerInvocation(NumberBenchmark.COUNT)
public class NumberBenchmark extends TimeBenchmark {

  static final int COUNT = 10_000;

  private static final long SEED = 20260113;

  /**
   * Random doubles with up to 17 digits, the most that a double needs; decimals with 15 digits,
   * which every double preserves; and integers of up to 53 bits, which RFC 8785 preserves.
   */
  @Param({"double17", "decimal15", "integer"})
  public String numbers;

  private byte[] bytes;

  @Setup
  public void setUp() throws IOException {
    Random random = new Random(SEED);
    bytes = IntStream.range(0, COUNT)
        .mapToObj(i -> number(random))
        .collect(Collectors.joining(",", "[", "]"))
        .getBytes(StandardCharsets.UTF_8);
    Peers.requireSameWork(bytes);
  }

  private String number(Random random) {
    return switch (numbers) {
      case "double17" -> {
        double number = random.nextGaussian() * Math.pow(10, random.nextInt(-5, 16));
        yield new BigDecimal(number).round(new MathContext(17)).toString();
      }
      case "decimal15" -> {
        long digits = random.nextLong(100_000_000_000_000L, 1_000_000_000_000_000L);
        yield BigDecimal.valueOf(digits, random.nextInt(1, 15)).toString();
      }
      case "integer" -> Long.toString(random.nextLong() >> random.nextInt(11, 64));
      default -> throw new IllegalArgumentException("unknown kind of numbers: " + numbers);
    };
  }

  @Benchmark
  public byte[] serde() {
    return CanonicalJson.SERDE.bytes(bytes);
  }

  @Benchmark
  public byte[] jcs() {
    return CanonicalJson.JCS.bytes(bytes);
  }

  @Benchmark
  public byte[] erdtman() throws IOException {
    return Peers.erdtman(bytes);
  }

  /** The lower bound of reading and writing; the result is not canonical. */
  @Benchmark
  public byte[] jacksonCopy() throws IOException {
    return Peers.jacksonCopy(bytes);
  }

  /** The same with Jackson's fast readers and writers of numbers. */
  @Benchmark
  public byte[] jacksonCopyFastNumbers() throws IOException {
    return Peers.jacksonCopyFastNumbers(bytes);
  }
}
