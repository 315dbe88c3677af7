package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.RecordedFiles.Change;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.model.FileState;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The recorded changes of files that nothing makes in a replay, because the tool is not run, or
 * there is no agent: they are made in the workspace of the replay where it can make them, and not
 * expected where it cannot. Safe for use by several threads.
 */
final class ServedFiles {

  private final @Nullable WorkspaceCapture workspace;
  private final RecordedFiles recorded;

  /** The lines of the changes that were made in the workspace of the replay. */
  private final Set<Long> made = ConcurrentHashMap.newKeySet();

  /** Whether recorded requests are issued, without an agent that changes files by itself. */
  private volatile boolean isDriven;

  ServedFiles(@Nullable WorkspaceCapture workspace, RecordedFiles recorded) {
    this.workspace = workspace;
    this.recorded = recorded;
  }

  /** States that no agent runs, which could change files by itself. */
  void driven() {
    isDriven = true;
  }

  /** Makes the changes of a call that is served, before its result is recorded. */
  void serve(long call) throws IOException {
    make(recorded.ofCall(call));
  }

  /** Makes the changes that an agent made by itself before a call. */
  void beforeCall(long call) throws IOException {
    if (isDriven) {
      make(recorded.beforeCall(call));
    }
  }

  /** Makes the changes that an agent made by itself after its last call. */
  void atEnd() throws IOException {
    if (isDriven) {
      make(recorded.afterLast());
    }
  }

  private void make(List<Change> changes) throws IOException {
    if (workspace == null || changes.isEmpty()) {
      return;
    }
    List<FileState> left = workspace.apply(changes.stream().map(Change::state).toList());
    for (Change change : changes) {
      if (!left.contains(change.state())) {
        made.add(change.line());
      }
    }
  }

  /**
   * The lines of the recorded changes that are not expected in the session of the replay.
   *
   * @param served the lines of the calls that were served
   */
  Set<Long> notExpected(Set<Long> served) {
    Set<Long> lines = new HashSet<>();
    served.forEach(call -> recorded.ofCall(call).forEach(change -> lines.add(change.line())));
    if (isDriven) {
      lines.addAll(recorded.outsideOfTools());
    }
    lines.removeAll(made);
    return lines;
  }
}
