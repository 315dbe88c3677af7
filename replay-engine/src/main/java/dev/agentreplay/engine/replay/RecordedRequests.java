package dev.agentreplay.engine.replay;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Issues the requests of a recording in order, in place of an agent. */
final class RecordedRequests {

  private final Session session;

  RecordedRequests(Session session) {
    this.session = session;
  }

  /** Issues all requests, whatever becomes of them, until the replay is stopped. */
  void run(AgentScope main) throws Exception {
    Map<@Nullable String, AgentScope> lanes = new HashMap<>();
    lanes.put(null, main);
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        ReplayEvent event = line.event();
        String agent = event.meta().agent();
        String parent = event.meta().parent();
        if (event instanceof ToolCall || event instanceof ModelCall) {
          issue(lanes.computeIfAbsent(agent, id -> main.agent(String.valueOf(id), parent)), event);
        }
      }
    }
  }

  private void issue(AgentScope scope, ReplayEvent event) {
    Content content = full(event.content());
    try {
      if (event instanceof ToolCall call) {
        scope.execute(call.withParams(content));
      } else {
        scope.execute(((ModelCall) event).withPrompt(content), piece -> {});
      }
    } catch (ReplayStoppedException stopped) {
      throw stopped;
    } catch (Exception failed) { // InterruptedException is one of the tool, or the replay stops
      // the ledger has it, and later requests do not depend on it
    }
  }

  /** The content with its value; as it is in the log if its blob cannot be read. */
  private Content full(Content content) {
    try {
      JsonValue value = session.resolve(content);
      return value == null ? content : Content.of(value);
    } catch (IOException damaged) { // since the recording was checked
      return content;
    }
  }
}
