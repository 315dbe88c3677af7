package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.DivergenceSeverity.MAJOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MINOR;
import static dev.agentreplay.engine.diff.DivergenceSeverity.MODERATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.agreement.Stability;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.report.JUnitReport;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The severity with which a comparison fails. */
class FailOnTest {

  private static final DiffOptions FUZZY = DiffOptions.defaults().plus(FuzzyText.atLeast(0.7));

  @TempDir
  private Path directory;

  private Session session(String name, String output) throws IOException {
    return new TestLog().call("read", "a.txt", output).write(directory.resolve(name + ".jsonl"));
  }

  private SessionDiff diff(DiffOptions options) throws IOException {
    return SessionDiff.between(
        session("before", "There are four files in it."),
        session("after", "There are five files in it."),
        options);
  }

  @Test
  void fuzzy_texts_pass_from_moderate_on_and_fail_below() throws IOException {
    assertThat(diff(FUZZY).passes()).isFalse();
    assertThat(diff(FUZZY.failingFrom(MINOR)).passes()).isFalse();
    assertThat(diff(FUZZY.failingFrom(MODERATE)).passes()).isTrue();
    assertThat(diff(FUZZY.failingFrom(MAJOR)).passes()).isTrue();
    assertThat(diff(FUZZY.failingFrom(MODERATE)).isIdentical()).isFalse();
  }

  @Test
  void texts_that_are_not_close_fail_up_to_moderate() throws IOException {
    DiffOptions exact = DiffOptions.defaults();

    assertThat(diff(exact.failingFrom(MODERATE)).passes()).isFalse();
    assertThat(diff(exact.failingFrom(MAJOR)).passes()).isTrue();
  }

  @Test
  void divergences_that_are_not_listed_count() throws IOException {
    assertThat(diff(FUZZY.withMaxDivergences(0)).passes()).isFalse();
    assertThat(diff(FUZZY.withMaxDivergences(0).failingFrom(MODERATE)).passes()).isTrue();
  }

  @Test
  void minor_is_the_default_and_names_do_not_change_it() throws IOException {
    assertThat(DiffOptions.defaults().failOn()).isNull();
    assertThat(DiffOptions.defaults().failOnOrMinor()).isEqualTo(MINOR);
    assertThat(diff(FUZZY).failOn()).isEqualTo(MINOR);
    assertThat(diff(FUZZY.failingFrom(MAJOR)).withNames("a", "b").failOn()).isEqualTo(MAJOR);
  }

  @Test
  void other_options_keep_it() {
    DiffOptions options = DiffOptions.defaults().failingFrom(MAJOR);

    assertThat(List.of(
            options.plus(FuzzyText.atLeast(1)),
            options.withStrict(true),
            options.withMaxDivergences(1),
            options.withLimits(DiffLimits.defaults()),
            options.withPartners(null),
            options.withSeverity(SeverityPolicy.defaults())))
        .extracting(DiffOptions::failOn)
        .containsOnly(MAJOR);
  }

  @Test
  void severity_none_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DiffOptions.defaults().failingFrom(DivergenceSeverity.NONE))
        .withMessageContaining("none never fails");
  }

  @Test
  void build_server_and_agreement_fail_on_the_same_severity() throws IOException {
    assertThat(JUnitReport.render(diff(FUZZY))).contains("failures=\"1\"");
    assertThat(JUnitReport.render(diff(FUZZY.failingFrom(MODERATE)))).contains("failures=\"0\"");

    assertThat(FlakinessReport.of(List.of(diff(FUZZY))).verdict()).isEqualTo(Stability.REGRESSION);
    FlakinessReport passing = FlakinessReport.of(List.of(diff(FUZZY.failingFrom(MODERATE))));
    assertThat(passing.verdict()).isEqualTo(Stability.STABLE);
    assertThat(passing.agreement()).isEqualTo(100);
  }
}
