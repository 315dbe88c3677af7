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
import java.util.stream.Stream;
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
    if (left == null && right != null) {
      JsonArray patch = JsonPatch.added(line(rightLines, right.line));
      return new Divergence(pair.kind(), role, null, right.place(), "", patch);
    }
    if (left != null && right == null) {
      JsonArray patch = JsonPatch.removed(line(leftLines, left.line));
      return new Divergence(pair.kind(), role, left.place(), null, "", patch);
    }
    if (left == null || right == null) {
      throw new IllegalStateException("a pair of nothing");
    }
    if (pair.kind() == DivergenceKind.OUTPUT) {
      return output(left, right, role);
    }
    JsonArray patch = patch(
        line(leftLines, left.line), line(rightLines, right.line), "tool", "params", "params_hash");
    return new Divergence(pair.kind(), role, left.place(), right.place(), pointer(patch), patch);
  }

  private Divergence output(Call left, Call right, Divergence.Role role) {
    if (left.resultLine == 0 || right.resultLine == 0) {
      JsonArray patch = left.resultLine == 0
          ? JsonPatch.added(line(rightLines, right.resultLine))
          : JsonPatch.removed(line(leftLines, left.resultLine));
      return new Divergence(
          DivergenceKind.OUTPUT, role, left.resultPlace(), right.resultPlace(), "", patch);
    }
    JsonArray patch = patch(
        line(leftLines, left.resultLine),
        line(rightLines, right.resultLine),
        "output",
        "output_hash");
    return new Divergence(
        DivergenceKind.OUTPUT,
        role,
        left.resultPlace(),
        right.resultPlace(),
        pointer(patch),
        patch);
  }

  /** From one event to the other, in these members. */
  private static JsonArray patch(JsonObject left, JsonObject right, String... members) {
    return JsonArray.copyOf(Stream.of(members)
        .flatMap(m -> JsonPatch.between("/" + m, left.get(m), right.get(m)).stream())
        .toList());
  }

  private static String pointer(JsonArray patch) {
    JsonValue first = patch.size() == 0 ? null : patch.get(0).find("/path");
    return first == null ? "" : first.asString();
  }

  private static JsonObject line(Map<Long, JsonObject> lines, long number) {
    JsonObject line = lines.get(number);
    if (line == null) {
      throw new IllegalStateException("line " + number + " was not read");
    }
    return line;
  }
}
