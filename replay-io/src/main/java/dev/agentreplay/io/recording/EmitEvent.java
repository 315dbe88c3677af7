package dev.agentreplay.io.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * What Java Flight Recorder is told of an event that was emitted, when it is asked for
 * {@code dev.agentreplay.Emit}: how long it took, never what is in it.
 */
@Name("dev.agentreplay.Emit")
@Label("Emit")
@Category("Agent Replay")
@Description("An event was written to a log")
@Enabled(false)
@Threshold("10 ms")
@StackTrace(false)
final class EmitEvent extends Event {

  @Label("Kind")
  @Description("The kind of the event")
  String kind = "";

  @Label("Length")
  @Description("The length of its line")
  @DataAmount
  int bytes;

  @Label("Waited")
  @Description("Whether the event was forced to the disk")
  boolean forced;
}
