package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden: the treatment of every member of every event under each preset, in each dialect. */
class GoldenTreatmentsTest {

  private static final Path DIRECTORY = Path.of("src/test/resources/policy/golden");

  static Stream<Arguments> cases() {
    return Stream.of(Dialect.values()).flatMap(dialect -> PublicationPolicy.presets().stream()
        .map(preset -> Arguments.of(dialect, PublicationPolicy.preset(preset))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void the_treatments_are_those_of_the_golden_file(Dialect dialect, PublicationPolicy policy)
      throws IOException {
    LinePolicy lines = new LinePolicy(policy, Lines.SECRETS, dialect, Lines.KEY);
    StringBuilder text = new StringBuilder();
    for (JsonObject line : Lines.of(dialect)) {
      Treatment treatment = lines.treat(line);
      text.append(Lines.text("", line, treatment)).append('\n');
    }
    text.append(JsonText.pretty(lines.ledger().toJson())).append('\n');

    Golden.compare(DIRECTORY.resolve(policy.id() + "." + dialect.id() + ".txt"), text.toString());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_published_line_has_no_finding_that_the_original_does_not_have(
      Dialect dialect, PublicationPolicy policy) {
    assertReads(dialect, new LinePolicy(policy, Lines.SECRETS, dialect, Lines.KEY));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_treatment_of_published_lines_changes_nothing_but_hashes(
      Dialect dialect, PublicationPolicy policy) {
    LinePolicy first = new LinePolicy(policy, Lines.SECRETS, dialect, Lines.KEY);
    LinePolicy second = new LinePolicy(policy, Lines.SECRETS, dialect, Lines.KEY);
    for (JsonObject line : Lines.of(dialect)) {
      JsonObject published = Lines.published(first, line);

      assertThat(Lines.published(second, published)).isEqualTo(published);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_policy_that_decides_nothing_has_placeholders_for_required_members(
      Dialect dialect, PublicationPolicy ignored) {
    assertReads(dialect, Lines.policy(Lines.document(""), dialect));
  }

  private static void assertReads(Dialect dialect, LinePolicy policy) {
    for (JsonObject line : Lines.of(dialect)) {
      JsonObject published = Lines.published(policy, line);

      assertThat(errors(dialect, published))
          .as(published.toString())
          .isSubsetOf(errors(dialect, line));
      assertThat(dialect.decode(published).event().getClass())
          .isEqualTo(dialect.decode(line).event().getClass());
    }
  }

  private static List<String> errors(Dialect dialect, JsonObject line) {
    return dialect.decode(line).findings().stream()
        .filter(finding -> finding.code().severity().compareTo(Severity.INFO) != 0)
        .map(Finding::message)
        .toList();
  }
}
