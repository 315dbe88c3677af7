package dev.agentreplay.engine.replay;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The Java Flight Recorder event {@code dev.agentreplay.Replay}, disabled by default: the duration
 * and the result of a replay.
 */
@Name("dev.agentreplay.Replay")
@Label("Replay")
@Category("Agent Replay")
@Description("A replay ended with a report")
@Enabled(false)
@StackTrace(false)
final class ReplayEndEvent extends Event {

  @Label("Session")
  @Description("The id of the recorded session, or the path of its log")
  String session = "";

  @Label("Mode")
  @Description("The mode of the replay")
  String mode = "";

  @Label("Verdict")
  @Description("The verdict of the replay")
  String verdict = "";

  @Label("Requests")
  @Description("The number of requests of the agent")
  long requests;

  @Label("Divergences")
  @Description("The number of divergences from the recording")
  long divergences;
}
