package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The dialect of a log is detected by its first line, which may be a header or not. */
class DetectionTest {

  /** The kinds of events that specifications 001 and 002 lay out differently. */
  private static final Set<EventKind> DIFFERENT = EnumSet.of(
      EventKind.REPLAY_HEADER,
      EventKind.SESSION_START,
      EventKind.TOOL_CALL,
      EventKind.TOOL_RESULT,
      EventKind.VERIFICATION,
      EventKind.SESSION_END);

  static Stream<GoldenPair> pairs() {
    return GoldenPair.all();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_of_any_kind_tells_its_dialect(GoldenPair pair) {
    assertThat(Dialect.detect(Lines.object(pair.line())))
        .isEqualTo(isAlsoOfType(pair) ? Dialect.TYPE : pair.dialect());
  }

  /** Whether a line of the draft is as good a line of the dialect {@code type}. */
  private static boolean isAlsoOfType(GoldenPair pair) {
    return pair.dialect() == Dialect.DRAFT
        && Lines.decode(Dialect.TYPE, pair.line()).findings().isEmpty();
  }

  @Test
  void every_kind_that_differs_can_tell_the_draft() {
    assertThat(pairs()
            .filter(pair -> pair.dialect() == Dialect.DRAFT && !isAlsoOfType(pair))
            .map(pair -> pair.event().kind()))
        .containsOnly(DIFFERENT.toArray(EventKind[]::new));
  }

  @ParameterizedTest
  @EnumSource
  void header_that_lacks_any_one_member_tells_its_dialect(Dialect dialect) {
    GoldenPair header = pairs()
        .filter(p -> p.dialect() == dialect && p.event().kind() == EventKind.REPLAY_HEADER)
        .findFirst()
        .orElseThrow();
    JsonObject line = Lines.object(header.line());
    for (String name : line.names()) {
      Dialect expected = name.equals(Lines.tagName(dialect)) ? null : dialect;

      assertThat(Dialect.detect(line.without(name))).as(name).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        // neither fits better: the final specification
        "`{\"type\":\"ReplayHeader\"}`, TYPE",
        "`{\"type\":\"ToolCall\"}`, TYPE",
        "`{\"type\":\"PlanStart\"}`, TYPE",
        "`{\"type\":\"Reflection\",\"version\":\"1.0.0\"}`, TYPE",
        // one member decides
        "`{\"type\":\"ReplayHeader\",\"replay_version\":1}`, TYPE",
        "`{\"type\":\"ReplayHeader\",\"version\":\"1.0.0\"}`, DRAFT",
        "`{\"type\":\"ToolCall\",\"id\":\"c\",\"tool\":\"t\"}`, DRAFT",
        "`{\"type\":\"ToolCall\",\"step_id\":\"c\",\"tool\":\"t\"}`, TYPE",
        "`{\"type\":\"SessionEnd\",\"outcome\":\"success\"}`, DRAFT",
        "`{\"type\":\"SessionEnd\",\"status\":\"success\"}`, TYPE",
        "`{\"type\":\"Verification\",\"command\":\"lint\"}`, TYPE",
        "`{\"type\":\"Verification\",\"tests_before\":1,\"tests_after\":2,\"delta\":1}`, DRAFT",
      })
  void best_fit_of_the_two_that_share_a_tag_is_taken(String line, Dialect dialect) {
    assertThat(Dialect.detect(Lines.object(line))).isEqualTo(dialect);
  }

  @Test
  void event_that_is_understood_outweighs_any_number_of_findings() {
    JsonObject result = JsonObject.of("type", "ToolResult", "id", "c");

    assertThat(Dialect.DRAFT.decode(result).findings()).hasSize(1);
    assertThat(Dialect.TYPE.decode(result).findings()).hasSize(1);
    assertThat(Dialect.detect(result)).isEqualTo(Dialect.DRAFT);
  }

  @Test
  void values_of_any_type_are_looked_at() {
    for (Object value : new Object[] {null, true, 1, "x", List.of(), JsonObject.EMPTY}) {
      for (EventKind kind : EventKind.values()) {
        JsonObject.Builder line = JsonObject.builder();
        line.add("type", JsonObject.of("tag", kind.id()).at("/tag"));
        for (String name : List.of("id", "step_id", "version", "status", "outcome", "task")) {
          line.add(name, JsonObject.of("value", value).at("/value"));
        }

        assertThat(Dialect.detect(line.build())).isIn(Dialect.TYPE, Dialect.DRAFT);
      }
    }
  }
}
