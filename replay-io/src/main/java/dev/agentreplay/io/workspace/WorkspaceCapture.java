package dev.agentreplay.io.workspace;

import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Captures the workspace of an agent while its session is recorded. A recorder whose
 * {@link Circumstances#withWorkspace circumstances} have one calls it when the session starts, and
 * around each tool call:
 *
 * <pre>
 * capture      the snapshot is the setting "workspace"
 * beforeTool   before the call is written, and the tool runs
 * afterTool    when the tool has returned or thrown; the files are written before its result
 * </pre>
 *
 * <p>Implementations must be safe for use by several threads if the agent runs tools in parallel.
 * The changes of tools that run at the same time cannot be distinguished by the files alone; each
 * change should be reported once.
 *
 * <p>A failure of {@link #capture} makes the start of the recording fail. Those of the other
 * methods, also unchecked exceptions, are reported as the recorder's {@code FailurePolicy}
 * specifies: with {@code FAIL} a failure before the tool is thrown, the call is not recorded and
 * its tool not run by {@code run}, and a failure after the tool is thrown by a later call of the
 * recorder; with {@code DEGRADE} neither is thrown. A call whose files are missing is counted as
 * one unrecorded event.
 */
public interface WorkspaceCapture {

  /**
   * Captures the state of the workspace, when a session is started or resumed.
   *
   * @param session the directory of the session, which may hold the captured files
   */
  WorkspaceSnapshot capture(Path session) throws IOException;

  /**
   * Prepares for the call of a tool. If the call cannot be recorded, {@link #afterTool} is not
   * called for it.
   */
  void beforeTool(ToolCall call) throws IOException;

  /**
   * Returns the files that have changed since {@link #beforeTool}, in the order in which they are
   * to be recorded.
   *
   * @param callId the id of the call
   */
  List<FileState> afterTool(String callId) throws IOException;
}
