package dev.agentreplay.canonical.dialect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables and the examples of docs/format.md are what the dialects do. */
class FormatDocumentTest {

  private static final Pattern MEMBER = Pattern.compile("`(\\w+)` (\\w+)");
  private static final Set<String> COMMON = Set.of("t", "ts", "agent", "parent");

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void members_of_an_event_are_documented(EventKind kind) throws IOException {
    List<String[]> rows = section(kind)
        .lines()
        .filter(line -> line.matches("\\|.*` (identifies|required|nullable|optional|additional).*"))
        .map(line -> line.split("\\s*\\|\\s*", -1))
        .toList();
    assertThat(rows).isNotEmpty();

    for (Dialect dialect : Dialect.values()) {
      Map<String, String> documented = new TreeMap<>();
      for (String[] row : rows) {
        // an event that no dialect differs in has one column for all of them
        String cell = row.length > 5 ? row[1 + dialect.ordinal()] : row[1];
        Matcher member = MEMBER.matcher(cell);
        while (member.find()) {
          documented.put(member.group(1), member.group(2));
        }
      }
      assertThat(documented).as("%s in %s", kind, dialect).isEqualTo(members(dialect, kind));
    }
  }

  /** The members of an event, but for those that every event has, and whether they must be. */
  private static Map<String, String> members(Dialect dialect, EventKind kind) {
    Table<?> table = dialect.codec().table(kind);
    Set<String> required = missing(dialect, identified(dialect, table, kind));
    Map<String, String> members = new TreeMap<>();
    for (Row<?, ?> row : table.rows()) {
      boolean common = row.component().equals("tag")
          || COMMON.contains(row.name)
          || (row.name.equals("session_id")
              && kind != EventKind.REPLAY_HEADER
              && kind != EventKind.SESSION_START);
      if (!common) {
        members.put(row.name, word(table, row, required));
      }
    }
    return members;
  }

  private static String word(Table<?> table, Row<?, ?> row, Set<String> required) {
    if (row.presence == Presence.IDENTITY) {
      return "identifies";
    }
    if (required.contains(row.name)) {
      return "required";
    }
    if (row.presence == Presence.NULLABLE) {
      return "nullable";
    }
    return row.isAdditional() && !table.isAdditional() ? "additional" : "optional";
  }

  /** The members that are reported as missing in an event with nothing but its identity. */
  private static Set<String> missing(Dialect dialect, JsonObject line) {
    return dialect.decode(line).findings().stream()
        .filter(finding -> finding.code() == FindingCode.FIELD_MISSING)
        .map(Finding::message)
        .map(message -> message.substring(0, message.indexOf(' ')))
        .collect(Collectors.toSet());
  }

  private static JsonObject identified(Dialect dialect, Table<?> table, EventKind kind) {
    JsonObject line = JsonObject.of(dialect.codec().tagName(), kind.id());
    for (Row<?, ?> row : table.rows()) {
      if (row.presence == Presence.IDENTITY) {
        line = line.with(row.name, sample(row));
      }
    }
    return line;
  }

  private static JsonValue sample(Row<?, ?> row) {
    return Stream.of(
            JsonValue.of("Success"),
            JsonValue.of(1),
            JsonObject.EMPTY,
            JsonValue.of("sha256:" + "0".repeat(64)))
        .filter(value -> row.type.read(value) != null)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void examples_of_an_event_are_canonical_and_whole(EventKind kind) throws IOException {
    String section = section(kind);
    int from = section.indexOf("```jsonl\n") + "```jsonl\n".length();
    List<String> examples =
        section.substring(from, section.indexOf("```", from)).lines().toList();

    assertThat(examples).hasSizeBetween(1, Dialect.values().length);
    for (int i = 0; i < examples.size(); i++) {
      String example = examples.get(i);
      JsonObject line = Lines.object(example);
      Dialect dialect = Dialect.detect(line);
      assertThat(dialect).isEqualTo(Dialect.values()[i]);
      Decoded decoded = dialect.decode(line);
      assertThat(decoded.findings()).isEmpty();
      assertThat(decoded.event().kind()).isEqualTo(kind);
      assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.EMPTY);
      assertThat(CanonicalJson.SERDE.isCanonical(example.getBytes(UTF_8))).isTrue();
      assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(example);
    }
  }

  @Test
  void every_section_is_that_of_an_event() throws IOException {
    String events = document();
    int from = events.indexOf("\n## Events\n");
    events = events.substring(from, events.indexOf("\n## ", from + 1));
    Stream<String> titles = Pattern.compile("(?m)^### (\\w+)$")
        .matcher(events)
        .results()
        .map((MatchResult r) -> r.group(1));

    assertThat(titles)
        .containsExactlyInAnyOrderElementsOf(Stream.of(EventKind.values())
            .filter(kind -> kind != EventKind.UNKNOWN)
            .map(EventKind::id)
            .toList());
  }

  private static String section(EventKind kind) throws IOException {
    String document = document();
    int from = document.indexOf("\n### " + kind.id() + "\n");
    assertThat(from).as("section of %s", kind).isPositive();
    int to = document.indexOf("\n#", from + 4);
    return document.substring(from, to < 0 ? document.length() : to);
  }

  private static String document() throws IOException {
    return Files.readString(Path.of("../docs/format.md"), UTF_8);
  }
}
