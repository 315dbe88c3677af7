package dev.agentreplay.publish.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BundledRulesTest {

  private static final SecretRules RULES = SecretRules.bundled();
  private static final SecretScanner SCANNER = SecretScanner.of(RULES);

  /** The number of rules in gitleaks.toml, one of which has a path only. */
  private static final int OF_GITLEAKS = 213;

  @Test
  void bundled_rules_all_apply_or_are_listed() {
    assertThat(RULES.notApplicable()).containsExactly("pkcs12-file");
    assertThat(RULES.warnings()).isEmpty();
    assertThat(RULES.ids()).doesNotHaveDuplicates().hasSizeGreaterThan(OF_GITLEAKS + 40);
    assertThat(RULES.description("aws-access-token")).contains("AWS");
    assertThat(RULES.description("pkcs12-file")).isNull();
  }

  @Test
  void each_rule_has_literals_that_bound_the_search() {
    List<String> unbounded = new ArrayList<>();
    for (SecretRule rule : RULES.rules()) {
      if (new RuleSearch(rule).locators() == 0) {
        unbounded.add(rule.id());
      }
    }
    // its automaton reads texts that have its keywords as a whole
    assertThat(unbounded).containsExactly("sourcegraph-access-token");
  }

  @Test
  void each_rule_of_this_project_has_a_positive_and_a_negative_example() {
    Set<String> positive = new HashSet<>();
    Set<String> negative = new HashSet<>();
    RuleExamples.all().forEach(e -> (e.hasSecret() ? positive : negative).add(e.rule()));
    List<String> own = RULES.ids().subList(OF_GITLEAKS - 1, RULES.ids().size());

    assertThat(positive).containsExactlyInAnyOrderElementsOf(own);
    assertThat(negative).containsExactlyInAnyOrderElementsOf(own);
  }

  static Stream<RuleExamples.Example> examples() {
    return RuleExamples.all().stream();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void rule_finds_the_secret_of_its_example(RuleExamples.Example example) {
    RuleIndex only = new RuleIndex(
        RULES.rules().stream().filter(rule -> rule.id().equals(example.rule())).toList());
    List<RuleSearch.Found> found = new ArrayList<>();

    only.find(example.text(), false, found);

    if (example.hasSecret()) {
      assertThat(found).hasSize(1);
      assertThat(
              example.text().substring(found.get(0).secretFrom(), found.get(0).secretTo()))
          .isEqualTo(example.secret());
    } else {
      assertThat(found).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void redacted_example_has_nothing_of_the_secret(RuleExamples.Example example) {
    if (example.hasSecret()) {
      String redacted = SCANNER.redact(example.text());

      assertThat(redacted).doesNotContain(example.secret()).contains("[REDACTED:");
      assertThat(SCANNER.redact(redacted)).isEqualTo(redacted);
      assertThat(SCANNER.scan(redacted)).isEmpty();
    }
  }
}
