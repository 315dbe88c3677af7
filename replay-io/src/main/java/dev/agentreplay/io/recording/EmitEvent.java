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
 * The Java Flight Recorder event {@code dev.agentreplay.Emit}, disabled by default: the duration of
 * an emit, never the content of the event.
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
  @Description("Whether the event was forced to disk")
  boolean forced;
}
