package dev.agentreplay.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.lint.pattern.Category;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The findings in agents whose sources mark each nondeterministic call. */
class SeededAgentsTest {

  private static DeterminismReport report;

  @BeforeAll
  static void scan() throws IOException {
    report = Seeds.scan().check();
  }

  static List<String> files() throws IOException {
    return Seeds.files();
  }

  @ParameterizedTest
  @MethodSource("files")
  void marked_calls_are_found_and_no_others(String file) throws IOException {
    assertThat(Seeds.found(report, file)).isEqualTo(Seeds.expected(file));
  }

  @Test
  void each_category_has_a_marked_call() {
    assertThat(report.categoryCounts().keySet()).containsExactly(Category.values());
    assertThat(report.problems()).isEmpty();
    assertThat(report.unresolved()).isEmpty();
    assertThat(report.isDeterministic()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          recursion          | other       | Dispatches.run Dispatches.recursive Dispatches.other
          superclass         | overridden  | Dispatches.run Dispatches$Derived.overridden Dispatches$Base.overridden
          inherited          | inherited   | Dispatches.run Dispatches$Base.inherited
          static initializer | <clinit>    | Dispatches.run Dispatches$Derived.<init> Dispatches$Base.<clinit>
          bridge             | format      | Dispatches.run Dispatches$Generic.all Dispatches$OfText.format Dispatches$OfText.format
          private nested     | withScope   | Dispatches$Nested.withScope
          interface          | next        | Dispatches.run Dispatches$Timed.next
          method reference   | builder     | Lambdas.lambda$lambda Lambdas.builder
          callback           | onRequest   | Callbacks.run Callbacks$Watcher.onRequest
          """)
  void shortest_path_leads_from_the_entry_point_to_the_call(
      String kind, String method, String path) {
    assertThat(paths(method)).as(kind).containsExactly(List.of(path.split(" ")));
    assertThat(report.findings())
        .allSatisfy(finding -> assertThat(finding.path()).allSatisfy(step -> {
          assertThat(step.line()).isPositive();
          assertThat(step.file()).endsWith(".java");
        }));
  }

  @Test
  void path_to_a_lambda_in_a_lambda_leads_through_both() {
    String lambda = "Lambdas.lambda$lambda";
    assertThat(paths("lambda$lambda"))
        .containsExactlyInAnyOrder(List.of(lambda), List.of(lambda, lambda));
  }

  /** The paths to the calls in the methods of a name. */
  private List<List<String>> paths(String method) {
    return report.findings().stream()
        .filter(finding -> name(finding.location()).equals(method))
        .map(finding -> finding.path().stream()
            .map(step -> step.className().replace("com.example.agents.", "") + "." + name(step))
            .toList())
        .toList();
  }

  /** The name of a method; of a lambda without its number, in which compilers differ. */
  private static String name(CallStep step) {
    return step.methodName().replaceFirst("^(lambda\\$.*)\\$\\d+$", "$1");
  }

  @Test
  void suppressed_calls_are_counted_and_unused_suppressions_reported() {
    assertThat(report.suppressed())
        .extracting(SuppressedFinding::toString)
        .hasSize(10)
        .doesNotHaveDuplicates();
    assertThat(report.suppressed().get(0).finding().location().methodName())
        .isEqualTo("lambda$trace$0");
    assertThat(report.suppressed().get(0).suppression().reason())
        .isEqualTo("the time is only printed");
    assertThat(report.unusedSuppressions())
        .extracting(Object::toString)
        .containsExactly("com.example.agents.Suppressed.unused() of thread");
  }

  @Test
  void equal_inputs_have_equal_reports() throws IOException {
    assertThat(Seeds.scan().check().toJson()).isEqualTo(report.toJson());
    assertThat(Seeds.scan().check().toString()).isEqualTo(report.toString());
  }
}
