package dev.agentreplay.adk;

import com.google.genai.types.Content;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.json.JsonValue;

/** Creates the events of answers that callbacks gave in place of a model. */
final class CallbackAnswer {

  /** The type of these events. */
  static final String TYPE = "before_model_callback";

  private CallbackAnswer() {}

  static RuntimeEvent of(Content content, Lane lane) {
    EventTexts texts = new EventTexts();
    JsonValue payload = GenAiJson.at(texts, "/payload", content);
    return new RuntimeEvent(
        null, TYPE, dev.agentreplay.model.Content.of(payload), null, lane.in(texts.meta()));
  }
}
