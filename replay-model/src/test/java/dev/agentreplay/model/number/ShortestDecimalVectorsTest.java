package dev.agentreplay.model.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortestDecimalVectorsTest {

  /** The column of the texts that serde_json writes since 1.0.147. */
  private static final int COLUMN = 3;

  /** The columns of the oracle, after that of the bits. */
  private static final List<NumberLayout> LAYOUTS =
      List.of(NumberLayout.ECMASCRIPT, NumberLayout.SERDE_RYU, NumberLayout.SERDE);

  @Test
  void every_double_of_the_oracle_is_written_as_serde_json_does() throws IOException {
    List<String> wrong = new ArrayList<>();
    int rows = 0;
    for (String line : lines("/vectors/double-formats.tsv")) {
      String[] columns = line.split("\t", -1);
      double value = Double.longBitsToDouble(Long.parseUnsignedLong(columns[0], 16));
      String text = ShortestDecimal.toString(value);
      if (!text.equals(columns[COLUMN])) {
        wrong.add(columns[0] + ": " + text + ", not " + columns[COLUMN]);
      }
      rows++;
    }
    assertThat(wrong).isEmpty();
    assertThat(rows).isEqualTo(6_155);
  }

  @Test
  void every_double_of_the_oracle_is_laid_out_as_its_column_says() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String line : lines("/vectors/double-formats.tsv")) {
      String[] columns = line.split("\t", -1);
      long bits = Long.parseUnsignedLong(columns[0], 16);
      ShortestDecimal decimal = ShortestDecimal.of(Double.longBitsToDouble(bits));
      for (int i = 0; i < LAYOUTS.size(); i++) {
        byte[] out = new byte[NumberLayout.MAX_BYTES];
        int end = LAYOUTS.get(i).write(bits < 0, decimal.digits(), decimal.exponent(), out, 0);
        String text = new String(out, 0, end, StandardCharsets.US_ASCII);
        if (!text.equals(columns[i + 1])) {
          wrong.add(columns[0] + ": " + text + ", not " + columns[i + 1]);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "-0.0, -0.0",
    "0.0, 0.0",
    "1e15, 1000000000000000.0",
    "1e16, 1e+16",
    "12345678901234567, 1.2345678901234568e+16",
    "1e-5, 0.00001",
    "1.5e-5, 0.000015",
    "1e-6, 1e-6",
    "1.25e-6, 1.25e-6",
    "2e-3, 0.002",
    "1e23, 1e+23",
    "4.9e-324, 5e-324",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "-123.456, -123.456",
  })
  void layout(double value, String text) {
    assertThat(ShortestDecimal.toString(value)).isEqualTo(text);
  }

  @Test
  void digits_have_no_trailing_zeros_and_no_sign() {
    assertThat(ShortestDecimal.of(1200)).isEqualTo(new ShortestDecimal(12, 2));
    assertThat(ShortestDecimal.of(-0.5)).isEqualTo(new ShortestDecimal(5, -1));
    assertThat(ShortestDecimal.of(0)).isEqualTo(new ShortestDecimal(0, 0));
    assertThat(ShortestDecimal.of(-0.0)).isEqualTo(new ShortestDecimal(0, 0));
    assertThat(ShortestDecimal.of(Double.MIN_VALUE)).isEqualTo(new ShortestDecimal(5, -324));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void what_is_not_finite_is_refused(double value) {
    assertThatIllegalArgumentException().isThrownBy(() -> ShortestDecimal.of(value));
    assertThatIllegalArgumentException().isThrownBy(() -> ShortestDecimal.toString(value));
  }

  private static List<String> lines(String resource) throws IOException {
    InputStream stream = ShortestDecimalVectorsTest.class.getResourceAsStream(resource);
    try (BufferedReader reader = new BufferedReader(
        new InputStreamReader(Objects.requireNonNull(stream, resource), StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).toList();
    }
  }
}
