package dev.agentreplay.verify;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.DialectConverter;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.Attack.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Attacks through carried-over members, so that a conversion would make a different session of a
 * log.
 */
final class ConversionAttacks {

  /** An event type that no specification has. */
  static final String UNKNOWN = "Note";

  private ConversionAttacks() {}

  /**
   * Returns all attacks.
   *
   * @param foreign another session as a log in each dialect, with the same number of lines
   */
  static List<Attack> all(Map<Dialect, Exhibit> foreign) {
    return List.of(
        new Attack(
            "carry over the same event of another session",
            log -> carryOver(log, foreign.get(dialect(log)))),
        new Attack("carry over another session in the header", log -> keep(log, foreign)),
        new Attack(
            "carry over a call in an unknown event", log -> hide(log, foreign.get(dialect(log)))),
        new Attack(
            "carry over an event for the dialect of the log",
            log -> carryOverForItself(log, foreign.get(dialect(log)))));
  }

  static Dialect dialect(Exhibit log) {
    return Dialect.detect(log.json(1));
  }

  private static List<Target> carryOver(Exhibit log, Exhibit foreign) {
    List<Target> targets = new ArrayList<>();
    for (int number = 1; number <= log.size(); number++) {
      JsonObject event = foreign.json(number);
      for (Dialect other : others(log)) {
        targets.add(carrying(log, number, other, converted(event, dialect(log), other)));
      }
    }
    return targets;
  }

  private static List<Target> carryOverForItself(Exhibit log, Exhibit foreign) {
    List<Target> targets = new ArrayList<>();
    for (int number = 1; number <= log.size(); number++) {
      targets.add(carrying(log, number, dialect(log), foreign.json(number)));
    }
    return targets;
  }

  private static Target carrying(Exhibit log, int number, Dialect dialect, JsonObject event) {
    JsonObject line = log.json(number).with("carried_over", JsonObject.of(dialect.id(), event));
    return new Target(log.kind(number), log.replace(number, line), Set.of(number), null);
  }

  /** Carries over a bundle in either form, and each of its members about the session. */
  private static List<Target> keep(Exhibit log, Map<Dialect, Exhibit> foreign) {
    Exhibit draft = foreign.get(Dialect.DRAFT);
    JsonArray events = JsonArray.copyOf(Stream.iterate(2, number -> number + 1)
        .limit(draft.size() - 1L)
        .map(draft::json)
        .toList());
    return Stream.of(
            JsonObject.of("header", draft.json(1), "events", events),
            JsonObject.of("timeline", events),
            JsonObject.of("events", events),
            JsonObject.of("header", draft.json(1)),
            JsonObject.of("id", "that"),
            JsonObject.of("created_at", "2026-01-13T11:00:00Z"))
        .map(bundle -> new Target(
            String.join(", ", bundle.names()),
            log.replace(1, log.json(1).with("bundle", bundle)),
            Set.of(1),
            null))
        .toList();
  }

  /** Carries over a call in an inserted event of an unknown type. */
  private static List<Target> hide(Exhibit log, Exhibit foreign) {
    List<Target> targets = new ArrayList<>();
    int number = log.numbers("ToolCall").get(0);
    JsonObject event = foreign.json(number);
    JsonObject note = JsonObject.of(dialect(log) == Dialect.EVENT ? "event" : "type", UNKNOWN);
    for (Dialect other : others(log)) {
      Exhibit longer = log.insert(number, "{}").replace(number, note);
      targets.add(carrying(longer, number, other, converted(event, dialect(log), other)));
    }
    return targets;
  }

  private static List<Dialect> others(Exhibit log) {
    return Stream.of(Dialect.values()).filter(other -> other != dialect(log)).toList();
  }

  private static JsonObject converted(JsonObject line, Dialect from, Dialect to) {
    DialectConverter converter = DialectConverter.of(from, to);
    List<JsonObject> lines = new ArrayList<>(converter.convert(line));
    lines.addAll(converter.finish());
    return lines.get(lines.size() - 1);
  }
}
