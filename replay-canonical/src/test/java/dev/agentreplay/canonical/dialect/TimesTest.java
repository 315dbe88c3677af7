package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A time keeps its text: its offset, and its digits. */
class TimesTest {

  static List<String> times() {
    List<String> times = new ArrayList<>();
    for (String zone : List.of("Z", "+00:00", "-00:00", "+05:30", "-12:00", "+14:00")) {
      for (int digits = 0; digits <= 9; digits++) {
        String fraction = digits == 0 ? "" : "." + "120000000".substring(0, digits);
        times.add("2026-01-13T10:00:00" + fraction + zone);
      }
    }
    return times;
  }

  @ParameterizedTest
  @MethodSource("times")
  void time_of_every_kind_is_written_back_as_it_was_read(String time) {
    for (GoldenPair pair : GoldenPair.all().toList()) {
      JsonObject golden = Lines.object(pair.line());
      String name = timeName(pair.dialect(), pair.event().kind());
      if (!golden.has(name)) {
        continue;
      }
      JsonObject line = golden.with(name, time);

      Decoded decoded = pair.dialect().decode(line);

      assertThat(decoded.findings()).isEmpty();
      assertThat(decoded.event().time()).hasToString(time);
      assertThat(Lines.encode(pair.dialect(), decoded.event())).isEqualTo(Lines.canonical(line));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-13T10:00:00",
        "2026-01-13T10:00:00.Z",
        "2026-01-13T10:00:00.1234567890Z",
        "2026-01-13 10:00:00Z",
        "2026-01-13T10:00Z",
        "2026-01-13T10:00:00z",
        "2026-01-13T10:00:00+0000",
        "2026-02-31T10:00:00Z",
        "2026-01-13T10:00:00,5Z",
        ""
      })
  void invalid_time_is_found_and_written_back_as_it_was_read(String time) {
    for (GoldenPair pair : GoldenPair.all().toList()) {
      String name = timeName(pair.dialect(), pair.event().kind());
      JsonObject line = Lines.object(pair.line()).with(name, time);

      Decoded decoded = pair.dialect().decode(line);

      assertThat(Lines.texts(decoded.findings()))
          .containsExactly("FIELD_INVALID " + name
              + " must be an ISO 8601 time with offset, found string \"" + time + "\"");
      assertThat(decoded.event().time()).isNull();
      assertThat(Lines.encode(pair.dialect(), decoded.event())).isEqualTo(Lines.canonical(line));
    }
  }

  private static String timeName(Dialect dialect, EventKind kind) {
    boolean draft = dialect == Dialect.DRAFT;
    return switch (kind) {
      case REPLAY_HEADER -> draft ? "started_at" : "created_at";
      case SESSION_END -> draft ? "ended_at" : dialect == Dialect.EVENT ? "t" : "ts";
      default -> dialect == Dialect.EVENT ? "t" : "ts";
    };
  }
}
