package dev.agentreplay.engine.replay;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent that makes the requests of a recording, of which one may be changed. If one is changed,
 * it catches all exceptions, and makes the others.
 */
final class RepeatingAgent implements ReplayAgent {

  private final Session session;
  private final int changed;

  /** The lines of the calls that it made. */
  final List<Long> lines = new ArrayList<>();

  RepeatingAgent(Session session) {
    this(session, -1);
  }

  /**
   * Creates an agent that changes a request.
   *
   * @param changed the number of the call, from 0; negative for none
   */
  RepeatingAgent(Session session, int changed) {
    this.session = session;
    this.changed = changed;
  }

  @Override
  public void run(AgentScope scope) throws IOException, Exception {
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        String agent = line.event().meta().agent();
        AgentScope lane =
            agent == null ? scope : scope.agent(agent, line.event().meta().parent());
        boolean isChanged = lines.size() == changed;
        try {
          if (line.event() instanceof ToolCall call) {
            lines.add(line.position().line());
            lane.execute(isChanged ? call.withParams(changed(call.params())) : call);
          } else if (line.event() instanceof ModelCall call) {
            lines.add(line.position().line());
            lane.execute(isChanged ? call.withPrompt(changed(call.prompt())) : call, piece -> {});
          }
        } catch (Exception e) {
          if (changed < 0) {
            throw e;
          }
        }
      }
    }
  }

  private Content changed(Content content) throws IOException {
    JsonValue value = session.resolve(content);
    JsonObject object = value instanceof JsonObject given ? given : JsonObject.EMPTY;
    return Content.of(object.with("changed by the test", true));
  }
}
