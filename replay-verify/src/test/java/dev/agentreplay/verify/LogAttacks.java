package dev.agentreplay.verify;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.Attack.Target;
import dev.agentreplay.verify.Forgery.Edit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Attacks on a log that leave the other files unchanged. */
final class LogAttacks {

  private static final String END = "{\"confidence\":0.9,\"event\":\"SessionEnd\","
      + "\"status\":\"Success\",\"t\":\"2026-01-13T10:00:00Z\",\"total_latency_ms\":0,"
      + "\"total_tool_calls\":0}";

  private static final String CALL = TestLog.call("c-9", "rm", JsonObject.of("path", "/"), 9);
  private static final String RESULT = TestLog.result("c-9", JsonValue.of("ok"), "0.5", 3, 9);

  private LogAttacks() {}

  /**
   * Returns all attacks.
   *
   * @param foreign another session of the same producer
   */
  static List<Attack> all(Exhibit foreign) {
    return List.of(
        new Attack("edit a value that has a hash", LogAttacks::editHashed),
        new Attack("edit anything else", LogAttacks::editOther),
        new Attack(
            "edit parameters or an output, and re-hash",
            exhibit -> editAndRehash(
                exhibit, (line, member) -> line.has("params_hash") || line.has("output_hash"))),
        new Attack(
            "edit a payload, prompt or answer, and re-hash",
            exhibit -> editAndRehash(
                exhibit, (line, member) -> !line.has("params_hash") && !line.has("output_hash"))),
        Attack.onEachLine("drop a line", 1, Exhibit::remove),
        new Attack("drop a call with its result, and adjust the totals", LogAttacks::dropCalls),
        Attack.onEachLine(
            "duplicate a line",
            2,
            (exhibit, number) -> exhibit.insert(number, exhibit.line(number))),
        new Attack("reorder two lines", LogAttacks::reorder),
        new Attack("splice the tail of another session onto the head", log -> splice(log, foreign)),
        new Attack(
            "replace the log with that of another session",
            log -> List.of(
                Attack.whole("", foreign.withReceipt(log.receipt()).withEnvelope(log.envelope())))),
        new Attack("truncate at a line", LogAttacks::truncate),
        new Attack("truncate, and append a valid end", LogAttacks::truncateAndEnd),
        new Attack(
            "append lines at the end",
            log -> List.of(added(log, log.size() + 1, log.insert(log.size() + 1, CALL, RESULT)))),
        new Attack("insert a call with its result, and adjust the totals", LogAttacks::insertCall),
        new Attack(
            "re-hash everything",
            log -> List.of(Attack.whole("", Forgery.checkpointed(Forgery.rewritten(log), null)))));
  }

  private static List<Target> editHashed(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    edit(log, Forgery::isHashed, edit -> edit, targets);
    for (String blob : log.blobs().keySet()) {
      Map<String, byte[]> blobs = new TreeMap<>(log.blobs());
      blobs.put(blob, "\"forged\"".getBytes(StandardCharsets.UTF_8));
      int number = IntStream.rangeClosed(1, log.size())
          .filter(each -> log.json(each).has("output_ref"))
          .findFirst()
          .orElseThrow();
      targets.add(
          new Target("blob", log.withBlobs(blobs), Set.of(number), Attack.callId(log, number)));
    }
    return targets;
  }

  private static List<Target> editOther(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    edit(log, (line, member) -> !Forgery.isHashed(line, member), edit -> edit, targets);
    return targets;
  }

  private static List<Target> editAndRehash(Exhibit log, BiPredicate<JsonObject, String> which) {
    List<Target> targets = new ArrayList<>();
    edit(
        log,
        (line, member) -> Forgery.isHashed(line, member) && which.test(line, member),
        Forgery::rehashed,
        targets);
    return targets;
  }

  private static void edit(
      Exhibit log,
      BiPredicate<JsonObject, String> which,
      UnaryOperator<JsonObject> finish,
      List<Target> targets) {
    for (int number = 1; number <= log.size(); number++) {
      JsonObject line = log.json(number);
      for (Edit edit : Forgery.edits(line)) {
        String member = edit.path().split("\\.")[0];
        if (which.test(line, member)) {
          targets.add(new Target(
              Attack.label(log, number) + "." + member,
              log.replace(number, finish.apply(edit.value().asObject())),
              Set.of(number),
              Attack.callId(log, number)));
        }
      }
    }
  }

  private static List<Target> dropCalls(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    for (int number : log.numbers("ToolCall")) {
      String id = Attack.callId(log, number);
      int result = log.numbers("ToolResult").stream()
          .filter(other -> id.equals(Attack.callId(log, other)))
          .findFirst()
          .orElseThrow();
      targets.add(new Target(
          "", Forgery.totalled(log.remove(result).remove(number)), Set.of(number, result), id));
    }
    return targets;
  }

  private static List<Target> reorder(Exhibit log) {
    List<Target> targets = new ArrayList<>();
    for (int one = 1; one < log.size(); one++) {
      for (int other = one + 1; other <= log.size(); other++) {
        String id = Attack.callId(log, one);
        boolean isPast = isPast(log, one, "Call", "Result", one, other)
            || isPast(log, other, "Result", "Call", one - 1, other);
        String label = one == 1
            ? "the first line"
            : other == log.size()
                ? "the last line"
                : isPast ? "a result and its call" : "other lines";
        targets.add(new Target(label, log.swap(one, other), Set.of(one, other), id));
      }
    }
    return targets;
  }

  /** Whether a line is half of a call, and its counterpart is within a range of lines. */
  private static boolean isPast(
      Exhibit log, int number, String half, String counterpart, int after, int upTo) {
    String kind = log.kind(number);
    if (!kind.equals("Tool" + half) && !kind.equals("Model" + half)) {
      return false;
    }
    JsonValue id = log.json(number).at("/id");
    return log.numbers(kind.replace(half, counterpart)).stream()
        .anyMatch(
            other -> other > after && other <= upTo && id.equals(log.json(other).at("/id")));
  }

  private static List<Target> splice(Exhibit log, Exhibit foreign) {
    List<Target> targets = new ArrayList<>();
    for (int head = 1; head < log.size(); head++) {
      List<String> lines = new ArrayList<>(log.lines().subList(0, head));
      lines.addAll(foreign.lines().subList(head, foreign.size()));
      Map<String, byte[]> blobs = new TreeMap<>(log.blobs());
      blobs.putAll(foreign.blobs());
      if (!lines.equals(log.lines()) && !lines.equals(foreign.lines())) {
        targets.add(new Target("", log.withLines(lines).withBlobs(blobs), Set.of(head + 1), null));
      }
    }
    return targets;
  }

  private static List<Target> truncate(Exhibit log) {
    return IntStream.range(1, log.size())
        .filter(size -> !log.kind(size).equals("Checkpoint")) // which would be a rollback
        .mapToObj(size -> Attack.whole("", log.truncate(size)))
        .toList();
  }

  private static List<Target> truncateAndEnd(Exhibit log) {
    return IntStream.range(1, log.size() - 1)
        .mapToObj(size -> new Target(
            "", Forgery.totalled(log.truncate(size).insert(size + 1, END)), Set.of(size + 1), null))
        .toList();
  }

  private static List<Target> insertCall(Exhibit log) {
    return IntStream.range(3, log.size())
        .mapToObj(number -> added(log, number, Forgery.totalled(log.insert(number, CALL, RESULT))))
        .toList();
  }

  private static Target added(Exhibit log, int number, Exhibit longer) {
    return new Target(
        "", longer, Set.of(number, number + 1), JsonText.parse(CALL).at("/id").asString());
  }
}
