package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.publish.secret.SecretRulesException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretRulesTest {

  private static final String RULE = "[[rules]]\nid = 'acme'\nregex = 'acme_[0-9a-f]{8}'\n";

  private static List<SecretMatch> scan(String toml, String text) throws IOException {
    return SecretScanner.of(SecretRules.parse(toml)).scan(text);
  }

  private static String redact(String toml, String text) throws IOException {
    return SecretScanner.of(SecretRules.parse(toml)).redact(text);
  }

  @Test
  void rule_without_keywords_applies_to_any_text() throws IOException {
    assertThat(redact(RULE, "an acme_0123abcd")).isEqualTo("an [REDACTED:acme]");
  }

  @Test
  void rule_with_keywords_needs_one_in_the_text() throws IOException {
    String rule = RULE + "keywords = ['Other']\n";

    assertThat(scan(rule, "acme_0123abcd")).isEmpty();
    assertThat(scan(rule, "acme_0123abcd of the oTHER")).hasSize(1);
  }

  @Test
  void rule_without_literals_reads_the_whole_text() throws IOException {
    assertThat(redact("[[rules]]\nid='x'\nregex='[a-c]{4}'", "d abcabc d"))
        .isEqualTo("d [REDACTED:x]bc d");
    assertThat(redact("[[rules]]\nid='x'\nregex='[a-c]+$'", "ab d cab"))
        .isEqualTo("ab d [REDACTED:x]");
    assertThat(redact("[[rules]]\nid='x'\nregex='(?i)\\pL\\d$'", "é1 ß2"))
        .isEqualTo("é1 [REDACTED:x]");
  }

  @Test
  void syntax_of_go_is_accepted() throws IOException {
    String rule = "[[rules]]\nid='x'\nregex='(?P<name>key)=(?s:.)(\\x41+)\\z'\n";

    assertThat(redact(rule, "key=\nAAA")).isEqualTo("key=\n[REDACTED:x]");
  }

  @Test
  void secret_group_is_the_one_that_is_stated() throws IOException {
    String rule = "[[rules]]\nid='x'\nregex='(user)=(\\w+)'\n";

    assertThat(redact(rule, "user=me")).isEqualTo("[REDACTED:x]=me");
    assertThat(redact(rule + "secretGroup = 2\n", "user=me")).isEqualTo("user=[REDACTED:x]");
  }

  @Test
  void entropy_must_be_exceeded() throws IOException {
    String rule = "[[rules]]\nid='x'\nregex='k=(\\w{8})'\nentropy = 2.0\n";

    assertThat(scan(rule, "k=aabbccdd")).isEmpty();
    assertThat(scan(rule, "k=aabbccde")).hasSize(1);
    assertThat(ShannonEntropy.of("aabbccdd")).isEqualTo(2.0);
    assertThat(ShannonEntropy.of("")).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "regexes=['^acme_0']                                        | 1",
        "regexes=['^acme_1']                                        | 0",
        "stopwords=['0123']                                         | 1",
        "stopwords=['9999']                                         | 0",
        "regexes=['dev']; regexTarget='line'                        | 1",
        "regexes=['dev']; regexTarget='match'                       | 0",
        "regexes=['dev']                                            | 0",
        "condition='AND'; regexes=['^acme_0']; stopwords=['0123']   | 1",
        "condition='AND'; regexes=['^acme_0']; stopwords=['9999']   | 0",
        "condition='and'; regexes=['^acme_0']; paths=['x']          | 0",
        "condition='OR'; regexes=['^acme_1']; stopwords=['0123']    | 1",
        "paths=['.*']                                               | 0",
        "commits=['abc']                                            | 0"
      })
  void allowlist_allows(String members, int allowed) throws IOException {
    String list = members.replace(";", "\n");
    String text = "dev acme_0123abcd";

    for (String head : List.of("[[rules.allowlists]]", "[rules.allowlist]", "[[allowlists]]")) {
      assertThat(scan(RULE + head + "\n" + list, text)).as(head).hasSize(1 - allowed);
    }
    String before = "[allowlist]\n" + list + "\n" + RULE;
    assertThat(scan(before, text)).hasSize(1 - allowed);
  }

  @Test
  void global_allowlist_is_for_its_target_rules() throws IOException {
    String list = "[[allowlists]]\nregexes=['.']\ntargetRules=['%s']\n";

    assertThat(scan(RULE + list.formatted("other"), "acme_0123abcd")).hasSize(1);
    assertThat(scan(RULE + list.formatted("acme"), "acme_0123abcd")).isEmpty();
  }

  @Test
  void extension_adds_to_the_bundled_rules() throws IOException {
    SecretRules rules = SecretRules.parse("[extend]\nuseDefault = true\n"
        + "disabledRules = ['jwt', 'nothing']\n" + RULE
        + "[[rules]]\nid='sk-key'\nentropy=7.9\nkeywords=['more']\n");

    assertThat(rules.ids()).contains("acme", "aws-access-token").doesNotContain("jwt");
    assertThat(rules.ids()).hasSize(SecretRules.bundled().ids().size());
    assertThat(rules.warnings())
        .containsExactly("extend, disabledRules: no rule has the id \"nothing\"");
    SecretRule changed =
        rules.rules().stream().filter(r -> r.id().equals("sk-key")).findFirst().orElseThrow();
    assertThat(changed.entropy()).isEqualTo(7.9);
    assertThat(changed.keywords()).contains("sk-", "more");
  }

  @Test
  void rule_with_a_path_only_is_listed() throws IOException {
    SecretRules rules = SecretRules.parse(RULE + "[[rules]]\nid='file'\npath='x$'\n"
        + "[[rules]]\nid='part'\nregex='y'\nskipReport=true\n");

    assertThat(rules.ids()).containsExactly("acme");
    assertThat(rules.notApplicable()).containsExactly("file", "part");
  }

  @Test
  void unknown_members_are_named() throws IOException {
    SecretRules rules = SecretRules.parse("schema = 2\n" + RULE + "filter = 'finding.x'\n"
        + "[[rules.allowlists]]\nregexes=['x']\nwhen=1\n");

    assertThat(rules.warnings())
        .containsExactly(
            "schema: ignored, this version does not know it",
            "rule acme, filter: ignored, this version does not know it",
            "rule acme, allowlists[0], when: ignored, this version does not know it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a = | SYNTAX | line 1",
        "`` | NO_RULES | rules: expected at least one rule",
        "[allowlist]; regexes=['x'] | NO_RULES | useDefault",
        "[[rules]]; id='x'; path='y' | NO_RULES | found none",
        "[extend]; useDefault='yes' | MEMBER | useDefault: expected true or false, found \"yes\"",
        "[extend]; path='other.toml' | EXTEND | extend, path",
        "[[rules]]; regex='x' | MEMBER | rules[0], id: missing",
        "[[rules]]; id=1; regex='x' | MEMBER | rules[0], id: expected a string, found 1",
        "[[rules]]; id='a b'; regex='x' | MEMBER | letters, digits",
        "[[rules]]; id='x' | MEMBER | rule x, regex: missing",
        "[[rules]]; id='x'; regex='(' | PATTERN | rule x, regex: expected a regular expression of RE2",
        "[[rules]]; id='x'; regex='(?=y)' | PATTERN | found \"(?=y)\"",
        "[[rules]]; id='x'; regex='x'; [[rules]]; id='x'; regex='y' | MEMBER | no other rule has",
        "[[rules]]; id='x'; regex='(x)'; secretGroup=2 | MEMBER | rule x, secretGroup: expected at most 1",
        "[[rules]]; id='x'; regex='x'; entropy='high' | MEMBER | rule x, entropy: expected a number",
        "[[rules]]; id='x'; regex='x'; entropy=-1 | MEMBER | found -1",
        "[[rules]]; id='x'; regex='x'; keywords='k' | MEMBER | an array of strings, found \"k\"",
        "[[rules]]; id='x'; regex='x'; keywords=[1] | MEMBER | keywords[0]: expected a string",
        "[[rules]]; id='x'; regex='x'; keywords=[''] | MEMBER | keywords",
        "[[rules]]; id='x'; regex='x'; [[rules.allowlists]]; condition='XOR'; regexes=['x'] | MEMBER | condition: expected AND or OR",
        "[[rules]]; id='x'; regex='x'; [[rules.allowlists]]; regexTarget='file'; regexes=['x'] | MEMBER | regexTarget",
        "[[rules]]; id='x'; regex='x'; [[rules.allowlists]]; description='none' | MEMBER | rule x, allowlists[0], regexes: missing",
        "[[rules]]; id='x'; regex='x'; [[rules.allowlists]]; regexes=['['] | PATTERN | rule x, allowlists[0], regexes[0]",
        "rules = 1 | MEMBER | rules: expected an array of tables, found 1"
      })
  void invalid_file_is_refused(String toml, Reason reason, String message) {
    SecretRulesException refused = catchThrowableOfType(
        SecretRulesException.class, () -> SecretRules.parse(toml.replace("; ", "\n")));

    assertThat(refused).hasMessageContaining(message);
    assertThat(refused.reason()).isEqualTo(reason);
    if (message.startsWith("rule x")) {
      assertThat(refused.rule()).isEqualTo("x");
    }
  }

  @Test
  void file_is_read(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("rules.toml"), RULE);

    assertThat(SecretRules.read(file).ids()).containsExactly("acme");
    assertThat(SecretRules.read(file)).hasToString("1 rules");
    assertThatThrownBy(() -> SecretRules.read(directory.resolve("missing")))
        .isInstanceOf(IOException.class);
  }
}
