package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.edit.ForkEdits;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The check of a fork before anything runs. */
final class ForkCheck {

  private final Replay replay;
  private final Fork fork;

  ForkCheck(Replay replay, Fork fork) {
    this.replay = replay;
    this.fork = fork;
  }

  /**
   * Returns the point of the fork.
   *
   * @throws ReplayRefusedException if the recording cannot be forked there, the files on which
   *     tools would work are not known, or a change does not fit the exchange
   */
  ForkPoint point(ForkPoints points, RecordedExchanges recorded, RecordingFacts facts)
      throws IOException {
    ForkPoint point = points.at(fork.line());
    if (point == null) {
      throw refused(
          "line %d is not the line of a call or value%s".formatted(fork.line(), hint(points)));
    } else if (point.refusal() != null) {
      throw refused("%s%s".formatted(point.refusal(), hint(points)));
    }
    requireFitting(recorded, points);
    requireTools(points, facts);
    requireFiles(point, points);
    return point;
  }

  private String hint(ForkPoints points) {
    List<ForkPoint> nearest = points.nearest(fork.line());
    if (nearest.isEmpty()) {
      return "; the recording has no point at which it can be forked";
    }
    String lines =
        nearest.stream().map(each -> String.valueOf(each.line())).collect(Collectors.joining(", "));
    return "; the nearest possible: line " + lines;
  }

  /** Whether a replay has the files at a point, on which executed tools work. */
  static boolean hasFiles(Replay replay, ForkPoint point) {
    return switch (point.files()) {
      case UNCHANGED -> true;
      case RECORDED -> replay.workspace != null;
      case UNKNOWN -> false;
    };
  }

  /** Requires the tools to be in the recording, and those of changed calls to be executable. */
  private void requireTools(ForkPoints points, RecordingFacts facts) throws ReplayRefusedException {
    for (ForkChange change : fork.changes()) {
      if (change instanceof ForkChange.Tool tool
          && !facts.tools.containsKey(tool.name())
          && points.all().stream()
              .noneMatch(point ->
                  point.kind() == ExchangeKind.TOOL_CALL && point.name().equals(tool.name()))) {
        throw refused("the recording has no tool \"%s\"".formatted(tool.name()));
      }
      ForkPoint changed =
          change instanceof ForkChange.RequestValue set ? points.at(set.line()) : null;
      if (changed != null
          && changed.kind() == ExchangeKind.TOOL_CALL
          && replay.answers == null
          && !fork.changesTool(changed.name())
          && !facts
              .action(replay.policy.withMode(ReplayMode.FULL), changed.name())
              .executes()) {
        throw refused(
            ("the changed call of %s on line %d is not executed, because its effect may be external:"
                    + " declare its effect, or replace the tool")
                .formatted(changed.name(), changed.line()));
      }
    }
  }

  private void requireFiles(ForkPoint point, ForkPoints points) throws ReplayRefusedException {
    if (hasFiles(replay, point) || !executesTools(points)) {
      return;
    }
    throw refused(
        point.unknownFiles() == null
            ? "tools are executed, but not in the recorded workspace: Replay.workspace sets it"
            : "tools are executed, but the files at this point are not known: "
                + point.unknownFiles());
  }

  private boolean executesTools(ForkPoints points) {
    ReplayMode mode = replay.policy.mode();
    return mode == ReplayMode.TOOLS_LIVE
        || mode == ReplayMode.FULL
        || !replay.executors.tools().isEmpty()
        || fork.changes().stream().anyMatch(change -> executesTool(change, points));
  }

  private boolean executesTool(ForkChange change, ForkPoints points) {
    if (change instanceof ForkChange.RequestValue set && replay.answers == null) {
      ForkPoint changed = points.at(set.line());
      return changed != null && changed.kind() == ExchangeKind.TOOL_CALL;
    }
    return change instanceof ForkChange.Tool;
  }

  /** Makes the changes once in the recorded exchanges. */
  private void requireFitting(RecordedExchanges recorded, ForkPoints points) throws IOException {
    ForkEdits edits = new ForkEdits(fork);
    Set<Long> left = new TreeSet<>(edits.lines());
    for (ForkChange change : fork.changes()) {
      if (change instanceof ForkChange.Value value) {
        ForkPoint changed = points.at(value.line());
        if (changed == null || changed.kind() != ExchangeKind.VALUE) {
          throw refused("there is no nondeterministic value on line " + value.line());
        }
        left.remove(changed.line());
      }
    }
    for (RecordedExchange exchange : recorded.all()) {
      if (left.remove(exchange.line())) {
        requireFitting(edits, exchange, recorded);
      }
    }
    if (!left.isEmpty()) {
      throw refused("there is nothing to change on line " + left.iterator().next());
    }
  }

  private void requireFitting(
      ForkEdits edits, RecordedExchange exchange, RecordedExchanges recorded) throws IOException {
    try {
      edits.request(recorded.call(exchange), exchange.line(), exchange.agent());
      ReplayEvent result = recorded.result(exchange);
      if (result == null && edits.changesResult(exchange.line())) {
        throw new IllegalArgumentException("the call has no recorded result");
      } else if (result != null) {
        JsonValue value = recorded.resolve(result.content());
        edits.result(Requests.result(result, "", value, result.meta()), exchange.line());
      }
    } catch (IllegalArgumentException unfit) {
      throw refused("a change does not fit the exchange on line %d: %s"
          .formatted(exchange.line(), unfit.getMessage()));
    }
  }

  private ReplayRefusedException refused(String reason) {
    return new ReplayRefusedException(
        ReplayRefusedException.Reason.FORK,
        "%s: cannot be forked at line %d: %s".formatted(replay.session.log(), fork.line(), reason));
  }
}
