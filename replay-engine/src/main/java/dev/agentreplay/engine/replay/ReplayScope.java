package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.order.Ordered;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The scope of an agent in a replay. */
final class ReplayScope implements AgentScope, Ordered<AgentScope> {

  private final RequestHandler requests;
  private final ReplayRecording recording;
  private final DeterministicContext context;
  private final Lane lane;

  ReplayScope(
      RequestHandler requests, ReplayRecording recording, DeterministicContext context, Lane lane) {
    this.requests = requests;
    this.recording = recording;
    this.context = context;
    this.lane = lane;
  }

  @Override
  public AgentScope onPlaced(Runnable action) {
    return new ReplayScope(requests, recording, context, lane.withOnPlaced(action));
  }

  @Override
  public JsonValue call(String tool, @Nullable Object params) throws Exception {
    return Requests.output(execute(toolCall(tool, params)));
  }

  @Override
  public JsonValue run(String tool, @Nullable Object params, Callable<?> body) throws Exception {
    return Requests.output(execute(toolCall(tool, params), ToolExecutor.of(body)));
  }

  private ToolCall toolCall(String tool, @Nullable Object params) {
    try {
      return Requests.tool(tool, params);
    } catch (IllegalArgumentException e) {
      throw requests.notStated(lane, Requests.tool(tool), e);
    }
  }

  @Override
  public ToolResult execute(ToolCall call) throws Exception {
    return requests.tool(lane, call, null);
  }

  @Override
  public ToolResult execute(ToolCall call, ToolExecutor executor) throws Exception {
    return requests.tool(lane, call, Objects.requireNonNull(executor, "executor"));
  }

  @Override
  public ModelResult ask(String model, Object prompt, @Nullable Object parameters)
      throws Exception {
    ModelCall call;
    try {
      call = Requests.model(model, prompt, parameters);
    } catch (IllegalArgumentException e) {
      throw requests.notStated(lane, Requests.model(model), e);
    }
    return Requests.succeeded(execute(call, piece -> {}));
  }

  @Override
  public ModelResult execute(ModelCall call, Consumer<String> pieces) throws Exception {
    return requests.model(lane, call, Objects.requireNonNull(pieces, "pieces"), null);
  }

  @Override
  public ModelResult execute(ModelCall call, Consumer<String> pieces, ModelExecutor executor)
      throws Exception {
    return requests.model(
        lane,
        call,
        Objects.requireNonNull(pieces, "pieces"),
        Objects.requireNonNull(executor, "executor"));
  }

  @Override
  public Session recorded() {
    return requests.recorded();
  }

  @Override
  public DeterministicContext context() {
    return lane.agent() == null ? context : context.lane(lane.agent());
  }

  @Override
  public AgentScope agent(String id, @Nullable String parent) {
    return new ReplayScope(
        requests, recording, context, recording.lane(id, parent).withOnPlaced(lane.onPlaced()));
  }

  @Override
  public void emit(ReplayEvent event) {
    Requests.requireStated(event);
    requests.state(lane, event);
  }

  @Override
  public void settings(Settings settings) {
    emit(settings);
  }

  @Override
  public void end(SessionEnd end) {
    requests.requireRunning();
    recording.end(end);
  }
}
