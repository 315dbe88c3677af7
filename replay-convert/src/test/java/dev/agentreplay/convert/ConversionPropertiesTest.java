package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Logs of the examples in docs/format.md, with members taken away, added, and named as another
 * dialect names others, are converted there and back.
 */
class ConversionPropertiesTest {

  private static final Pattern EXAMPLES = Pattern.compile("```jsonl\\n(.*?)```", Pattern.DOTALL);

  private static final List<JsonObject> LINES = examples();

  record Log(Dialect from, Dialect to, List<JsonObject> lines) {}

  private static List<JsonObject> examples() {
    try {
      String document = Files.readString(Path.of("../docs/format.md"), UTF_8);
      return EXAMPLES
          .matcher(document)
          .results()
          .flatMap(block -> block.group(1).lines())
          .map(line -> JsonText.parse(line).asObject())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Provide
  Arbitrary<Log> logs() {
    return Arbitraries.of(Dialect.class).flatMap(from -> {
      List<JsonObject> lines =
          LINES.stream().filter(line -> Dialect.detect(line) == from).toList();
      Arbitrary<List<JsonObject>> changed = Combinators.combine(Arbitraries.of(lines), changes())
          .as(ConversionPropertiesTest::change)
          .list()
          .ofMinSize(1)
          .ofMaxSize(6);
      Arbitrary<Dialect> others = Arbitraries.of(Dialect.class).filter(to -> to != from);
      return Combinators.combine(others, changed).as((to, log) -> new Log(from, to, log));
    });
  }

  private record Change(boolean removes, int which, String name, JsonValue value) {}

  private static Arbitrary<List<Change>> changes() {
    Arbitrary<String> names = Arbitraries.of(
        "id",
        "step_id",
        "plan_step_id",
        "t",
        "ts",
        "status",
        "outcome",
        "delta",
        "event",
        "type",
        "verification_delta",
        "carried_over",
        "bundle",
        "session_id",
        "started_at",
        "created_at",
        "ended_at",
        "commands",
        "command",
        "exit_code",
        "exit_codes",
        "params_hash",
        "output",
        "policy_version",
        "policy_bundle_id",
        "task",
        "side_effects",
        "latency_ms",
        "x",
        "y");
    Arbitrary<JsonValue> values = Arbitraries.of(
        JsonNull.NULL,
        JsonNumber.of("7"),
        JsonNumber.of("1.50"),
        JsonNumber.of("18446744073709551615"),
        JsonString.of("s"),
        JsonString.of(""),
        JsonString.of("2026-01-13T11:00:00+01:00"),
        JsonArray.EMPTY,
        JsonObject.EMPTY,
        JsonArray.of("a"),
        JsonObject.of("type", "x", "id", 3));
    return Combinators.combine(
            Arbitraries.of(true, false), Arbitraries.integers().between(0, 20), names, values)
        .as(Change::new)
        .list()
        .ofMaxSize(3);
  }

  private static JsonObject change(JsonObject line, List<Change> changes) {
    JsonObject changed = line;
    for (Change change : changes) {
      String tag = line.has("event") ? "event" : "type";
      String name = change.removes() && changed.size() > 1
          ? changed.name(change.which() % changed.size())
          : change.name();
      if (!name.equals(tag)) {
        changed = change.removes() ? changed.without(name) : changed.with(name, change.value());
      }
    }
    return changed;
  }

  @Property
  void what_is_not_restored_is_in_the_ledgers(@ForAll("logs") Log log) {
    DialectConverter there = DialectConverter.of(log.from(), log.to());
    DialectConverter back = DialectConverter.of(log.to(), log.from());

    List<JsonObject> converted = convert(there, log.lines());
    assertThat(converted).allSatisfy(line -> assertThat(log.to().decode(line).findings())
        .noneMatch(finding -> finding.message().startsWith("carried_over")));
    List<JsonObject> again = convert(back, converted);

    Assume.that(there.ledger().count(Action.SPLIT) + back.ledger().count(Action.SPLIT) == 0);
    Assume.that(dropsNoEvent(there) && dropsNoEvent(back));
    assertThat(Ledgers.unexplained(log.from(), log.lines(), again, there.ledger(), back.ledger()))
        .isEmpty();
  }

  private static boolean dropsNoEvent(DialectConverter converter) {
    return converter.ledger().entries().stream()
        .noneMatch(entry -> entry.action() == Action.DROPPED && entry.field() == null);
  }

  private static List<JsonObject> convert(DialectConverter converter, List<JsonObject> lines) {
    List<JsonObject> converted = new ArrayList<>();
    lines.forEach(line -> converted.addAll(converter.convert(line)));
    converted.addAll(converter.finish());
    return converted;
  }
}
