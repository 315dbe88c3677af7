package dev.agentreplay.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.example.agents.Clean;
import com.example.agents.Clocks;
import com.example.agents.Helper;
import com.example.agents.Lambdas;
import com.example.agents.Suppressed;
import dev.agentreplay.lint.pattern.Category;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.Suppression;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options of a scan. */
class DeterminismScanTest {

  private static List<String> methods(DeterminismReport report) {
    return report.findings().stream()
        .map(finding -> finding.location().methodName())
        .distinct()
        .toList();
  }

  @Test
  void class_that_takes_everything_from_its_context_is_deterministic() throws IOException {
    DeterminismReport report = DeterminismScan.ofClasses(Clean.class).check();

    assertThat(report.findings()).isEmpty();
    assertThat(report.isDeterministic()).isTrue();
    assertThat(report.entryPoints()).isEqualTo(3); // run, record, and the constructor
    assertThat(report.toString()).startsWith("no nondeterministic calls\n");
  }

  @Test
  void only_the_given_classes_are_entry_points() throws IOException {
    DeterminismReport report =
        DeterminismScan.ofClasses(Clocks.class, Suppressed.class).check();

    assertThat(methods(report)).containsExactly("run", "trace", "shared", "late", "id");
    assertThat(report.unusedSuppressions()).hasSize(1);
    assertThat(DeterminismScan.ofClasses(Clean.class).check().unusedSuppressions())
        .isEmpty();
  }

  @Test
  void class_without_entry_points_is_checked_as_a_whole() throws IOException {
    assertThat(DeterminismScan.ofClasses(Helper.class).check().categoryCounts())
        .containsOnlyKeys(Category.FILE);
  }

  @Test
  void class_with_a_name_in_lower_case_is_checked() throws Exception {
    Class<?> lower = Class.forName("com.example.agents.lower");
    DeterminismReport report = DeterminismScan.ofClasses(lower).check();

    assertThat(report.findings())
        .extracting(DeterminismFinding::api)
        .containsExactly("java.util.UUID.randomUUID()");
    assertThat(report.suppressed()).hasSize(1);
  }

  @Test
  void class_of_the_jdk_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeterminismScan.ofClasses(String.class))
        .withMessage("expected a class from a directory or jar, found java.lang.String");
    assertThatIllegalArgumentException()
        .isThrownBy(DeterminismScan::ofClasses)
        .withMessage("expected a class, found none");
  }

  @Test
  void requested_entry_points_replace_the_default_ones() throws IOException {
    DeterminismReport report = Seeds.scan()
        .withEntries("com.example.agents.Clean.main", "com.example.agents.None.run")
        .check();

    assertThat(report.findings())
        .extracting(finding -> finding.category().id())
        .containsExactly("clock", "file");
    assertThat(report.entryPoints()).isEqualTo(1);
    assertThat(report.unmatchedEntries()).containsExactly("com.example.agents.None.run");
    assertThat(report.toString()).contains("  no entry    com.example.agents.None.run\n");
  }

  @Test
  void scan_without_entry_points_has_checked_nothing() throws IOException {
    DeterminismReport report = Seeds.scan().withEntries("com.example.none.*").check();

    assertThat(report.findings()).isEmpty();
    assertThat(report.isDeterministic()).isFalse();
    assertThat(report.toString()).startsWith("nothing was checked: no entry point was found\n");
  }

  @Test
  void callbacks_of_missing_libraries_are_followed() throws IOException {
    DeterminismReport report = DeterminismScan.of(Seeds.CLASSES).check();

    assertThat(report.unresolved()).contains("com.example.library.Client$Listener");
    assertThat(Seeds.found(report, "Callbacks.java")).isEqualTo(Seeds.expected("Callbacks.java"));
    assertThat(Seeds.found(report, "Clean.java")).isEmpty();
  }

  @Test
  void patterns_of_the_caller_win() throws IOException {
    LintPatterns patterns = LintPatterns.defaults()
        .plus(
            "test",
            """
            allow java.lang.**
            report id java.util.UUID.toString -> a text
            boundary com.example.agents.Lambdas.leaky(dev.agentreplay.engine.replay.AgentScope, java.util.concurrent.Callable) 2
            trust com.example.agents.Clocks
            entry parameter java.util.UUID
            """);
    DeterminismReport report = Seeds.scan().withPatterns(patterns).check();

    assertThat(report.findings())
        .extracting(finding -> finding.location().className())
        .doesNotContain(Clocks.class.getName());
    assertThat(report.findings())
        .extracting(DeterminismFinding::api)
        .noneMatch(api -> api.startsWith("java.lang."))
        .contains("java.util.UUID.toString()");
    assertThat(Seeds.found(report, "Lambdas.java"))
        .noneMatch(found -> found.contains("identityHashCode"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.example.library.Scopes.Scope",
        "com.example.library.*",
        "com.example.library.Scopes$Scope"
      })
  void lambdas_of_the_jdk_with_an_entry_parameter_are_entry_points(String type) throws IOException {
    LintPatterns patterns = LintPatterns.defaults().plus("test", "entry parameter " + type);
    DeterminismReport report = DeterminismScan.of(Seeds.CLASSES.resolveSibling("library"))
        .withPatterns(patterns)
        .check();

    assertThat(report.findings())
        .extracting(DeterminismFinding::api)
        .containsExactly("java.lang.System.nanoTime()");
  }

  /** The name of the outer lambda in Lambdas.lambda(), in whose number compilers differ. */
  private static String outerLambda() throws IOException {
    return Seeds.scan().check().findings().stream()
        .filter(finding -> finding.path().size() == 1)
        .map(DeterminismFinding::location)
        .filter(location -> location.className().equals(Lambdas.class.getName()))
        .map(CallStep::methodName)
        .filter(method -> method.startsWith("lambda$lambda$"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void suppressions_of_a_file_cover_calls_and_what_is_reached_only_through_them()
      throws IOException {
    List<Suppression> suppressions = Suppression.parse(
        "file",
        """
        com.example.agents.Lambdas.%s because it is an example
        com.example.agents.Clocks of java.time.Instant.now, id because of a reason
        com.example.agents.Threads of clock because it has none
        """
            .formatted(outerLambda()));
    DeterminismReport report = Seeds.scan().withSuppressions(suppressions).check();

    assertThat(Seeds.found(report, "Clocks.java"))
        .hasSize(6)
        .noneMatch(found -> found.contains("Instant"));
    assertThat(methods(report))
        .doesNotContain("builder")
        .noneMatch(method -> method.startsWith("lambda$lambda$"));
    assertThat(report.suppressed())
        .filteredOn(suppressed ->
            suppressed.finding().location().className().equals(Lambdas.class.getName()))
        .hasSize(3);
    assertThat(report.unusedSuppressions())
        .extracting(Suppression::source)
        .containsExactly("file:3", "annotation");
  }
}
