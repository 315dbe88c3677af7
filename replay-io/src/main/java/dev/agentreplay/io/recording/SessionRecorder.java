package dev.agentreplay.io.recording;

import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.FileChange;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records a session in a directory: its log while it happens, and its receipt at the end. An
 * agent's runtime calls it inline, between the model and its tools; safe for use by several
 * threads. Parameters, an output, prompt, answer or payload larger than
 * {@link RecorderOptions#blobThreshold} are stored in a blob next to the log, and the event has
 * their hash, their length and a preview; in the dialect {@code draft}, parameters and outputs
 * always stay in the log.
 *
 * <p>Closing without {@link #end} leaves the log open: no end is invented, and no receipt is
 * written. {@link #resume} continues the session, also after the process has crashed.
 *
 * <p>A failure to write an event is reported as an {@link IOException}, unless the
 * {@link FailurePolicy} is {@link FailurePolicy#DEGRADE}: then the agent continues,
 * {@link #unrecordedEvents} counts the missing events, log and receipt state them, and of the
 * methods only {@link #start}, {@link #resume}, {@link #session} and {@link #sync} throw an
 * {@code IOException}; {@link #end} and {@link #close} do only after an Error. Likewise,
 * {@link #call(String, Object)}, {@link #effect}, {@link #retry}, {@link #modelCall(String, Object,
 * Object)}, {@link #run} and the methods that record a result do not throw if a value cannot be
 * recorded, or the session has ended. The methods that take an event always refuse one that would
 * make the session invalid.
 *
 * <p>With either policy, {@link #run} returns the value that its tool returned, or throws the
 * exception that it threw. With {@link FailurePolicy#FAIL} the tool is not run if its call cannot
 * be recorded; if the returned value cannot be recorded, a later call of this recorder throws; if
 * the tool threw, the failure to record is suppressed in the tool's exception.
 */
public final class SessionRecorder implements Closeable {

  private final Path directory;
  private final ReplayWriter writer;
  private final RecordingWriter events;
  private final OpenCalls tools;
  private final OpenCalls models;
  private final LossLog losses;
  private final SessionEnding ending;
  private final DeterministicContext context;
  private final LongSupplier nanoTime;

  /** The recorder of the events without an agent. */
  private final AgentRecorder root;

  private final List<PendingCall> interruptedCalls;
  private final List<PendingModelCall> interruptedModelCalls;

  SessionRecorder(
      RecordingStart start, ReplayWriter writer, SessionAccount account, LongSupplier nanoTime) {
    RecorderOptions options = start.options;
    this.directory = start.directory;
    this.writer = writer;
    this.tools = start.tools;
    this.models = start.models;
    this.nanoTime = nanoTime;
    this.losses = new LossLog(writer, start.redaction);
    this.events = new RecordingWriter(start, writer, losses);
    this.ending = new SessionEnding(start, writer, events, account, losses);
    this.root = AgentRecorder.root(start, events, losses, nanoTime);
    this.interruptedCalls = root.interruptedCalls();
    this.interruptedModelCalls = root.interruptedModelCalls();
    this.context = DeterministicContext.of(
        options.context(),
        options.context().records() ? ContextValues.recorded(this::record) : ContextValues.live(),
        start.position);
    start.context = context;
  }

  /**
   * Starts recording with the default options.
   *
   * @param directory the directory of the session; created if it is missing
   */
  public static SessionRecorder start(Path directory, String sessionId) throws IOException {
    return start(directory, SessionStart.of(sessionId), RecorderOptions.defaults());
  }

  /**
   * Starts recording. The beginning of the log is forced to disk (fsync) before this method
   * returns.
   *
   * @param directory the directory of the session; created if it is missing
   * @throws FileAlreadyExistsException if the directory already contains a session: a log,
   *     compressed or not, or a receipt. A log without a complete event after its header, as an
   *     interrupted start leaves it, is replaced; a torn line is kept as
   *     {@link dev.agentreplay.io.log.LogRecovery#repair()} does
   * @throws IllegalArgumentException if the start has no session id, or a blank one
   */
  public static SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
      throws IOException {
    LocalDisk.createDirectories(directory);
    return start(LocalDisk.INSTANCE, directory, start, options);
  }

  /**
   * Starts recording in a new directory with the default options, as {@link #startIn(Path,
   * SessionStart, RecorderOptions)} does.
   *
   * @param name the beginning of the name of the directory, such as that of the task
   */
  public static SessionRecorder startIn(Path sessions, String name) throws IOException {
    return startIn(sessions, SessionStart.of(name), RecorderOptions.defaults());
  }

  /**
   * Starts recording in a new directory, for a program that runs several times. The name of the
   * directory, which is also the id of the session, is the id in the start, the time in UTC, and a
   * number if another session has both: {@code fix-auth-20260113T100000Z},
   * {@code fix-auth-20260113T100000Z-2}.
   *
   * @param sessions the parent of the directory; created if it is missing
   * @throws IllegalArgumentException if the start has no session id, or one that is blank or has a
   *     control character or one of {@code / \ : * ? " < > |}
   */
  public static SessionRecorder startIn(Path sessions, SessionStart start, RecorderOptions options)
      throws IOException {
    String name = RecordingStart.requireId(start);
    NewDirectory created =
        NewDirectory.create(sessions, name, RecordingStart.clock(options).instant());
    try {
      return start(created.path(), created.named(start), options);
    } catch (Throwable e) {
      created.deleteIfEmpty();
      throw e;
    }
  }

  static SessionRecorder start(
      Disk disk, Path directory, SessionStart start, RecorderOptions options) throws IOException {
    RecordingStart recording = new RecordingStart(disk, directory, options);
    return recording.start(start, recording.nanoTime());
  }

  /**
   * Resumes a session that has not ended: recovers its log after a crash, and appends to it, as
   * {@link ReplayWriter#append} does. Calls that have no result yet can still get one:
   * {@link #interruptedCalls}, {@link #interruptedModelCalls}.
   *
   * @param options the options; the producer, the canonicalization and the dialect are those of the
   *     log instead
   * @throws FileAlreadyExistsException if the session already has a receipt
   * @throws IOException as {@code ReplayWriter.append} throws it
   */
  public static SessionRecorder resume(Path directory, RecorderOptions options) throws IOException {
    return resume(LocalDisk.INSTANCE, directory, options);
  }

  static SessionRecorder resume(Disk disk, Path directory, RecorderOptions options)
      throws IOException {
    RecordingStart recording = new RecordingStart(disk, directory, options);
    return recording.resume(recording.nanoTime());
  }

  /**
   * The tool calls that had no result when the session was resumed, and have none yet, in the order
   * of the log: their tools may have run or not, wholly or in part. Each may get a result, be run
   * again, or, if it has an effect, be retried with the same id of the effect:
   *
   * <pre>{@code
   * try (SessionRecorder recorder = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
   *   for (PendingCall call : recorder.interruptedCalls()) {
   *     call.cancelled("the process ended");
   *   }
   * }
   * }</pre>
   *
   * <p>At most the last 1,000 calls; empty for a session that was not resumed. The time of a call
   * is measured from when the session was resumed. Calls with the same id are answered in this
   * order, as results are paired. When the lines of the calls have more than 32 MiB, the later ones
   * have the hash of their parameters only.
   */
  public List<PendingCall> interruptedCalls() {
    return interruptedCalls.stream().filter(call -> !call.isAnswered()).toList();
  }

  /**
   * The model calls that had no result when the session was resumed, and have none yet, in the
   * order of the log: at most the last 1,000. Their time is measured from when the session was
   * resumed.
   */
  public List<PendingModelCall> interruptedModelCalls() {
    return interruptedModelCalls.stream().filter(call -> !call.isAnswered()).toList();
  }

  /**
   * The time by which this recorder measures latencies, in nanoseconds: that of
   * {@link System#nanoTime}, but always 0 if the clock of the context is not that of the system.
   * For callers that measure latencies themselves.
   */
  public long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /**
   * The source of times, random numbers, ids and other nondeterministic values of the agent, as
   * {@link RecorderOptions#context} specifies. By default its values are live, and nothing of them
   * is recorded. With {@link dev.agentreplay.io.context.ContextOptions#records} each value is
   * recorded before it is returned; if this fails, it throws or degrades as the
   * {@link FailurePolicy} says. In a resumed session it continues after the values of the log.
   */
  public DeterministicContext context() {
    return context;
  }

  /** Records a value of the context; its lane is that of the agent with this id. */
  private void record(@Nullable String lane, RecordedValue value) throws IOException {
    root.emit(value.withMeta(value.meta().withAgent(lane)));
  }

  /**
   * Generates an id for a call that is to be recorded with {@link #call(ToolCall)}: the next of
   * "call-1", "call-2" and so on that no other call of this session has.
   */
  public String newCallId() {
    return tools.newId();
  }

  /**
   * Generates an id for a {@link ModelCall}: the next of "model-1", "model-2" and so on that no
   * other model call of this session has.
   */
  public String newModelCallId() {
    return models.newId();
  }

  /**
   * Returns the session as it is recorded so far, for reading; also after recording has ended.
   *
   * @throws IOException if buffered events cannot be written, or the session is missing, with any
   *     {@link FailurePolicy}
   */
  public Session session() throws IOException {
    writer.flush();
    return Session.open(directory);
  }

  /**
   * Records a call of a tool. Its id is generated: "call-1", "call-2" and so on.
   *
   * @param params the arguments, of any type that {@link dev.agentreplay.model.json.JsonValue#of}
   *     converts: a map, a record, a {@code JsonValue}
   * @throws IllegalArgumentException if the policy is {@link FailurePolicy#FAIL} and the name of
   *     the tool is blank, a part of the arguments has no JSON form, or as
   *     {@link ReplayWriter#emit} throws it
   */
  public PendingCall call(String tool, @Nullable Object params) throws IOException {
    return root.call(tool, params);
  }

  /**
   * Records a call of a tool with an id, and possibly a step, that the caller has chosen. The name
   * of the tool is recorded unchanged, also a blank one that a model has generated.
   *
   * @throws IllegalArgumentException if the id or the id of the effect is blank, another call with
   *     this id has no result yet, or as {@link ReplayWriter#emit} throws it
   */
  public PendingCall call(ToolCall call) throws IOException {
    return root.call(call);
  }

  /**
   * Records a call of a tool that is to cause an effect outside the session, such as a payment or a
   * message. The call has the id of an effect, which the recorder generates, at random unless its
   * context is reproducible; the tool passes it to the system that it calls as an idempotency key,
   * so that several attempts cause one effect:
   *
   * <pre>{@code
   * PendingCall call = recorder.effect("charge", Map.of("cents", 1200));
   * String key = call.effectId(); // passed to the bank
   * call.timedOut("no answer after 30 s");
   * PendingCall again = call.retry(); // has the same effectId
   * }</pre>
   *
   * <p>When this method returns, the call is as durable as {@link WriterOptions#durability}
   * specifies, but at least written to the operating system, also with {@link Durability#BUFFERED}:
   * after a crash of the process the log has the id of each effect that may have been caused. With
   * {@link FailurePolicy#DEGRADE} the call may not have been written.
   *
   * @throws IllegalArgumentException as {@link #call(String, Object)} throws it
   */
  public PendingCall effect(String tool, @Nullable Object params) throws IOException {
    return root.effect(tool, params);
  }

  /**
   * Records one more attempt to cause the effect of an earlier call: a call with a generated id,
   * the same parameters and the same id of the effect. For a call whose {@link PendingCall#retry}
   * is not at hand.
   *
   * @throws IllegalArgumentException if the call has no id of an effect, or as
   *     {@link ReplayWriter#emit} throws it
   */
  public PendingCall retry(ToolCall earlier) throws IOException {
    return root.retry(earlier);
  }

  /** Records a call of a model without parameters. */
  public PendingModelCall modelCall(String model, Object prompt) throws IOException {
    return root.modelCall(model, prompt);
  }

  /**
   * Records a call of a model. Its id is generated: "model-1", "model-2" and so on.
   *
   * <pre>{@code
   * PendingModelCall asked = recorder.modelCall("gpt-5", "Which file?", Map.of("temperature", 0));
   * asked.answer("src/auth.rs");
   * }</pre>
   *
   * @param prompt a {@link dev.agentreplay.model.ModelCall.Prompt}, the text of a user, or a list
   *     of messages or an object as in a prompt, converted like the arguments of a tool
   * @param parameters {@link dev.agentreplay.model.ModelCall.Parameters}, or an object that is
   *     converted likewise; null for none
   * @throws IllegalArgumentException if the policy is {@link FailurePolicy#FAIL} and prompt or
   *     parameters are of another type, a part of them has no JSON form, or as
   *     {@link ReplayWriter#emit} throws it
   */
  public PendingModelCall modelCall(String model, Object prompt, @Nullable Object parameters)
      throws IOException {
    return root.modelCall(model, prompt, parameters);
  }

  /**
   * Records a call of a model with an id that the caller has chosen. Several calls with the same id
   * may be unanswered.
   *
   * @throws IllegalArgumentException if the id is blank, or as {@link ReplayWriter#emit} throws it
   */
  public PendingModelCall modelCall(ModelCall call) throws IOException {
    return root.modelCall(call);
  }

  /**
   * Runs a tool, and records the call with the returned value, converted as
   * {@link PendingCall#result(Object)} does, or the exception that it threw.
   *
   * @return the value that the tool returned
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception the exception that the tool threw
   */
  public <T extends @Nullable Object> T run(String tool, @Nullable Object params, Callable<T> body)
      throws Exception {
    return root.run(tool, params, body);
  }

  /**
   * Runs a tool, and records the call with the returned value, or the exception that it threw. The
   * recorded latency is that of the tool alone.
   *
   * <p>A tool that has run may have had side effects. Therefore its caller gets the returned value
   * or the exception even if recording fails. An output that cannot be recorded is null in the log,
   * and the event has the reason. With {@link FailurePolicy#FAIL} a returned value that cannot be
   * written is counted by {@link #unrecordedEvents}, and the next {@link #call},
   * {@link #modelCall}, {@link #run}, {@link #sync}, {@link #end} or {@link #close} throws the
   * reason; one after {@link #end} or {@link #close} is only counted. If the tool threw, the
   * failure to record is added to its exception ({@link Throwable#getSuppressed}), and is neither
   * counted nor thrown later. With {@link FailurePolicy#DEGRADE} the tool is always run.
   *
   * @param toOutput returns the value to record for a result, which is converted as
   *     {@link PendingCall#result(Object)} does
   * @return the value that the tool returned
   * @throws IllegalArgumentException with {@link FailurePolicy#FAIL}, as {@link #call(String,
   *     Object)} throws it; the tool is not run then
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception the exception that the tool threw
   */
  public <T extends @Nullable Object> T run(
      String tool,
      @Nullable Object params,
      Callable<T> body,
      Function<T, @Nullable Object> toOutput)
      throws Exception {
    return root.run(tool, params, body, toOutput);
  }

  /**
   * Records any event, as {@link ReplayWriter#emit} does.
   *
   * @return the written event; with {@link FailurePolicy#DEGRADE} it may not have been
   *     {@linkplain WrittenEvent#isWritten written}
   * @throws IllegalArgumentException if the event is a tool call or ends the session, for which
   *     there are {@link #call} and {@link #end}, is a second start, is the result of a call that
   *     does not wait for one, has a preview that differs from that of its value, or refers to a
   *     blob of the session that differs from the reference, or as {@code ReplayWriter.emit} throws
   *     it
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    return root.emit(event);
  }

  /**
   * Returns a recorder of the events of an agent, or sub-agent, that works in this session: its
   * lane. What it records has the member {@code agent} and, if a call is given, {@code parent}. The
   * events of different lanes may be recorded at the same time, and are compared lane by lane.
   *
   * <pre>{@code
   * PendingCall call = recorder.call("research", Map.of("topic", "login"));
   * AgentRecorder researcher = recorder.agent("researcher", call.id());
   * researcher.run("search", Map.of("q", "login"), () -> "auth.rs");
   * call.result("three files");
   * }</pre>
   *
   * @param id the id of the agent, by which its lane is matched in a comparison: the same in every
   *     run. Several recorders with the same id record one lane
   * @param parent the id of the call that started the agent, which may have its result already, as
   *     when the agent works in the background; null if no call did
   * @throws IllegalArgumentException if an id is blank
   */
  public AgentRecorder agent(String id, @Nullable String parent) {
    return root.agent(id, parent);
  }

  /**
   * Records settings, unless the log already states each of them with the same value and source:
   * the settings of a session can be given before each call, and are written when they change.
   *
   * @return the written event; null if the log states the settings
   */
  public @Nullable WrittenEvent settings(Settings settings) throws IOException {
    losses.throwUntold();
    return events.writeIfChanged(settings);
  }

  /**
   * Reads the state of a file before it changes. Closing the returned object records whether the
   * file was created, changed or deleted, and nothing if it is unchanged.
   *
   * @param root the directory of the workspace
   * @param path the file, relative to the root, with {@code /} between names
   * @throws IllegalArgumentException if the path is not in this form, or leads out of the root
   * @throws IOException if the file cannot be read, or is not a regular file; with
   *     {@link FailurePolicy#DEGRADE} the change is not recorded instead
   */
  public FileChange fileChange(Path root, String path) throws IOException {
    losses.throwUntold();
    return events.fileChange(root, path);
  }

  /**
   * Ends the session without a confidence of the agent, and writes its receipt, as
   * {@link #end(SessionEnd)} does. Dialects that require a confidence state the default of the
   * status.
   */
  public SessionReceipt end(Status status) throws IOException {
    return end(SessionEnd.of(status));
  }

  /** Ends the session, and writes its receipt, as {@link #end(SessionEnd)} does. */
  public SessionReceipt end(Status status, double confidence) throws IOException {
    return end(SessionEnd.of(status).withConfidence(confidence));
  }

  /**
   * Ends the session, and writes its receipt, which is forced to disk (fsync) with its directory
   * entry, and signed if {@link TamperEvidenceOptions} has a signer. If only the receipt could not
   * be signed or written, or an Error occurred before it was, this method may be called again and
   * does the rest.
   *
   * @return the receipt; with {@link FailurePolicy#DEGRADE} the end or the receipt may not have
   *     been written, or the receipt not signed: {@link #lastFailure} is the reason
   * @throws IllegalStateException if the session has ended, with its receipt
   * @throws IOException if the end or the receipt cannot be written, or the value that a tool
   *     returned to {@link #run} could not be recorded: this is reported once, and the method may
   *     be called again
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    return ending.end(end);
  }

  /**
   * The number of events that could not be written, or came from a {@link #run} that was still
   * running when the session ended. With {@link FailurePolicy#FAIL} only returned values of
   * {@link #run} and changed files are counted, and, with {@link Durability#BUFFERED}, events that
   * were lost when the log was closed.
   */
  public long unrecordedEvents() {
    return losses.total();
  }

  /**
   * The last failure that was not thrown when it occurred: with {@link FailurePolicy#DEGRADE}, to
   * write an event, to sign or write the receipt, or to close the log; with
   * {@link FailurePolicy#FAIL}, to record the value that a tool returned to {@link #run}, or
   * changed files. Null if there was none.
   */
  public @Nullable IOException lastFailure() {
    return losses.failure();
  }

  /**
   * Forces everything that was recorded before to disk (fsync), so that it survives power loss.
   *
   * @throws IOException if this failed, or is not known to have succeeded, with any
   *     {@link FailurePolicy}, or the value that a tool returned to {@link #run} could not be
   *     recorded (reported once)
   */
  public void sync() throws IOException {
    losses.throwUntold();
    losses.mark();
    writer.sync();
  }

  /**
   * Ends recording, as {@link ReplayWriter#close} does. May be called again when an Error has
   * interrupted it.
   *
   * @throws IOException if recorded events may not be as durable as
   *     {@link WriterOptions#durability} specifies, which with {@link FailurePolicy#DEGRADE} is
   *     reported by {@link #lastFailure} instead, or the value that a tool returned to {@link #run}
   *     could not be recorded (reported once)
   */
  @Override
  public void close() throws IOException {
    ending.close();
  }
}
