package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** A line of any shape that is read is written back: nothing that it says is dropped. */
class LineRoundTripTest {

  private static final String REFUSED =
      "(?s).* needs .*|.* must be .*, found .*|.* exact_status twice.*|.* has the \\w+_hash .* but its value has .*";

  private static final List<String> NAMES = List.of(
      "id",
      "step_id",
      "status",
      "outcome",
      "params",
      "params_hash",
      "output",
      "output_hash",
      "t",
      "ts",
      "error",
      "side_effects",
      "commands",
      "exit_codes",
      "command",
      "policy_version",
      "policy_bundle_id",
      "tests_before",
      "parameters",
      "event",
      "type",
      "x",
      "");

  private static final List<Object> VALUES = new ArrayList<>(Arrays.asList(
      null,
      true,
      0,
      -1,
      0.5,
      "x",
      "",
      "Success",
      "2026-01-13T10:00:00.5+01:00",
      Lines.OTHER_HASH,
      Lines.OTHER_HASH.substring("sha256:".length()),
      "sha256:unknown",
      List.of(),
      List.of("a"),
      List.of(1),
      List.of("a", 1),
      JsonObject.EMPTY,
      JsonObject.of("a", 1)));

  /** A line, changed in a few places. */
  private record Line(Dialect dialect, JsonObject json) {
    Line with(String name, Object value) {
      return new Line(dialect, json.with(name, value));
    }

    Line without(String name) {
      return new Line(dialect, json.without(name));
    }
  }

  @Provide
  Arbitrary<Line> lines() {
    List<GoldenPair> pairs = GoldenPair.all().toList();
    Arbitrary<Line> whole =
        Arbitraries.of(pairs).map(pair -> new Line(pair.dialect(), Lines.object(pair.line())));
    return whole.flatMap(
        line -> changes(line.json().names()).list().ofMaxSize(4).map(changes -> {
          Line changed = line;
          for (UnaryOperator<Line> change : changes) {
            changed = change.apply(changed);
          }
          return changed;
        }));
  }

  private static Arbitrary<UnaryOperator<Line>> changes(List<String> names) {
    List<String> all = new ArrayList<>(names);
    all.addAll(NAMES);
    Arbitrary<String> members = Arbitraries.of(all);
    Arbitrary<Object> values = Arbitraries.oneOf(
        Arbitraries.of(VALUES.stream().map(JsonValue::of).toList()).map(value -> value),
        EventArbitraries.values().map(value -> value));
    return Arbitraries.oneOf(
        members.map(name -> line -> line.without(name)),
        Combinators.combine(members, values).as((name, value) -> line -> line.with(name, value)));
  }

  @Property
  void line_that_is_read_is_written_back(@ForAll("lines") Line line) {
    Decoded decoded = line.dialect().decode(line.json());
    JsonObject written;
    try {
      written = Lines.object(Lines.encode(line.dialect(), decoded.event()));
    } catch (IllegalArgumentException refused) {
      assertThat(refused).message().matches(REFUSED);
      Statistics.collect("refused");
      return;
    }
    Statistics.collect("written");
    Table<?> table = line.dialect().codec().table(decoded.event().kind());

    for (String name : line.json().names()) {
      assertThat(written.has(name)).as(name).isTrue();
      assertSame(table.row(name), line.json().at("/" + escaped(name)), written.get(name));
    }
    for (String name : written.names()) {
      assertThat(line.json().has(name) || isFilledIn(table, table.row(name)))
          .as("%s was not there", name)
          .isTrue();
    }
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** Statuses may be respelled, and numbers may be laid out differently. */
  private static void assertSame(Row<?, ?> row, JsonValue read, JsonValue written) {
    boolean status = row != null && row.type.expected().equals("a status");
    if (status && read instanceof JsonString text && written instanceof JsonString other) {
      Status.Kind kind = Status.parse(text.value()).kind();
      assertThat(Status.parse(other.value()).kind()).isEqualTo(kind);
    } else if (read instanceof JsonNumber number && written instanceof JsonNumber other) {
      boolean isDouble = row != null && row.type.expected().equals("a number");
      assertThat(isDouble ? new BigDecimal(other.asDouble()) : new BigDecimal(other.text()))
          .isEqualByComparingTo(
              isDouble ? new BigDecimal(number.asDouble()) : new BigDecimal(number.text()));
    } else if (row != null && row.type == FieldType.LONGS && read instanceof JsonArray array) {
      assertThat(written.asArray().size()).isEqualTo(array.size());
      for (int i = 0; i < array.size(); i++) {
        assertSame(null, array.get(i), written.asArray().get(i));
      }
    } else {
      assertThat(Lines.canonical(written)).isEqualTo(Lines.canonical(read));
    }
  }

  private static boolean isFilledIn(Table<?> table, Row<?, ?> row) {
    return row != null
        && (row.hasFallback()
            || row.presence == Presence.NULLABLE
            || row.hashed != null
            || row.type == FieldType.TIME);
  }
}
