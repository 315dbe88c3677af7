package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.number.ShortestDecimal;
import dev.agentreplay.testkit.TestData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The sequence of doubles that the author of RFC 8785 published, as ECMAScript writes them. */
class Es6NumbersTest {

  /** The hash of so many lines. */
  private static final Map<Integer, String> PUBLISHED = new TreeMap<>(Map.of(
      1_000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687",
      10_000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892",
      100_000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7",
      1_000_000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"));

  @Test
  void hashes_of_a_million_lines_are_the_published_ones() throws CloneNotSupportedException {
    MessageDigest digest = ContentHash.newDigest();
    Doubles doubles = new Doubles();
    Map<Integer, String> hashes = new TreeMap<>();
    byte[] line = new byte[64];
    for (int count = 1; count <= 1_000_000; count++) {
      double value = doubles.next();
      byte[] bits =
          Long.toHexString(Double.doubleToRawLongBits(value)).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(bits, 0, line, 0, bits.length);
      line[bits.length] = ',';
      ShortestDecimal decimal = ShortestDecimal.of(value);
      int end = NumberLayout.ECMASCRIPT.write(
          value < 0, decimal.digits(), decimal.exponent(), line, bits.length + 1);
      line[end] = '\n';
      digest.update(line, 0, end + 1);
      if (PUBLISHED.containsKey(count)) {
        hashes.put(count, HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest()));
      }
    }
    assertThat(hashes).isEqualTo(PUBLISHED);
  }

  @Test
  void texts_of_many_digits_are_read_to_the_same_numbers() {
    Doubles doubles = new Doubles();
    NumberWriter writer = new NumberWriter(Canonicalization.JCS, false);
    byte[] out = new byte[NumberWriter.MAX_BYTES];
    for (int i = 0; i < 100_000; i++) {
      double value = doubles.next();
      ShortestDecimal decimal = ShortestDecimal.of(value);
      int end =
          NumberLayout.ECMASCRIPT.write(value < 0, decimal.digits(), decimal.exponent(), out, 0);
      String expected = new String(out, 0, end, StandardCharsets.US_ASCII);
      // the JDK's text may be longer than the shortest, Python's has a different layout
      for (String text : List.of(Double.toString(value), python(value, decimal))) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        end = writer.write(ascii, 0, ascii.length, false, out, 0);
        String written = new String(out, 0, end, StandardCharsets.US_ASCII);
        if (!written.equals(expected)) {
          throw new AssertionError(text + " is " + expected + ", not " + written);
        }
      }
    }
  }

  @Test
  void first_ten_thousand_lines_are_those_of_the_file() throws IOException {
    String shared = System.getProperty("replay.shared", "");
    Path file = Path.of(shared, "vectors", "es6-numbers", "es6testfile10k.txt.gz");
    Assumptions.assumeTrue(Files.isRegularFile(file), () -> "skipped: there is no " + file);
    Doubles doubles = new Doubles();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();

      assertThat(lines).hasSize(10_000);
      for (String line : lines) {
        String[] columns = line.split(",", -1);
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(columns[0], 16));

        assertThat(doubles.next()).isEqualTo(value);
        assertThat(Outcome.of(CanonicalJson.JCS, columns[1]).text()).isEqualTo(columns[1]);
        assertThat(Outcome.of(CanonicalJson.JCS, Double.toString(value)).text())
            .isEqualTo(columns[1]);
      }
    }
  }

  private static String python(double value, ShortestDecimal decimal) {
    byte[] out = new byte[NumberLayout.MAX_BYTES];
    int end = NumberLayout.PYTHON.write(value < 0, decimal.digits(), decimal.exponent(), out, 0);
    return new String(out, 0, end, StandardCharsets.US_ASCII);
  }

  /** The sequence: edge cases, 2,000 doubles from the smallest normal one on, then hashes. */
  private static final class Doubles implements Iterator<Double> {

    private static final int SERIAL = 2_000;

    private final List<String> seeds =
        List.of(TestData.text("/vectors/es6-number-seeds.txt").strip().split("\\s+"));
    private final MessageDigest digest = ContentHash.newDigest();
    private byte[] block = new byte[32];
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private int index;

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Double next() {
      int i = index++;
      if (i < 0) {
        throw new NoSuchElementException();
      }
      if (i < seeds.size()) {
        return Double.longBitsToDouble(Long.parseUnsignedLong(seeds.get(i), 16));
      }
      if (i < seeds.size() + SERIAL) {
        return Double.longBitsToDouble(0x0010_0000_0000_0000L + i - seeds.size());
      }
      while (true) {
        if (!rest.hasRemaining()) {
          block = digest.digest(block);
          rest = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        }
        double value = rest.getDouble();
        if (value != 0 && Double.isFinite(value)) {
          return value;
        }
      }
    }
  }
}
