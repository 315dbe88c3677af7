package dev.agentreplay.engine.replay;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The Java Flight Recorder event {@code dev.agentreplay.ReplayExchange}, disabled by default: the
 * duration of an exchange, and how it was answered, never its content.
 */
@Name("dev.agentreplay.ReplayExchange")
@Label("Replay Exchange")
@Category("Agent Replay")
@Description("A request of a replay was answered")
@Enabled(false)
@StackTrace(false)
final class ReplayExchangeEvent extends Event {

  @Label("Session")
  @Description("The id of the recorded session, or the path of its log")
  String session = "";

  @Label("Kind")
  @Description("The kind of the exchange")
  String kind = "";

  @Label("Name")
  @Description("The tool, the model or the source of the value")
  String name = "";

  @Label("Result")
  @Description("The result of the request, as in the ledger")
  String result = "";

  @Label("Match")
  @Description("The rule by which it was matched; null if it was not")
  @Nullable
  String match;

  @Label("Line")
  @Description("The line of the matched exchange in the recording; 0 if there is none")
  long line;
}
