package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.publish.policy.TextRules.Edited;
import dev.agentreplay.publish.secret.TextScan;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextRulesTest {

  private static final TextRules RULES =
      new TextRules(Lines.SECRETS, new TextOptions(true, true, true, 64));

  private static Edited apply(String text) {
    return RULES.apply("", text, List.of());
  }

  @Test
  void a_secret_is_replaced_by_its_rule() {
    assertThat(apply("key SECRET-1!"))
        .isEqualTo(new Edited("key [REDACTED:test]!", List.of("secret:test")));
  }

  @Test
  void several_rules_are_listed_the_most_severe_one_first() {
    Edited edited = apply("/home/alice a@b.example SECRET-1" + "x".repeat(99));

    assertThat(edited.rules()).containsExactly("secret:test", "path", "email", "size");
    assertThat(edited.text()).startsWith("/home/user user@exa").hasSize(64);
  }

  @ParameterizedTest
  @CsvSource({
    "write to alice@example.org., write to user@example.invalid.",
    "<a.b+c@mail.example.co.uk>, <user@example.invalid>",
    "a@b.example;c@d.example, user@example.invalid;user@example.invalid",
    "mailto:bob@x.org?subject=y, mailto:user@example.invalid?subject=y",
    "https://alice@git.example/a.git, https://user@git.example/a.git",
    "https://alice:pw@git.example/a.git, https://user@git.example/a.git",
    "ssh://bob@host:22/x, ssh://user@host:22/x",
    "postgres://app:p@ss@db.example/x, postgres://user@db.example/x",
  })
  void addresses_and_users_of_urls_are_replaced(String text, String expected) {
    assertThat(apply(text).text()).isEqualTo(expected);
    assertThat(apply(expected)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git@github.com:acme/a.git",
        "ssh://git@github.com/acme/a.git",
        "npm i react@18.2.0",
        "icon@2x.png",
        "@Override",
        "user@localhost",
        "a @ b.example",
        "https://example.com/@scope/x",
        "user@example.invalid",
        "https://example.com?q=a@b",
        "x@1.example",
      })
  void a_text_without_an_address_stays(String text) {
    assertThat(apply(text)).isNull();
  }

  @Test
  void a_long_text_keeps_beginning_and_end() {
    assertThat(apply("a".repeat(50) + "b".repeat(50)))
        .isEqualTo(new Edited("a".repeat(31) + "..." + "b".repeat(30), List.of("size")));
  }

  @Test
  void the_length_is_that_in_code_points() {
    String pairs = "\ud83d\ude02".repeat(64);

    assertThat(apply(pairs)).isNull();
    assertThat(apply(pairs + "x").text())
        .isEqualTo("\ud83d\ude02".repeat(31) + "..." + "\ud83d\ude02".repeat(29) + "x");
  }

  @Test
  void overlapping_secrets_are_one() {
    TextRules rules = new TextRules(
        new TextScan() {
          @Override
          public List<dev.agentreplay.publish.secret.SecretMatch> scan(String text) {
            return List.of(
                new dev.agentreplay.publish.secret.SecretMatch("b", 4, 8),
                new dev.agentreplay.publish.secret.SecretMatch("a", 2, 6));
          }

          @Override
          public List<dev.agentreplay.publish.secret.SecretMatch> scanIdentifier(String text) {
            return List.of();
          }
        },
        TextOptions.DEFAULTS);

    assertThat(rules.apply("", "0123456789", List.of()).text()).isEqualTo("01[REDACTED:a]89");
  }

  @Property
  void an_edited_text_stays(@ForAll @From("texts") String text) {
    Edited edited = apply(text);

    assertThat(apply(edited == null ? text : edited.text())).isNull();
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "/home/",
            "alice",
            "@",
            "example.org",
            "https://",
            ":",
            "SECRET-",
            "12",
            " ",
            "/",
            ".",
            "\ud83d\ude02",
            "C:\\Users\\",
            "~bob/",
            "x".repeat(30),
            "user@example.invalid",
            "git@")
        .list()
        .ofMaxSize(12)
        .map(parts -> String.join("", parts));
  }
}
