package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An event and its line, which are read and written as each other. */
class GoldenPairsTest {

  static Stream<GoldenPair> pairs() {
    return GoldenPair.all().flatMap(pair -> Stream.of(pair, pair.inLane()));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void line_is_read_as_the_event(GoldenPair pair) {
    Decoded decoded = Lines.decode(pair.dialect(), pair.line());

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event()).isEqualTo(pair.event());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void event_is_written_as_the_line(GoldenPair pair) {
    assertThat(Lines.encode(pair.dialect(), pair.event())).isEqualTo(pair.line());
    assertThat(Lines.canonical(Lines.object(pair.line()))).isEqualTo(pair.line());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void members_that_are_not_known_are_kept(GoldenPair pair) {
    JsonObject more = Lines.object(pair.line())
        .with("", 1)
        .with("a0", JsonObject.of("b", 2, "a", "\ud83d\ude02"))
        .with("new_field", null)
        .with("zz", List.of(1.0, "x"))
        .with("\ud83d\ude02", true);

    Decoded decoded = pair.dialect().decode(more);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().kind()).isEqualTo(pair.event().kind());
    assertThat(decoded.event().meta().extra().names())
        .contains("", "a0", "new_field", "zz", "\ud83d\ude02");
    assertThat(Lines.encode(pair.dialect(), decoded.event())).isEqualTo(Lines.canonical(more));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void additional_member_with_a_known_name_is_refused(GoldenPair pair) {
    ReplayEvent event = pair.event();
    JsonObject line = Lines.object(pair.line());
    for (String name : line.names()) {
      boolean known = !event.meta().extra().has(name);
      if (!known || leavesRoom(line.at("/" + name), pair.dialect(), event.kind(), name)) {
        continue;
      }
      ReplayEvent twice = event.withMeta(event.meta().withExtra(JsonObject.of(name, "x")));

      assertThat(catchThrowable(() -> Lines.encode(pair.dialect(), twice)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has the member " + name + " twice: known and additional");
    }
  }

  /** An empty array is written where the event says nothing, and so is the null of a member. */
  private static boolean leavesRoom(JsonValue value, Dialect dialect, EventKind kind, String name) {
    boolean isNull = value == JsonNull.NULL
        && dialect.codec().table(kind).row(name).presence == Presence.NULLABLE;
    return isNull || value.toString().equals("[]");
  }

  @ParameterizedTest
  @EnumSource
  void every_kind_is_covered(Dialect dialect) {
    assertThat(pairs().filter(pair -> pair.dialect() == dialect).map(pair -> pair.event()
            .kind()))
        .contains(EventKind.values());
  }

  @ParameterizedTest
  @EnumSource
  void every_member_is_covered(Dialect dialect) {
    for (EventKind kind : EventKind.values()) {
      List<String> members = pairs()
          .filter(pair -> pair.dialect() == dialect && pair.event().kind() == kind)
          .flatMap(pair -> Lines.object(pair.line()).names().stream())
          .toList();

      assertThat(dialect.codec().table(kind).rows())
          .as("%s", kind)
          .allSatisfy(row -> assertThat(members).contains(row.name));
    }
  }
}
