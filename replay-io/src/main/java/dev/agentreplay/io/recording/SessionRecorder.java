package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records a session into a directory: its log as it happens, and its receipt at the end. An agent's
 * runtime calls it inline, between the model and its tools; safe for use by several threads. An
 * output that is larger than {@link RecorderOptions#blobThreshold} is kept next to the log: the
 * event has its hash, its length and a preview.
 *
 * <p>Closing without {@link #end} leaves the log open: no end is invented, and there is no receipt.
 * {@link #resume} continues the session, also after the process was killed.
 *
 * <p>An event that cannot be written is an {@link IOException}, unless the {@link FailurePolicy} is
 * {@link FailurePolicy#DEGRADE}: then the agent continues, {@link #unrecordedEvents} counts what is
 * missing, log and receipt say so, and only {@link #start} and {@link #resume} throw.
 *
 * <p>{@link #run} returns or throws what its tool did, with either policy. With
 * {@link FailurePolicy#FAIL} a call that cannot be recorded is refused before the tool runs, and
 * the next call of this recorder throws if a result could not be recorded.
 */
public final class SessionRecorder implements Closeable {

  private final Path directory;
  private final ReplayWriter writer;
  private final RecordingWriter events;
  private final OpenCalls tools;
  private final OpenCalls models;
  private final LossLog losses;
  private final ToolRun runs;
  private final SessionEnding ending;
  private final LongSupplier nanoTime;

  SessionRecorder(
      RecordingStart start, ReplayWriter writer, SessionAccount account, LongSupplier nanoTime) {
    RecorderOptions options = start.options;
    this.directory = start.directory;
    this.writer = writer;
    this.tools = start.tools;
    this.models = start.models;
    this.nanoTime = nanoTime;
    this.losses = new LossLog(writer);
    this.events = new RecordingWriter(start, writer, losses);
    this.ending =
        new SessionEnding(start.disk, directory, writer, events, account, losses, options);
    this.runs = new ToolRun(this, tools, losses, options.failurePolicy());
  }

  /**
   * Starts recording with default options.
   *
   * @param directory the directory of the session; created if it is missing
   */
  public static SessionRecorder start(Path directory, String sessionId) throws IOException {
    return start(directory, SessionStart.of(sessionId), RecorderOptions.defaults());
  }

  /**
   * Starts recording.
   *
   * @param directory the directory of the session; created if it is missing
   * @throws FileAlreadyExistsException if the directory holds a session already: a log, compressed
   *     or not, or a receipt. A log with nothing but a header, complete or torn, as a start leaves
   *     it that was interrupted, is replaced
   * @throws IllegalArgumentException if the start has no session id, or a blank one
   */
  public static SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
      throws IOException {
    LocalDisk.createDirectories(directory);
    return start(LocalDisk.INSTANCE, directory, start, options);
  }

  static SessionRecorder start(
      Disk disk, Path directory, SessionStart start, RecorderOptions options) throws IOException {
    return new RecordingStart(disk, directory, options).start(start, System::nanoTime);
  }

  /**
   * Resumes a session that was not ended: appends to its log, as {@link ReplayWriter#append} does.
   * Calls that wait for their results still do: these are recorded with {@link #emit}.
   *
   * @param options of which the producer, the canonicalization and the dialect are those of the log
   * @throws FileAlreadyExistsException if the session has a receipt already
   * @throws IOException as {@code ReplayWriter.append} throws it
   */
  public static SessionRecorder resume(Path directory, RecorderOptions options) throws IOException {
    return resume(LocalDisk.INSTANCE, directory, options);
  }

  static SessionRecorder resume(Disk disk, Path directory, RecorderOptions options)
      throws IOException {
    return new RecordingStart(disk, directory, options).resume(System::nanoTime);
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /**
   * Generates an id for a call that is to be recorded by {@link #call(ToolCall)}: the next of
   * "call-1", "call-2" and so on that no other call of this session has.
   */
  public String newCallId() {
    return tools.newId();
  }

  /**
   * Generates an id for a {@link ModelCall}: the next of "model-1", "model-2" and so on that no
   * other of this session has.
   */
  public String newModelCallId() {
    return models.newId();
  }

  /**
   * The session as it is recorded so far, for reading; also when recording has ended.
   *
   * @throws IOException if what is buffered cannot be written, or the session is not there any
   *     more, whatever the {@link FailurePolicy}
   */
  public Session session() throws IOException {
    writer.flush();
    return Session.open(directory);
  }

  /**
   * Records that a tool is called. Its id is generated: "call-1", "call-2" and so on.
   *
   * @param params the arguments, of any type that {@link dev.agentreplay.model.json.JsonValue#of}
   *     converts: a map, a record, a {@code JsonValue}
   * @throws IllegalArgumentException if the tool has a blank name, a part of the arguments has no
   *     JSON form, or as {@link ReplayWriter#emit} throws it
   */
  public PendingCall call(String tool, @Nullable Object params) throws IOException {
    RecordedEvents.requireTool(tool);
    losses.throwUntold();
    String id = tools.openNew();
    ToolCall call;
    try {
      call = RecordedEvents.toolCall(id, tool, params);
    } catch (Throwable e) {
      tools.close(id);
      throw e;
    }
    return record(call, true);
  }

  /**
   * Records that a tool is called, with an id and perhaps a step of the caller's. The name of the
   * tool is recorded as it is, also a blank one that a model has made.
   *
   * @throws IllegalArgumentException if the id is blank, another call with it waits for its result,
   *     or as {@link ReplayWriter#emit} throws it
   */
  public PendingCall call(ToolCall call) throws IOException {
    RecordedEvents.requireId(call.id());
    losses.throwUntold();
    return record(call, false);
  }

  private PendingCall record(ToolCall call, boolean isOpen) throws IOException {
    SingleAnswer answer = new SingleAnswer(this, call.id(), nanoTime);
    PendingCall pending = new PendingCall(answer);
    events.writeCall(call, tools, call.id(), isOpen);
    answer.startedNanos = nanoTime.getAsLong();
    return pending;
  }

  /** Records that a model is called without parameters. */
  public PendingModelCall modelCall(String model, Object prompt) throws IOException {
    return modelCall(model, prompt, null);
  }

  /**
   * Records that a model is called. Its id is generated: "model-1", "model-2" and so on.
   *
   * <pre>{@code
   * PendingModelCall asked = session.modelCall("gpt-5", "Which file?", Map.of("temperature", 0));
   * asked.answer("src/auth.rs");
   * }</pre>
   *
   * @param prompt a {@link dev.agentreplay.model.ModelCall.Prompt}, a text from the user, or a list
   *     of messages or an object like the one in a prompt, converted as the arguments of a tool are
   * @param parameters {@link dev.agentreplay.model.ModelCall.Parameters}, or an object that is
   *     converted likewise; null for none
   * @throws IllegalArgumentException if prompt or parameters are of another type, a part of them
   *     has no JSON form, or as {@link ReplayWriter#emit} throws it
   */
  public PendingModelCall modelCall(String model, Object prompt, @Nullable Object parameters)
      throws IOException {
    losses.throwUntold();
    return record(RecordedEvents.modelCall(models.newId(), model, prompt, parameters));
  }

  /**
   * Records that a model is called, with an id of the caller's. Several calls with one id may wait
   * for their answers.
   *
   * @throws IllegalArgumentException if the id is blank, or as {@link ReplayWriter#emit} throws it
   */
  public PendingModelCall modelCall(ModelCall call) throws IOException {
    RecordedEvents.requireId(call.id());
    losses.throwUntold();
    return record(call);
  }

  private PendingModelCall record(ModelCall call) throws IOException {
    SingleAnswer answer = new SingleAnswer(this, call.id(), nanoTime);
    PendingModelCall pending = new PendingModelCall(answer);
    events.write(call);
    answer.startedNanos = nanoTime.getAsLong();
    return pending;
  }

  /**
   * Calls a tool, and records the call with what it returned, converted as
   * {@link PendingCall#result(Object)} does, or what it threw.
   *
   * @return what the tool returned
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(String tool, @Nullable Object params, Callable<T> body)
      throws Exception {
    return run(tool, params, body, output -> output);
  }

  /**
   * Calls a tool, and records the call with what it returned, or what it threw. Its latency is that
   * of the tool alone.
   *
   * <p>A tool that has run may have changed the world, so that its caller gets what it returned or
   * threw, whatever becomes of the recording. An output that cannot be recorded is null in the log,
   * and the event says why. With {@link FailurePolicy#FAIL} a result that cannot be written is
   * counted by {@link #unrecordedEvents}, and the next {@link #call}, {@link #modelCall},
   * {@link #run}, {@link #sync}, {@link #end} or {@link #close} throws why; one that comes after
   * {@link #end} or {@link #close} is only counted. With {@link FailurePolicy#DEGRADE} the tool is
   * run in any case.
   *
   * @param toOutput what to record of a result, converted as {@link PendingCall#result(Object)}
   *     does
   * @return what the tool returned
   * @throws IllegalArgumentException if the tool has a blank name, or as {@link #call(String,
   *     Object)} throws it, and the policy is {@link FailurePolicy#FAIL}; it is not run then
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(
      String tool,
      @Nullable Object params,
      Callable<T> body,
      Function<T, @Nullable Object> toOutput)
      throws Exception {
    return runs.run(tool, params, body, toOutput);
  }

  /**
   * Records any event, as {@link ReplayWriter#emit} does.
   *
   * @return what was written; with {@link FailurePolicy#DEGRADE}, perhaps that it was
   *     {@linkplain WrittenEvent#isWritten not written}
   * @throws IllegalArgumentException if the event starts or ends the session or calls a tool, for
   *     which there are {@link #start}, {@link #end} and {@link #call}, or is the result of a call
   *     that does not wait for one, has a preview that is not that of its value, or names a blob of
   *     the session that is not as it says, or as {@code ReplayWriter.emit} throws it
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof SessionEnd || event instanceof ToolCall) {
      throw new IllegalArgumentException(
          event.kind().id() + " is recorded by call() or end(), not by emit()");
    }
    return events.write(event);
  }

  /** Ends the session, and writes its receipt. */
  public SessionReceipt end(Status status, double confidence) throws IOException {
    return end(SessionEnd.of(status).withConfidence(confidence));
  }

  /**
   * Ends the session, and writes its receipt, which is forced to the disk with its name, and signed
   * if {@link TamperEvidenceOptions} names a signer. When only the receipt could not be signed or
   * written, or an Error came before that, this may be called again, and does that.
   *
   * @return the receipt; with {@link FailurePolicy#DEGRADE} the end or the receipt may not have
   *     been written, or not be signed, and {@link #lastFailure} says why
   * @throws IllegalStateException if the session has ended, with its receipt
   * @throws IOException if the end or the receipt cannot be written, or the result of a tool that
   *     {@link #run} has run could not be: that is told once, so that this may be called again
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    return ending.end(end);
  }

  /**
   * How many events could not be written, or came from a {@link #run} that was still going on when
   * the session ended. With {@link FailurePolicy#FAIL} only results of {@link #run} are counted.
   */
  public long unrecordedEvents() {
    return losses.total();
  }

  /** Why something could not be written last; null if everything was. */
  public @Nullable IOException lastFailure() {
    return losses.failure();
  }

  /**
   * Returns when everything that was recorded before survives power loss.
   *
   * @throws IOException if that is not so, or not known, whatever the {@link FailurePolicy}
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
   * @throws IOException if what was recorded is not as safe as it should be; with
   *     {@link FailurePolicy#DEGRADE}, {@link #lastFailure} says so instead
   */
  @Override
  public void close() throws IOException {
    ending.close();
  }
}
