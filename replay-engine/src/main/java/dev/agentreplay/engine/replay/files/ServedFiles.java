package dev.agentreplay.engine.replay.files;

import dev.agentreplay.engine.replay.files.RecordedFiles.Change;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.model.FileState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The recorded changes of files that nothing makes in a replay, because the tool is not run, or
 * there is no agent: they are made in the workspace of the replay where it can make them, and not
 * expected where it cannot. Safe for use by several threads.
 */
public final class ServedFiles {

  private final @Nullable WorkspaceCapture workspace;
  private final RecordedFiles recorded;

  /** The lines of the changes that were made in the workspace of the replay. */
  private final Set<Long> made = ConcurrentHashMap.newKeySet();

  /** Whether recorded requests are issued, without an agent that changes files by itself. */
  private volatile boolean isDriven;

  public ServedFiles(@Nullable WorkspaceCapture workspace, RecordedFiles recorded) {
    this.workspace = workspace;
    this.recorded = recorded;
  }

  /** States that no agent runs, which could change files by itself. */
  public void driven() {
    isDriven = true;
  }

  /** Makes the changes of a call that is served, before its result is recorded. */
  public void serve(long call) throws IOException {
    make(recorded.ofCall(call));
  }

  /** Makes the changes that an agent made by itself before a call. */
  public void beforeCall(long call) throws IOException {
    if (isDriven) {
      make(recorded.beforeCall(call));
    }
  }

  /** Makes the changes that an agent made by itself after its last call. */
  public void atEnd() throws IOException {
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
   * The recorded changes that are not expected in the session of the replay: the path of each, by
   * its line.
   *
   * @param served the lines of the calls that were served
   */
  public Map<Long, String> notExpected(Set<Long> served) {
    List<Change> changes = new ArrayList<>();
    served.forEach(call -> changes.addAll(recorded.ofCall(call)));
    if (isDriven) {
      changes.addAll(recorded.outsideOfTools());
    }
    Map<Long, String> paths = new HashMap<>();
    for (Change change : changes) {
      if (!made.contains(change.line())) {
        paths.put(change.line(), change.state().path());
      }
    }
    return paths;
  }
}
