package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretScannerTest {

  private static final SecretScanner SCANNER = SecretScanner.of(SecretRules.bundled());

  /** A token without the prefix, so that this file has none. */
  private static final String REST = "0123456789abcdefghijABCDEFGHIJ012345";

  private static final String TOKEN = "ghp_" + REST;

  @Test
  void secret_is_found_where_it_is() {
    String text = "use " + TOKEN + ", please";

    List<SecretMatch> matches = SCANNER.scan(text);

    assertThat(matches).hasSize(1);
    assertThat(text.substring(matches.get(0).from(), matches.get(0).to())).isEqualTo(TOKEN);
    assertThat(SCANNER.redact(text)).matches("use \\[REDACTED:git[a-z-]+], please");
  }

  @Test
  void text_without_a_secret_is_unchanged() {
    String text = "the key of the api is the token that the password names";

    assertThat(SCANNER.scan(text)).isEmpty();
    assertThat(SCANNER.redact(text)).isSameAs(text);
    assertThat(SCANNER.scan("")).isEmpty();
  }

  @Test
  void base64_is_decoded_once() {
    String once = Base64.getEncoder().encodeToString(("{\"a\":\"" + TOKEN + "\"}").getBytes());
    String url = Base64.getUrlEncoder().withoutPadding().encodeToString((TOKEN + "?>").getBytes());
    String twice = Base64.getEncoder().encodeToString(once.getBytes());

    assertThat(SCANNER.redact("x: " + once + " y")).matches("x: \\[REDACTED:[a-z-]+] y");
    assertThat(SCANNER.redact("x: " + url + " y")).matches("x: \\[REDACTED:[a-z-]+] y");
    assertThat(SCANNER.scan("x: " + twice + " y")).isEmpty();
  }

  @Test
  void hexadecimal_digits_are_decoded() {
    String hex = HexFormat.of().formatHex(TOKEN.getBytes());

    assertThat(SCANNER.redact("0: " + hex + "!")).matches("0: \\[REDACTED:[a-z-]+]!");
  }

  @Test
  void percent_encoding_is_decoded() {
    String encoded = URLEncoder.encode(TOKEN, StandardCharsets.UTF_8).replace("p", "%70");

    assertThat(encoded).contains("%70");
    assertThat(SCANNER.redact("é=" + encoded + "&z")).matches("é=\\[REDACTED:[a-z-]+]&z");
  }

  @Test
  void escapes_of_json_in_a_text_are_decoded() {
    assertThat(SCANNER.redact("{\"a\":\"\\u0067hp_" + REST + "\"}"))
        .matches("\\{\"a\":\"\\[REDACTED:[a-z-]+]\"}");
    assertThat(SCANNER.redact("{\\\"password\\\": \\\"tR0ub4dor3\\\"}"))
        .matches("\\{\\\\\"password\\\\\": \\\\\"\\[REDACTED:[a-z-]+]\\\\\"}");
  }

  @Test
  void percent_in_base64_that_is_escaped_is_mapped_to_the_source() {
    String base64 = Base64.getEncoder().encodeToString(("//?" + TOKEN + "//??").getBytes());
    String escaped = "\\\"" + base64.replace("/", "\\/").replace("=", "%3D") + "\\\"";

    assertThat(SCANNER.redact(escaped)).matches("\\\\\"\\[REDACTED:[a-z-]+](?:%3D)*\\\\\"");
  }

  @Test
  void context_of_a_decoded_text_counts() {
    String base64 =
        Base64.getEncoder().encodeToString("https://me:tR0ub4d@host.example/".getBytes());

    assertThat(SCANNER.redact("data = " + base64)).isEqualTo("data = [REDACTED:url-password]");
  }

  @Test
  void password_is_known_by_the_name_of_its_member() {
    assertThat(SCANNER.scan("password", "tR0ub4dor3"))
        .containsExactly(
            new SecretMatch(SCANNER.scan("password", "tR0ub4dor3").get(0).rule(), 0, 10));
    assertThat(SCANNER.scan("city", "tR0ub4dor3")).isEmpty();
    assertThat(SCANNER.redact("password", "tR0ub4dor3")).matches("\\[REDACTED:[a-z-]+]");
    assertThat(SCANNER.redact("password", "string")).isEqualTo("string");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call_8kFhZ2VtYcX0aPq9dLmN4wRs",
        "toolu_01A09q90qw90lq917835lq9x",
        "chatcmpl-9sKq0Zc7yTn3Vb5XhJd2",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "550e8400-e29b-41d4-a716-446655440000",
        "planner/reviewer-2"
      })
  void random_id_is_not_a_secret(String id) {
    assertThat(SCANNER.scanIdentifier(id)).isEmpty();
  }

  @Test
  void id_that_does_not_look_like_one_is_scanned_as_a_text() {
    assertThat(SCANNER.scanIdentifier("api_token: Zx81hJk2LmN0pQ9rS8tU7vW6")).hasSize(1);
  }

  @Test
  void plus_sign_in_a_query_is_a_space() {
    assertThat(SCANNER.redact("https://x.org/cb?next=Bearer+eRTIpmalGzgfT6ewSbxofPSbWFEaqsZe"))
        .contains("[REDACTED:")
        .doesNotContain("eRTIpmal");
  }

  @Test
  void id_with_the_prefix_of_a_token_is_a_secret() {
    assertThat(SCANNER.redactIdentifier("call-" + TOKEN)).matches("call-\\[REDACTED:[a-z-]+]");
  }

  @Test
  void mark_is_never_a_secret() {
    String marked = "https://me:[REDACTED:url-password]@host/ password: \"[REDACTED:jwt]\"";

    assertThat(SCANNER.scan(marked)).isEmpty();
    assertThat(SCANNER.redact(marked)).isEqualTo(marked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[", "[RE", "[RED", "[REDACTED:", "[REDACTED:url-pass", "[REDACTED:url-pass\ncut"})
  void mark_that_is_cut_is_not_a_secret(String mark) {
    assertThat(SCANNER.scan("DB_PASSWORD=" + mark)).isEmpty();
    assertThat(SCANNER.scan("DB_PASSWORD=[REDHOT12")).hasSize(1);
  }

  @Test
  void mark_of_an_unknown_rule_hides_nothing() {
    assertThat(SCANNER.scan("[REDACTED:" + TOKEN + "]")).hasSize(1);
  }

  @Test
  void overlapping_matches_are_one() {
    String text = "Authorization: Bearer " + TOKEN + "\napi_key = \"" + TOKEN + "\"";

    assertThat(SCANNER.redact(text))
        .matches("Authorization: Bearer \\[REDACTED:[a-z-]+]\napi_key = \"\\[REDACTED:[a-z-]+]\"");
    assertThat(SCANNER.redact(text)).doesNotContain("generic-api-key");
  }

  @Property(tries = 200)
  void redacted_text_is_stable(@ForAll @IntRange(max = 1_000_000) int seed) {
    String text = Examples.mixed(seed);

    String redacted = SCANNER.redact(text);

    assertThat(SCANNER.scan(redacted)).isEmpty();
    assertThat(SCANNER.redact(redacted)).isEqualTo(redacted);
  }

  @Test
  void several_threads_find_the_same() {
    List<String> texts = Examples.many(200);
    List<List<SecretMatch>> expected = texts.stream().map(SCANNER::scan).toList();
    SecretScanner fresh = SecretScanner.of(SecretRules.bundled());

    assertThat(texts.parallelStream().map(fresh::scan).toList()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "key ", "key = ", "eyJ", "https://", "Zm9v", "%41", "\\u0041", "ghp_"})
  void long_text_of_one_piece_is_scanned(String piece) {
    String text = piece.repeat((1 << 20) / piece.length());

    assertThat(SCANNER.scan(text).size()).isLessThan(text.length());
  }

  /** Texts of examples and pieces. */
  private static final class Examples {

    private static final List<RuleExamples.Example> ALL = RuleExamples.all();

    private static final String[] PIECES = {
      " ", "\n", "=", ": ", "\"", "'", "@", "[REDACTED:jwt]", "\\", "%20", "key", "password", "://"
    };

    private Examples() {}

    static String mixed(long seed) {
      java.util.Random random = new java.util.Random(seed);
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(7); i >= 0; i--) {
        String piece = random.nextBoolean()
            ? ALL.get(random.nextInt(ALL.size())).text()
            : PIECES[random.nextInt(PIECES.length)];
        int cut = random.nextInt(4) == 0 ? random.nextInt(piece.length()) : piece.length();
        text.append(piece, 0, cut);
      }
      return text.toString();
    }

    static List<String> many(int count) {
      return java.util.stream.LongStream.range(0, count)
          .mapToObj(Examples::mixed)
          .toList();
    }
  }
}
