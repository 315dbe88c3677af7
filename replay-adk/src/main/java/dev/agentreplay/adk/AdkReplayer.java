package dev.agentreplay.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.models.BaseLlm;
import com.google.adk.plugins.Plugin;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.adk.AgentToolCalls.Call;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.model.SessionEnd;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays agents of the Agent Development Kit (ADK): answers the model calls and tool calls of a
 * run as a replay says, from a session that {@link AdkRecorder} recorded, or from an imported one,
 * or by executing them.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> new InMemoryRunner(agent, "app", List.of(AdkReplayer.of(scope).plugin()))
 *         .runAsync(user, conversation, message)
 *         .blockingSubscribe());
 * }</pre>
 *
 * <p>The agent is that of the recorded run. For the calls of which the kit tells plugins, its model
 * is called, and a tool is run, only where the policy of the replay executes it, on a thread of the
 * replay: with a recorded answer, no key of the model is needed. In all modes, the kit compacts
 * events with the model, runs code executors, and connects to servers of tools to list their tools;
 * so does an executed tool with the model of an agent if it does not include plugins. None of this
 * is replayed or reported: leave it out of an agent that must not reach its model. Unlike the kit's
 * own plugin, which logs a request that does not match and calls the real model, the run fails with
 * a {@link dev.agentreplay.engine.replay.ReplayMissException}, and the report of the replay says
 * so.
 *
 * <ul>
 *   <li>A recorded answer has its content, finish reason, usage, model version and the other
 *       members of a response. If a model gave several responses with content to one request, wrap
 *       it by {@link #model}, which gives all of them, all but the last one with their content
 *       only; without it, such a run fails. A recorded failure is thrown again, as the same class
 *       if it is one of the JDK, the kit or its client, otherwise as
 *       {@link dev.agentreplay.engine.replay.failure.RecordedFailureException}.
 *   <li>The kit lets a plugin give one response in place of a model: an application that streams
 *       gets the whole answer, not its pieces. If they are needed, wrap the model by
 *       {@link #model}.
 *   <li>A recorded tool repeats its effects: changes of the state, versions of artifacts (not their
 *       contents), deleted artifacts, transfers, escalations and requests for confirmation, but not
 *       for authentication. Its values are those of JSON: an integer is an {@code Integer} if it
 *       fits, a fraction a {@code Double}, an object a map.
 *   <li>Callbacks before and after a model, after its errors, after a tool and after its errors are
 *       called as in a run. Callbacks before a tool are part of the tool, and are called only if it
 *       is executed. An exception of the replay is passed to callbacks for errors of tools, but not
 *       to those of models. An error that a model throws when it is called, before it returns its
 *       answer, is passed to no callback, as in a run; with {@link #model}, to those of models.
 *   <li>A tool that is an agent must be executed for its lane to be replayed:
 *       {@code ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE)}.
 * </ul>
 *
 * <p>A request is answered by the thread of the agent, which waits, as in a tool that blocks; on a
 * thread of RxJava that must not wait, by its scheduler for input and output, and not by an
 * executor of the agent. Tools that run at the same time in a run are executed one after the other;
 * two that wait for each other never end.
 *
 * <p>With the scope of {@link AgentScope#recording}, everything is executed and recorded in the
 * same form as by {@link AdkRecorder}.
 *
 * <p>Safe for use by several threads.
 */
public final class AdkReplayer {

  private final AgentScope scope;
  private final boolean isShared;
  private final RecordingFacts facts;
  private final AgentLanes lanes;
  private final RequestForms requests = new RequestForms();
  private final AgentToolCalls<AdkReplayer> agentTools = new AgentToolCalls<>();
  private final Map<String, PendingModelCall> pending = new ConcurrentHashMap<>();
  private final Set<String> nested = ConcurrentHashMap.newKeySet();
  private final Set<String> begun = ConcurrentHashMap.newKeySet();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final Plugin plugin = new ReplayerPlugin(this);

  /** The newest final text of the run. */
  private volatile @Nullable String finalText;

  /** Whether the end of the session is stated. */
  private volatile boolean hasEnded;

  private AdkReplayer(AgentScope scope, boolean isShared) {
    this.scope = Objects.requireNonNull(scope, "scope");
    this.isShared = isShared;
    this.facts = RecordingFacts.of(scope.recorded());
    this.lanes = new AgentLanes(facts::isMain);
  }

  /**
   * Creates a replayer of a session that was recorded for one run, as by
   * {@link AdkRecorder#into(java.nio.file.Path)}. The end of the run is that of the session:
   * {@link AgentScope#end} is called.
   *
   * @throws java.io.UncheckedIOException if the recording cannot be read
   */
  public static AdkReplayer of(AgentScope scope) {
    return new AdkReplayer(scope, false);
  }

  /**
   * Creates a replayer of a session of several runs, as by
   * {@link AdkRecorder#into(dev.agentreplay.io.recording.SessionRecorder)}, or an imported one. The
   * caller states its end.
   *
   * @throws java.io.UncheckedIOException if the recording cannot be read
   */
  public static AdkReplayer ofShared(AgentScope scope) {
    return new AdkReplayer(scope, true);
  }

  /** The plugin to register in the runner or app, as the first one. */
  public Plugin plugin() {
    return plugin;
  }

  /**
   * Wraps the model of an agent, so that a recorded stream arrives in its pieces if the run
   * streams. The agent must run with {@link #plugin()}.
   *
   * @param model the model, which is called only where the replay executes it
   */
  public BaseLlm model(BaseLlm model) {
    return new ReplayedModel(this, Objects.requireNonNull(model, "model"));
  }

  AgentToolCalls<AdkReplayer> agentTools() {
    return agentTools;
  }

  RequestForms requests() {
    return requests;
  }

  AgentLanes lanes() {
    return lanes;
  }

  RecordingFacts facts() {
    return facts;
  }

  Map<String, PendingModelCall> pending() {
    return pending;
  }

  void finalText(String text) {
    finalText = text;
  }

  /** The scope of a lane. */
  AgentScope scope(Lane lane) {
    return lane.agent() == null ? scope : scope.agent(lane.agent(), lane.parent());
  }

  /** The lane of an agent in an invocation, which begins with its first callback. */
  Lane lane(InvocationContext invocation, String agent) {
    begin(invocation);
    return lanes.of(invocation.invocationId(), agent);
  }

  void begin(InvocationContext invocation) {
    String id = invocation.invocationId();
    if (!begun.add(id)) {
      return;
    }
    ended.remove(id);
    Call<AdkReplayer> starting = agentTools.take(invocation);
    if (starting == null) {
      if (hasEnded) {
        throw new IllegalStateException(
            "the first run has ended the session; several runs in one session are recorded by"
                + " AdkRecorder.into(SessionRecorder), and replayed by AdkReplayer.ofShared(scope)");
      }
      lanes.begin(id, invocation.agent().name());
    } else {
      nested.add(id);
      lanes.beginNested(id, invocation.agent().name(), starting.id());
    }
  }

  void ended(InvocationContext invocation, @Nullable Throwable error) {
    String id = invocation.invocationId();
    if (!ended.add(id)) { // a callback after the end has failed
      return;
    }
    begun.remove(id);
    lanes.end(id);
    pending.values().removeIf(call -> call.invocation().equals(id));
    if (!nested.remove(id) && !isShared && !hasEnded) {
      hasEnded = true;
      SessionEnd end =
          error == null ? SessionForms.completed(finalText) : SessionForms.failed(error);
      scope.end(end);
    }
  }
}
