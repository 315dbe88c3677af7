package dev.agentreplay.io.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The first values of each source with the seed 42 and the stepped clock. They must never change:
 * recordings and snapshot tests of users contain them.
 */
class GoldenValuesTest {

  private static final HexFormat HEX = HexFormat.of();

  @Test
  void clock_advances_by_one_second() {
    assertThat(first(context -> context.clock().instant().toString()))
        .containsExactly(
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:01Z",
            "2024-01-01T00:00:02Z",
            "2024-01-01T00:00:03Z",
            "2024-01-01T00:00:04Z");
    assertThat(first(DeterministicContext::nanoTime))
        .containsExactly(0L, 1_000_000_000L, 2_000_000_000L, 3_000_000_000L, 4_000_000_000L);
  }

  @Test
  void random_longs() {
    assertThat(random(RandomGenerator::nextLong))
        .containsExactly(
            -5804824408458623755L,
            2378841555630683501L,
            8347351829749365509L,
            6275911698038311631L,
            -3259285022910602175L);
    assertThat(random(random -> random.nextLong(-5_000_000_000L, 5_000_000_000L)))
        .containsExactly(250927861L, 630683501L, 4749365509L, 3038311631L, -4201050559L);
  }

  @Test
  void random_integers() {
    assertThat(random(RandomGenerator::nextInt))
        .containsExactly(-1351541004, 553867210, 1943519299, 1461224560, -758861430);
    assertThat(random(random -> random.nextInt(100))).containsExactly(61, 1, 9, 31, 41);
  }

  @Test
  void random_booleans_and_bytes() {
    assertThat(random(RandomGenerator::nextBoolean))
        .containsExactly(true, false, false, false, true);
    assertThat(random(GoldenValuesTest::hex))
        .containsExactly(
            "f5844eaef41e71af984eb5",
            "6df54d8cca57032112d707",
            "05fb6a5343c0d77309d99b",
            "cfca4a2b7084185747ee41",
            "41a4a9438ab1c4d238d36e");
  }

  @Test
  void random_fractions() {
    assertThat(random(RandomGenerator::nextFloat))
        .containsExactly(0.6853198f, 0.12895721f, 0.45251083f, 0.34021783f, 0.8233138f);
    assertThat(random(RandomGenerator::nextDouble))
        .containsExactly(
            0.6853198382726138,
            0.12895725913067912,
            0.4525108494157556,
            0.3402178548670164,
            0.8233138048705428);
    assertThat(random(random -> random.nextDouble(-1, 1)))
        .containsExactly(
            0.37063967654522756,
            -0.7420854817386418,
            -0.09497830116848882,
            -0.3195642902659672,
            0.6466276097410857);
  }

  @Test
  void random_distributions() {
    assertThat(random(RandomGenerator::nextGaussian))
        .containsExactly(
            0.6432454658843707,
            -0.35013949193313726,
            -0.8880125508672891,
            -0.5651305973340002,
            0.7388754609580015);
    assertThat(random(random -> random.nextGaussian(10, 2)))
        .containsExactly(
            11.286490931768741,
            9.299721016133725,
            8.223974898265421,
            8.869738805332,
            11.477750921916003);
    assertThat(random(RandomGenerator::nextExponential))
        .containsExactly(
            1.1561985155788534,
            0.13806423230106263,
            0.6024126337723115,
            0.41584558158293683,
            1.7333800287443801);
  }

  @Test
  void ids() {
    assertThat(first(context -> context.uuidV4().toString()))
        .containsExactly(
            "132ad7b9-edce-4d2f-8f51-fda90e7bc999",
            "db539a01-ab9b-424a-9b1f-24c43efed2db",
            "284c0eb5-239a-4d98-9028-f354a93fffae",
            "85fba238-5dc6-410f-8107-c14b5cb89d1b",
            "c871e1c5-8d44-4ce5-9116-cc6a938ac855");
    assertThat(first(context -> context.uuidV7().toString()))
        .containsExactly(
            "018cc251-f400-732a-8f51-fda90e7bc999",
            "018cc251-f7e8-7b53-9b1f-24c43efed2db",
            "018cc251-fbd0-784c-9028-f354a93fffae",
            "018cc251-ffb8-75fb-8107-c14b5cb89d1b",
            "018cc252-03a0-7871-9116-cc6a938ac855");
    assertThat(first(DeterministicContext::ulid))
        .containsExactly(
            "01HK153X00Q7PWWQ9FMGWYY9K5",
            "01HK153XZ806NSQ0JA23XZPJVC",
            "01HK153YYGPMHSMZCRAAJFZZNS",
            "01HK153ZXR71EWCC8F5NSE4X3F",
            "01HK1540X0RP6M8F75N972P8AQ");
  }

  @Test
  void durations() {
    assertThat(first(context -> context.jitter(Duration.ofSeconds(1)).toString()))
        .containsExactly(
            "PT0.673540845S",
            "PT0.006170377S",
            "PT0.250869904S",
            "PT0.824322892S",
            "PT0.95758506S");
    int[] attempt = new int[1];
    assertThat(first(context -> context
            .delay(attempt[0]++, Duration.ofMillis(100), Duration.ofSeconds(1))
            .toString()))
        .containsExactly(
            "PT0.08822529S",
            "PT0.173890218S",
            "PT0.233387466S",
            "PT0.018173149S",
            "PT0.255549843S");
  }

  @Test
  void permutations() {
    assertThat(first(context -> String.join("", context.shuffle(List.of("a", "b", "c", "d", "e")))))
        .containsExactly("ebdca", "ceabd", "deacb", "decab", "eabdc");
  }

  @Test
  void lane_has_values_of_its_own() {
    DeterministicContext worker =
        DeterministicContext.of(ContextOptions.deterministic()).lane("worker");

    assertThat(worker.clock().instant()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
    assertThat(worker.random().nextLong()).isEqualTo(8591285106193452037L);
    assertThat(worker.uuidV4()).hasToString("bcb06789-7c0a-4290-8087-8a3d4085e094");
  }

  private static <T> List<T> random(Function<RandomGenerator, T> value) {
    return first(context -> value.apply(context.random()));
  }

  private static <T> List<T> first(Function<DeterministicContext, T> value) {
    DeterministicContext context = DeterministicContext.of(ContextOptions.deterministic());
    List<T> values = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      values.add(value.apply(context));
    }
    return values;
  }

  private static String hex(RandomGenerator random) {
    byte[] bytes = new byte[11];
    random.nextBytes(bytes);
    return HEX.formatHex(bytes);
  }
}
