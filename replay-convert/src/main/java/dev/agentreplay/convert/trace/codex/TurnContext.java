package dev.agentreplay.convert.trace.codex;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** The model that answers, with its parameters. It may change while an answer is collected. */
final class TurnContext {

  private @Nullable String nextModel;
  private JsonObject nextParameters = JsonObject.EMPTY;
  private @Nullable String model;
  private JsonObject parameters = JsonObject.EMPTY;

  /** Takes the model of the next answers from a record, if it states one. */
  void set(CodexItem item) {
    String stated = item.text("model");
    if (stated != null) {
      item.derive("ModelCall/model", "model");
      nextModel = stated;
    }
    JsonValue effort = item.get("effort");
    if (effort != null) {
      item.derive("ModelCall/parameters", "effort");
      nextParameters = JsonObject.of("reasoning_effort", effort);
    }
  }

  /** States that an answer begins. */
  void begin() {
    model = nextModel;
    parameters = nextParameters;
  }

  /** The model of the answer; null if the source does not state it. */
  @Nullable
  String model() {
    return model;
  }

  /** The parameters of the answer. */
  Parameters parameters() {
    return new Parameters(parameters);
  }
}
