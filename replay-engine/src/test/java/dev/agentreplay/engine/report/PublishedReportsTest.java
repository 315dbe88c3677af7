package dev.agentreplay.engine.report;

import static dev.agentreplay.engine.published.TestCopies.HIDE;
import static dev.agentreplay.engine.published.TestCopies.WITHHOLD;
import static dev.agentreplay.engine.published.TestCopies.replace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.ConvertOptions;
import dev.agentreplay.convert.SessionConverter;
import dev.agentreplay.convert.SessionFormat;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.engine.published.TestCopies.Change;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden: the reports of a session and its published copy, in two dialects. */
class PublishedReportsTest {

  private static final TextOptions FULL = TextOptions.defaults().withFull(true);

  private static final Map<String, Function<SessionDiff, String>> REPORTS = Map.of(
      "txt", TextReport::render,
      "full.txt", diff -> TextReport.render(diff, FULL),
      "json", diff -> JsonText.pretty(DiffJson.render(diff)) + "\n",
      "md", MarkdownReport::render,
      "xml", JUnitReport::render);

  private static final Map<String, Change> CHANGES = Map.of(
      "4/params", WITHHOLD,
      "5/output", replace("[REDACTED:email]", "email"),
      "6/params/reservation_id", HIDE,
      "7/output", HIDE,
      "8/params", WITHHOLD,
      "9/t", HIDE,
      "9/ts", HIDE);

  @TempDir
  Path home;

  static Stream<String> reports() {
    return Stream.of("event", "type")
        .flatMap(dialect -> REPORTS.keySet().stream().map(name -> dialect + "." + name))
        .sorted();
  }

  private Session original(String dialect) throws IOException {
    Session event = Session.open(TestSessions.bundled("sessions").resolve("task-18_trial-0"));
    if (dialect.equals("event")) {
      return event;
    }
    Path out = home.resolve("type");
    SessionConverter.convertInto(out, event, SessionFormat.TYPE, ConvertOptions.defaults());
    return Session.open(out);
  }

  private SessionDiff diff(String dialect) throws IOException {
    Session original = original(dialect);
    Session copy = TestCopies.publish(original, home.resolve("copy"), "private_repo", CHANGES);
    return SessionDiff.between(original, copy).withNames("original", "copy");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void a_report_is_what_was_approved(String report) throws IOException {
    int dot = report.indexOf('.');
    String actual = REPORTS.get(report.substring(dot + 1)).apply(diff(report.substring(0, dot)));
    String name = "published-" + report.replace('.', '-').replaceFirst("-([a-z]+)$", ".$1");
    Path kept = Path.of("target/reports").resolve(name);
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, actual);

    assertThat(actual)
        .as("to approve it, from replay-engine: cp %s src/test/resources/reports/%s", kept, name)
        .isEqualTo(approved(name));
  }

  private static String approved(String name) throws IOException {
    try (InputStream in = PublishedReportsTest.class.getResourceAsStream("/reports/" + name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void copy_of_a_converted_session_is_compared_with_the_one_in_the_other_dialect()
      throws IOException {
    Map<String, Change> named = new HashMap<>(CHANGES);
    named.replaceAll((place, change) -> change == HIDE ? WITHHOLD : change);
    Session copy =
        TestCopies.publish(original("type"), home.resolve("copy"), "private_repo", named);
    SessionDiff diff = SessionDiff.between(original("event"), copy);

    assertThat(diff.summary().divergencesByKind()).containsOnlyKeys(DivergenceKind.WITHHELD);
    assertThat(diff.summary().withheld()).isEqualTo(4);
    assertThat(diff.summary().replaced()).isEqualTo(1);
  }

  @Test
  void page_of_a_copy_has_no_openings() throws IOException {
    Session copy =
        TestCopies.publish(original("event"), home.resolve("copy"), "private_repo", CHANGES);
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    HtmlViewer.render(copy, page);

    assertThat(page.toString(StandardCharsets.UTF_8))
        .doesNotContain("blinding", "disclosure")
        .contains("\"policy\":\"private_repo\"")
        .contains("\"withheld\":[[\"/params\",null]]")
        .contains("\"withheld\":[[\"/output\",\"email\"]]");
  }
}
