package dev.agentreplay.io.workspace;

import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Captures the workspace of an agent while its session is recorded. A recorder whose
 * {@link Circumstances#withWorkspace circumstances} have one calls it when the session starts,
 * around each tool call, and when the session ends:
 *
 * <pre>
 * capture      the snapshot is the setting "workspace"
 * beforeTool   before the call is written, and the tool runs; the files are written before the call
 * afterTool    when the tool has returned or thrown; the files are written before its result
 * atEnd        the files are written before the end of the session, or before the log is closed
 * </pre>
 *
 * <p>Each change is returned once, by the first of these methods that is called after it; a change
 * that could not be returned because the method failed is returned by a later one. The changes of
 * tools that run at the same time cannot be distinguished by the files alone. A recorder calls the
 * methods one at a time, from the threads of its callers. It adds the agent of the call to the
 * files of a tool.
 *
 * <p>A failure of {@link #capture} makes the start of the recording fail. Those of the other
 * methods, also unchecked exceptions, are reported as the recorder's {@code FailurePolicy}
 * specifies: with {@code FAIL} a failure before the tool is thrown, the call is not recorded and
 * its tool not run by {@code run}, a failure after the tool is thrown by a later call of the
 * recorder, and one at the end by the method that ends or closes the recording, which does the rest
 * when it is called again; with {@code DEGRADE} none is thrown. Files that are missing at one of
 * these places are counted as one unrecorded event.
 */
public interface WorkspaceCapture {

  /**
   * Captures the state of the workspace, when a session is started or resumed.
   *
   * @param session the directory of the session, which may hold the captured files
   */
  WorkspaceSnapshot capture(Path session) throws IOException;

  /**
   * Returns the files that have changed outside of tools, in the order in which they are to be
   * recorded. While another tool runs, they may be its changes. If the call cannot be recorded,
   * {@link #afterTool} is not called for it.
   */
  List<FileState> beforeTool(ToolCall call) throws IOException;

  /**
   * Returns the files that have changed since the last of these calls, in the order in which they
   * are to be recorded.
   *
   * @param callId the id of the call
   */
  List<FileState> afterTool(String callId) throws IOException;

  /**
   * Returns the files that have changed since the last of these calls, in the order in which they
   * are to be recorded. Not called once the session has ended.
   */
  List<FileState> atEnd() throws IOException;

  /**
   * Makes changes that were recorded for a call whose tool is not run, because a replay serves its
   * recorded result: tools that run later find the files as they were. {@link #afterTool} then
   * returns them.
   *
   * @param changes the recorded changes, in the order of the recording
   * @return those that were not made, because their contents were not recorded; by default all
   * @throws IOException if a change cannot be made, or would be outside of the workspace
   */
  default List<FileState> apply(List<FileState> changes) throws IOException {
    return changes;
  }

  /**
   * Returns the paths of the files and directories that could not be read when the workspace was
   * scanned last, so that changes of their contents are not known; by default none. A replay
   * reports them.
   */
  default List<String> unreadable() {
    return List.of();
  }
}
