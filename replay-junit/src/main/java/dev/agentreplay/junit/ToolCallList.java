package dev.agentreplay.junit;

import dev.agentreplay.engine.view.Recorded;
import dev.agentreplay.engine.view.RecordedToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tool calls of a session, compared with the expected ones. */
final class ToolCallList {

  private static final int MAX_ROWS = 40;
  private static final int ROWS_BEFORE = 5;
  private static final int PARAMS_WIDTH = 80;

  private final List<RecordedToolCall> calls;

  ToolCallList(List<RecordedToolCall> calls) {
    this.calls = calls;
  }

  List<RecordedToolCall> all() {
    return calls;
  }

  List<RecordedToolCall> withId(String id) {
    return calls.stream().filter(call -> call.call().id().equals(id)).toList();
  }

  /** The calls of a tool. */
  List<RecordedToolCall> to(String tool) {
    return calls.stream().filter(call -> call.call().tool().equals(tool)).toList();
  }

  /**
   * The calls without a result, and the failed results; null if there are none.
   *
   * @param stray the results without a call
   */
  @Nullable
  String failures(List<Recorded<ToolResult>> stray) {
    List<String> failed = new ArrayList<>();
    for (RecordedToolCall call : calls) {
      if (call.result() == null) {
        failed.add(CallText.line(call) + " has no result" + CallText.params(call));
      } else if (!call.result().outcome().succeeded()) {
        failed.add(
            CallText.line(call) + " failed" + CallText.params(call) + CallText.outcome(call));
      }
    }
    for (Recorded<ToolResult> result : stray) {
      if (!result.event().outcome().succeeded()) {
        failed.add("line %d: result %s without a call failed"
            .formatted(result.line(), Shown.name(result.event().id())));
      }
    }
    return failed.isEmpty()
        ? null
        : "%s failed\n%s"
            .formatted(PlainText.count(failed.size(), "tool call"), String.join("\n", failed));
  }

  /** The names of the called tools, in order. */
  List<String> tools() {
    return calls.stream().map(call -> call.call().tool()).toList();
  }

  /** The difference of the calls from the expected ones, in order; null if there is none. */
  @Nullable
  String differenceInOrder(List<String> expected) {
    List<String> found = tools();
    if (found.equals(expected)) {
      return null;
    }
    int first = 0;
    while (first < Math.min(found.size(), expected.size())
        && found.get(first).equals(expected.get(first))) {
      first++;
    }
    return "the tool calls differ from call %d on\nexpected: %s\nfound:    %s%s"
        .formatted(first, Shown.names(expected), Shown.names(found), rows(first));
  }

  /** The difference of the first calls from the expected ones; null if there is none. */
  @Nullable
  String differenceAtStart(List<String> expected) {
    ToolCallList start =
        new ToolCallList(calls.subList(0, Math.min(calls.size(), expected.size())));
    return start.differenceInOrder(expected);
  }

  /** The problem if the calls do not contain the expected ones, in order; null if they do. */
  @Nullable
  String differenceWithin(List<String> expected) {
    int found = 0;
    for (String tool : tools()) {
      if (found < expected.size() && tool.equals(expected.get(found))) {
        found++;
      }
    }
    if (found == expected.size()) {
      return null;
    }
    return "the tool calls do not contain %s%s, in this order\nexpected: %s\nfound:    %s%s"
        .formatted(
            Shown.name(expected.get(found)),
            found == 0 ? "" : " after " + Shown.names(expected.subList(0, found)),
            Shown.names(expected),
            Shown.names(tools()),
            rows(-1));
  }

  /** The difference of the calls from the expected ones, in any order; null if there is none. */
  @Nullable
  String difference(List<String> expected) {
    List<String> missing = new ArrayList<>(expected);
    List<String> unexpected = new ArrayList<>();
    for (String tool : tools()) {
      if (!missing.remove(tool)) {
        unexpected.add(tool);
      }
    }
    if (missing.isEmpty() && unexpected.isEmpty()) {
      return null;
    }
    return "the tool calls differ\nmissing:    %s\nunexpected: %s%s"
        .formatted(Shown.names(missing), Shown.names(unexpected), rows(-1));
  }

  /** The calls, one on each line; of many calls only those around the marked one. */
  String rows(int marked) {
    StringBuilder out = new StringBuilder();
    int from = calls.size() <= MAX_ROWS ? 0 : Math.max(0, marked - ROWS_BEFORE);
    int to = Math.min(calls.size(), from + MAX_ROWS);
    if (from > 0) {
      out.append("\n  … ").append(PlainText.count(from, "call"));
    }
    for (RecordedToolCall call : calls.subList(from, to)) {
      out.append(call.index() == marked ? "\n> " : "\n  ")
          .append("call ")
          .append(call.index())
          .append(", ")
          .append(CallText.line(call));
      if (call.call().params().value() != null) {
        out.append(' ').append(Shown.value(call.call().params().value(), PARAMS_WIDTH));
      }
    }
    if (to < calls.size()) {
      out.append("\n  … ").append(PlainText.count(calls.size() - to, "more call"));
    }
    return out.toString();
  }
}
