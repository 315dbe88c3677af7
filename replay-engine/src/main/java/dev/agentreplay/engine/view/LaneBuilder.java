package dev.agentreplay.engine.view;

import dev.agentreplay.model.Meta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Divides the calls of a session into lanes, and those of each lane into turns. */
final class LaneBuilder {

  private final Map<@Nullable String, Calls> byAgent = new LinkedHashMap<>();

  /** The last tool call with each id so far. */
  private final Map<String, RecordedToolCall> byId = new HashMap<>();

  /** The calls of one lane; of the turns, each model call with the tool calls after it. */
  private static final class Calls {
    final List<RecordedToolCall> calls = new ArrayList<>();
    final List<RecordedModelCall> modelCalls = new ArrayList<>();
    final List<RecordedModelCall> begins = new ArrayList<>();
    final List<List<RecordedToolCall>> contents = new ArrayList<>();

    @Nullable
    String parentId;

    @Nullable
    RecordedToolCall parent;

    List<Turn> turns() {
      List<Turn> turns = new ArrayList<>();
      for (int i = 0; i < begins.size(); i++) {
        turns.add(new Turn(begins.get(i), contents.get(i)));
      }
      return turns;
    }
  }

  LaneBuilder(List<RecordedToolCall> calls, List<RecordedModelCall> modelCalls) {
    int asked = 0;
    for (RecordedToolCall call : calls) {
      while (asked < modelCalls.size() && modelCalls.get(asked).line() < call.line()) {
        add(modelCalls.get(asked++));
      }
      Calls lane = lane(call.call().meta());
      byId.put(call.call().id(), call);
      lane.calls.add(call);
      if (!lane.contents.isEmpty()) {
        lane.contents.get(lane.contents.size() - 1).add(call);
      }
    }
    modelCalls.subList(asked, modelCalls.size()).forEach(this::add);
  }

  private void add(RecordedModelCall call) {
    Calls lane = lane(call.call().meta());
    lane.modelCalls.add(call);
    if (call.result() == null || call.succeeded()) {
      lane.begins.add(call);
      lane.contents.add(new ArrayList<>());
    }
  }

  private Calls lane(Meta meta) {
    Calls lane = byAgent.computeIfAbsent(meta.agent(), agent -> new Calls());
    if (lane.parentId == null && meta.parent() != null) {
      lane.parentId = meta.parent();
      lane.parent = byId.get(meta.parent());
    }
    return lane;
  }

  /** The lanes, in the order of their first calls. */
  List<Lane> lanes() {
    List<Lane> lanes = new ArrayList<>();
    byAgent.forEach((agent, lane) -> lanes.add(
        new Lane(agent, lane.parentId, lane.parent, lane.calls, lane.modelCalls, lane.turns())));
    return List.copyOf(lanes);
  }

  /** The turns of all lanes, in the order of their model calls. */
  List<Turn> turns() {
    return byAgent.values().stream()
        .flatMap(lane -> lane.turns().stream())
        .sorted(Comparator.comparingLong(turn -> turn.modelCall().line()))
        .toList();
  }
}
