package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.replay.execution.AnswerSource;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ParameterCheck;
import dev.agentreplay.engine.replay.execution.SchemaCompiler;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnCircumstance;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recorded session: runs its agent again on recorded or live models and tools, and
 * reports each difference from the recording. The recording is only read.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(Session.open(directory))
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> scope.call("read_file", Map.of("path", "src/auth.rs")));
 * System.out.println(report.headline());
 * }</pre>
 *
 * <p>A replay that ends with {@link ReplayVerdict#IDENTICAL} made the same requests in the same
 * order and left none of the recorded ones out. The verdict does not depend on exceptions that an
 * agent may catch.
 *
 * <p>A replay runs once, unless its mode is {@code VALIDATION}. It is not for use by several
 * threads; its {@link ReplayControl} is. Any number of replays may run at the same time, also of
 * one recording.
 */
public final class Replay {

  /**
   * The name of the ledger in the directory of a replay: a JSON object a line for each request,
   * written when it is answered.
   */
  public static final String LEDGER_NAME = "LEDGER.jsonl";

  final Session session;
  ReplayPolicy policy = ReplayPolicy.of(ReplayMode.VALIDATION);
  Executors executors = Executors.none();

  @Nullable
  SchemaCompiler recordedSchemas;

  @Nullable
  Session against;

  @Nullable
  Fork fork;

  @Nullable
  AnswerSource answers;

  @Nullable
  Path directory;

  DiffOptions comparison = DiffOptions.defaults();
  VerifyPolicy verification = VerifyPolicy.defaults();
  OnUnmatched onUnmatched = OnUnmatched.STOP;
  boolean stopsOnDivergence;
  boolean isForced;
  ReplayTimeouts timeouts = ReplayTimeouts.defaults();
  ReplayBudget budget = ReplayBudget.unlimited();
  StreamPace pace = StreamPace.AT_ONCE;

  @Nullable
  Circumstances circumstances;

  @Nullable
  WorkspaceCapture workspace;

  Supplier<Isolation> isolation = () -> Isolation.NO_PROGRAMS;

  @Nullable
  Long seed;

  ReplayControl control = new ReplayControl();

  /** The time that an agent, and a tool or model, has to return after it was interrupted. */
  Duration grace = Duration.ofSeconds(5);

  System.@Nullable Logger logger;

  @Nullable
  ReplayMetrics metrics;

  final Map<String, OnCircumstance> behaviors = new HashMap<>();
  final List<ReplayListener> listeners = new ArrayList<>();

  private Replay(Session session) {
    this.session = session;
  }

  /** Creates a replay of a session in the mode {@link ReplayMode#VALIDATION}. */
  public static Replay of(Session session) {
    return new Replay(Objects.requireNonNull(session, "session"));
  }

  /** Sets the mode: its preset as the policy, with the declared effects and the named tools. */
  public Replay mode(ReplayMode mode) {
    return policy(policy.withMode(mode));
  }

  /** Sets the policy, and with it the mode. */
  public Replay policy(ReplayPolicy newPolicy) {
    policy = Objects.requireNonNull(newPolicy, "policy");
    return this;
  }

  /** Sets the executors of tools and the model. */
  public Replay executors(Executors newExecutors) {
    executors = Objects.requireNonNull(newExecutors, "executors");
    return this;
  }

  /** Adds the executor of a tool, and declares its effect. */
  public Replay tool(String tool, Effect effect, ToolExecutor executor) {
    policy = policy.withEffect(tool, effect);
    executors = executors.withTool(tool, executor);
    return this;
  }

  /** Adds a check of the parameters of a tool, before it is executed. */
  public Replay check(String tool, ParameterCheck check) {
    executors = executors.withCheck(tool, check);
    return this;
  }

  /**
   * Sets the compiler of the schemas that the recording states for its tools: the parameters of a
   * tool that is executed and has no check of its own are checked against them. Null, the default,
   * for no such checks.
   */
  public Replay recordedSchemas(@Nullable SchemaCompiler compiler) {
    recordedSchemas = compiler;
    return this;
  }

  /** Sets the executor of models. */
  public Replay model(ModelExecutor executor) {
    executors = executors.withModel(executor);
    return this;
  }

  /**
   * Sets another recording that the mode {@link ReplayMode#VALIDATION} compares with this one. It
   * is verified, too: one that is not valid is refused, unless the replay is {@linkplain #force
   * forced}.
   */
  public Replay against(@Nullable Session other) {
    against = other;
    return this;
  }

  /**
   * Forks the recording: what is before a point is served, whatever the mode, and must be requested
   * as it was recorded. From there on the agent gets the changes of the fork; what they do not
   * concern is executed where the mode executes it, and served where the request is still equal. A
   * different request is executed if there is an executor, and the tool is not
   * {@link Effect#EXTERNAL}. Null, the default, for no fork.
   *
   * <p>The session of the replay states the fork in its header, as
   * {@link dev.agentreplay.model.ForkOrigin}. A fork without a change that ends
   * {@link ReplayVerdict#IDENTICAL} is the control run.
   */
  public Replay fork(@Nullable Fork newFork) {
    fork = newFork;
    return this;
  }

  /**
   * Sets the source of answers to requests of a {@linkplain #fork fork} that differ from the
   * recorded ones, or are changed: they are served, and executed only if it has none. Null, the
   * default, for no source.
   */
  public Replay answers(@Nullable AnswerSource source) {
    answers = source;
    return this;
  }

  /**
   * Sets the directory in which the session of the replay is recorded, with the ledger
   * {@value #LEDGER_NAME}; null, the default, for a temporary one that is deleted at the end.
   */
  public Replay directory(@Nullable Path newDirectory) {
    directory = newDirectory;
    return this;
  }

  /** Returns the options by which results are compared, and requests are matched. */
  public DiffOptions comparison() {
    return comparison;
  }

  /** Sets the options by which results are compared, and requests are matched. */
  public Replay comparison(DiffOptions options) {
    comparison = Objects.requireNonNull(options, "options");
    return this;
  }

  /** Sets the policy by which the recording is verified before it is replayed. */
  public Replay verification(VerifyPolicy newPolicy) {
    verification = Objects.requireNonNull(newPolicy, "policy");
    return this;
  }

  /** Sets the behavior when the recording has no answer to a request. */
  public Replay onUnmatched(OnUnmatched behavior) {
    onUnmatched = Objects.requireNonNull(behavior, "behavior");
    return this;
  }

  /** Sets whether the replay stops when the first result differs from the recorded one. */
  public Replay stopOnDivergence(boolean stops) {
    stopsOnDivergence = stops;
    return this;
  }

  /**
   * Sets whether a recording is replayed that is not valid, or has a version that is not supported.
   */
  public Replay force(boolean force) {
    isForced = force;
    return this;
  }

  /** Sets the time-outs. */
  public Replay timeouts(ReplayTimeouts newTimeouts) {
    timeouts = Objects.requireNonNull(newTimeouts, "timeouts");
    return this;
  }

  /** Sets the budget. */
  public Replay budget(ReplayBudget newBudget) {
    budget = Objects.requireNonNull(newBudget, "budget");
    return this;
  }

  /** Sets the pace of recorded streams. */
  public Replay pace(StreamPace newPace) {
    pace = Objects.requireNonNull(newPace, "pace");
    return this;
  }

  /**
   * Sets the present circumstances, which are compared with the recorded ones before anything runs;
   * {@link Circumstances#defaults} if they are not set.
   */
  public Replay circumstances(Circumstances present) {
    circumstances = Objects.requireNonNull(present, "circumstances");
    return this;
  }

  /**
   * Sets the behavior when a circumstance differs from the recorded one, or is recorded and cannot
   * be compared, because {@link #circumstances}, or for {@code tools} the executors, do not state
   * it. What only the agent shows, such as values that were not recorded, is not known before it
   * runs, and is not refused. A replay throws an
   * {@link dev.agentreplay.engine.replay.policy.UnknownCircumstanceException} for a name that
   * neither this library nor the recording knows, unless it is only reported.
   *
   * @param name the name of the circumstance, such as {@code model} or {@code versions.runtime}, or
   *     the part before the period, such as {@code versions}
   */
  public Replay onCircumstance(String name, OnCircumstance behavior) {
    behaviors.put(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(behavior, "behavior"));
    return this;
  }

  /** Whether all circumstances leave the verdict as it is. */
  boolean accepts(List<Circumstance> circumstances) {
    return circumstances.stream()
        .allMatch(circumstance -> behavior(circumstance.name()) == OnCircumstance.REPORT);
  }

  OnCircumstance behavior(String name) {
    int period = name.indexOf('.');
    OnCircumstance ofGroup = period < 0 ? null : behaviors.get(name.substring(0, period));
    return behaviors.getOrDefault(name, ofGroup == null ? OnCircumstance.REPORT : ofGroup);
  }

  /** Sets the seed of models and of values that were not recorded, in place of the recorded one. */
  public Replay seed(@Nullable Long newSeed) {
    seed = newSeed;
    return this;
  }

  /** Sets the control by which other threads pause or abort the replay. */
  public Replay control(ReplayControl newControl) {
    control = Objects.requireNonNull(newControl, "control");
    return this;
  }

  /**
   * Sets the logger of the replay; without one it is that of the name
   * {@code dev.agentreplay.engine.replay}. The parameters of each message are the name of an event
   * and a {@link dev.agentreplay.model.json.JsonObject} with its fields. What it throws reaches the
   * caller of what it logs: the agent, or the caller of the replay.
   */
  public Replay logger(System.Logger newLogger) {
    logger = Objects.requireNonNull(newLogger, "logger");
    return this;
  }

  /** Sets the metrics that measure the replay; null, the default, for none. */
  public Replay metrics(@Nullable ReplayMetrics newMetrics) {
    metrics = newMetrics;
    return this;
  }

  /**
   * Sets the capture of the workspace on which the replay works: files that change are recorded,
   * and compared with the recorded changes. The changes of a tool whose recorded result is served
   * are {@linkplain WorkspaceCapture#apply made} by the capture, before the result is returned, or
   * not compared if it cannot make them; a circumstance counts those. Null, the default, for none.
   */
  public Replay workspace(@Nullable WorkspaceCapture capture) {
    workspace = capture;
    return this;
  }

  /**
   * Sets the isolation of programs; the supplier is called when the report is made. By default none
   * is started.
   */
  public Replay isolation(Supplier<Isolation> newIsolation) {
    isolation = Objects.requireNonNull(newIsolation, "isolation");
    return this;
  }

  /** Adds a listener. */
  public Replay listener(ReplayListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /**
   * Replays the session with an agent, which runs on a thread of its own.
   *
   * @throws IllegalStateException if the mode does not take an agent
   * @throws ReplayRefusedException if the recording cannot be replayed
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the recording cannot be read
   * @throws IOException if the recording cannot be read, or the replay cannot be written
   * @throws InterruptedException if this thread is interrupted; the replay is aborted then
   */
  public ReplayReport run(ReplayAgent agent) throws IOException, InterruptedException {
    Objects.requireNonNull(agent, "agent");
    ReplayMode mode = policy.mode();
    if (!mode.takesAgent()) {
      throw new IllegalStateException(
          "a replay in the mode %s has no agent: use run()".formatted(mode.id()));
    }
    return RunningReplay.start(this, false).run(agent);
  }

  /**
   * Replays the session without an agent: in the mode {@link ReplayMode#VALIDATION} it is verified,
   * in {@link ReplayMode#FULL} and {@link ReplayMode#NODE} the recorded requests are issued in
   * order.
   *
   * @throws IllegalStateException if the mode needs an agent
   * @throws IOException as {@link #run(ReplayAgent)} throws it
   * @throws InterruptedException as {@link #run(ReplayAgent)} throws it
   */
  public ReplayReport run() throws IOException, InterruptedException {
    ReplayMode mode = policy.mode();
    if (fork != null && mode != ReplayMode.FULL) {
      throw new IllegalStateException("a fork needs an agent: use run(agent)");
    }
    if (mode.needsAgent()) {
      throw new IllegalStateException(
          "a replay in the mode %s needs an agent: use run(agent)".formatted(mode.id()));
    }
    return mode == ReplayMode.VALIDATION
        ? Validation.of(this).run()
        : RunningReplay.start(this, false).runRecordedRequests();
  }

  /**
   * Starts a replay whose agent runs on threads of the caller, such as that of a test. The caller
   * ends it with {@link ActiveReplay#finish}. It has no overall time-out unless one is set.
   *
   * @throws IllegalStateException if the mode does not take an agent
   * @throws IOException as {@link #run(ReplayAgent)} throws it
   */
  public ActiveReplay start() throws IOException {
    ReplayMode mode = policy.mode();
    if (!mode.takesAgent()) {
      throw new IllegalStateException(
          "a replay in the mode %s has no agent: use run()".formatted(mode.id()));
    }
    return new ActiveReplay(RunningReplay.start(this, true));
  }
}
