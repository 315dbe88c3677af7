package dev.agentreplay.engine;

import dev.agentreplay.engine.CallAlignment.Pair;
import dev.agentreplay.engine.CallIndex.Call;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the events of calls that differ, and tells how. */
final class DivergenceReader {

  private final Map<Long, JsonObject> leftLines;
  private final Map<Long, JsonObject> rightLines;

  private DivergenceReader(Map<Long, JsonObject> leftLines, Map<Long, JsonObject> rightLines) {
    this.leftLines = leftLines;
    this.rightLines = rightLines;
  }

  static List<Divergence> read(Session left, Session right, List<Pair> pairs) throws IOException {
    Set<Long> leftNumbers = new HashSet<>();
    Set<Long> rightNumbers = new HashSet<>();
    for (Pair pair : pairs) {
      addLines(pair.left(), leftNumbers);
      addLines(pair.right(), rightNumbers);
    }
    DivergenceReader reader = new DivergenceReader(
        CallIndex.lines(left, leftNumbers), CallIndex.lines(right, rightNumbers));
    List<Divergence> divergences = new ArrayList<>();
    for (Pair pair : pairs) {
      Divergence.Role role =
          divergences.isEmpty() ? Divergence.Role.ROOT : Divergence.Role.DOWNSTREAM;
      divergences.add(reader.divergence(pair, role));
    }
    return divergences;
  }

  private static void addLines(@Nullable Call call, Set<Long> numbers) {
    if (call != null) {
      numbers.add(call.line);
      if (call.resultLine > 0) {
        numbers.add(call.resultLine);
      }
    }
  }

  private Divergence divergence(Pair pair, Divergence.Role role) {
    Call left = pair.left();
    Call right = pair.right();
    if (left == null || right == null) {
      return new Divergence(
          pair.kind(),
          role,
          left == null ? null : left.place(),
          right == null ? null : right.place(),
          "",
          left == null ? null : line(leftLines, left.line),
          right == null ? null : line(rightLines, right.line),
          whole(
              left == null ? null : line(leftLines, left.line),
              right == null ? null : line(rightLines, right.line)));
    }
    if (pair.kind() != DivergenceKind.OUTPUT) {
      return changed(
          pair.kind(),
          role,
          left.place(),
          right.place(),
          line(leftLines, left.line),
          line(rightLines, right.line),
          List.of("tool", "params", "params_hash"));
    }
    return changed(
        pair.kind(),
        role,
        left.resultPlace(),
        right.resultPlace(),
        left.resultLine == 0 ? null : line(leftLines, left.resultLine),
        right.resultLine == 0 ? null : line(rightLines, right.resultLine),
        List.of("output", "output_hash"));
  }

  /** Two events that differ in some members; a call without a result has none to compare. */
  private static Divergence changed(
      DivergenceKind kind,
      Divergence.Role role,
      Divergence.@Nullable Place leftPlace,
      Divergence.@Nullable Place rightPlace,
      @Nullable JsonObject left,
      @Nullable JsonObject right,
      List<String> members) {
    if (left == null || right == null) {
      return new Divergence(kind, role, leftPlace, rightPlace, "", left, right, whole(left, right));
    }
    List<JsonValue> operations = new ArrayList<>();
    for (String m : members) {
      JsonPatch.between("/" + m, left.get(m), right.get(m)).forEach(operations::add);
    }
    if (operations.isEmpty()) {
      return new Divergence(kind, role, leftPlace, rightPlace, "", left, right, JsonArray.EMPTY);
    }
    JsonObject first = operations.get(0).asObject();
    String pointer = first.at("/path").asString();
    return new Divergence(
        kind,
        role,
        leftPlace,
        rightPlace,
        pointer,
        // what is added to an array takes the place of an element that stays
        first.at("/op").asString().equals("add") ? null : left.find(pointer),
        first.get("value"),
        JsonArray.copyOf(operations));
  }

  /** An event that only one side has. */
  private static JsonArray whole(@Nullable JsonObject left, @Nullable JsonObject right) {
    if (right != null) {
      return JsonPatch.added(right);
    }
    return left == null ? JsonArray.EMPTY : JsonPatch.removed(left);
  }

  private static JsonObject line(Map<Long, JsonObject> lines, long number) {
    JsonObject line = lines.get(number);
    if (line == null) {
      throw new IllegalStateException("line " + number + " was not read");
    }
    return line;
  }
}
