package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestData;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs of a later minor version: events, members and statuses that are not known yet survive. */
class ForwardCompatibilityTest {

  private static List<String> lines(Dialect dialect) {
    return TestData.lines("/forward/" + dialect.id() + ".jsonl");
  }

  static Stream<Arguments> lines() {
    return Arrays.stream(Dialect.values())
        .flatMap(dialect -> lines(dialect).stream().map(line -> Arguments.of(dialect, line)));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void line_is_read_and_written_back_unless_its_status_is_unknown(Dialect dialect, String line) {
    JsonObject object = Lines.object(line);

    Decoded decoded = dialect.decode(object);

    if (line.contains("aused\"") || line.contains("scalated\"")) {
      assertThat(decoded.findings())
          .extracting(Finding::code)
          .containsExactly(FindingCode.STATUS_UNKNOWN);
      assertThatThrownBy(() -> Lines.encode(dialect, decoded.event()))
          .hasMessageMatching("\\w+ (status|outcome) must be \\w.* or \\w+, found \"\\w+\"");
      return;
    }
    assertThat(decoded.findings()).isEmpty();
    JsonObject written = Lines.object(Lines.encode(dialect, decoded.event()));
    // the hash of a value that states none is the one thing that is filled in
    assertThat(written.without("prompt_hash", "answer_hash")).isEqualTo(object);
  }

  @ParameterizedTest
  @EnumSource
  void log_tells_its_dialect_and_that_it_is_newer(Dialect dialect) {
    JsonObject first = Lines.object(lines(dialect).get(0));

    assertThat(Dialect.detect(first)).isEqualTo(dialect);
    assertThat(((ReplayHeader) dialect.decode(first).event()).support())
        .isEqualTo(ReplayHeader.Support.NEWER);
  }

  @ParameterizedTest
  @EnumSource
  void kinds_and_statuses_are_known_or_kept(Dialect dialect) {
    List<ReplayEvent> events =
        lines(dialect).stream().map(line -> Lines.decode(dialect, line).event()).toList();

    assertThat(events)
        .filteredOn(event -> event.kind() == EventKind.UNKNOWN)
        .singleElement()
        .hasFieldOrPropertyWithValue("type", "Handoff");
    assertThat(events.get(events.size() - 1))
        .isInstanceOfSatisfying(
            SessionEnd.class, end -> assertThat(end.status().kind()).isEqualTo(Status.Kind.OTHER));
    assertThat(events)
        .allSatisfy(event -> assertThat(event.meta().extra().names()).isNotEmpty());
  }
}
