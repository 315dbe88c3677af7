package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.internal.Disk;
import dev.agentreplay.io.internal.LocalDisk;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.internal.RunTotals;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.signature.Signer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records a session into a directory: its log as it happens, and its receipt at the end. An agent's
 * runtime calls it inline, between the model and its tools; safe for use by several threads. An
 * output that is larger than {@link RecorderOptions#blobThreshold} is kept beside the log: the
 * event has its hash, its length and a preview.
 *
 * <p>Closing without {@link #end} leaves the log open: no end is invented, and there is no receipt.
 * {@link #resume} goes on with it, also after the process was killed.
 *
 * <p>What cannot be written is an {@link IOException}, unless the {@link FailurePolicy} is
 * {@link FailurePolicy#DEGRADE}: then the agent goes on, {@link #unrecordedEvents} counts what is
 * missing, log and receipt say so, and only {@link #start} and {@link #resume} throw, which have
 * nothing to go on with.
 *
 * <p>{@link #run} returns or throws what its tool did, with either policy. With
 * {@link FailurePolicy#FAIL} a call that cannot be recorded is refused before the tool runs, and a
 * result that cannot be is told of by the next call of this recorder.
 */
public final class SessionRecorder implements Closeable {

  private static final List<String> NAMES =
      List.of(Session.RECEIPT_NAME, Session.ENVELOPE_NAME, Session.COMPRESSED_LOG_NAME);

  private final Path directory;
  private final ReplayWriter writer;
  private final BlobWriter blobs;
  private final Disk disk;
  private final FailurePolicy policy;
  private final LongSupplier nanoTime;
  private final @Nullable Signer signer;
  private final SessionAccount account;

  /** Guards what follows. */
  private final ReentrantLock lock = new ReentrantLock();

  private final OpenCalls calls;
  private final OpenCalls modelCalls;
  private final LostEvents lost;
  private boolean started;

  /** Whether the end is in the log. */
  private boolean hasEnded;

  private @Nullable SessionSeal seal;
  private boolean isSealed;
  private boolean closing;
  private boolean closed;

  /** Why the result of a tool that has run is not recorded, until the caller is told. */
  private volatile @Nullable IOException untold;

  private SessionRecorder(
      Disk disk,
      Path directory,
      ReplayWriter writer,
      SessionAccount account,
      RecorderOptions options,
      LongSupplier nanoTime,
      Recorded recorded) {
    this.disk = disk;
    this.directory = directory;
    this.writer = writer;
    this.account = account;
    this.policy = options.failurePolicy();
    this.nanoTime = nanoTime;
    this.calls = recorded.calls;
    this.modelCalls = recorded.modelCalls;
    this.started = recorded.started;
    this.signer = options.writer().evidence().signer();
    this.lost = new LostEvents(writer.file());
    this.blobs = new BlobWriter(
        new BlobStore(directory.resolve(Session.BLOBS_NAME)),
        CanonicalJson.of(writer.canonicalization()),
        options.blobThreshold());
  }

  /**
   * Starts recording with default options.
   *
   * @param directory where the session is kept; created if it is not there
   */
  public static SessionRecorder start(Path directory, String sessionId) throws IOException {
    return start(directory, SessionStart.of(sessionId), RecorderOptions.defaults());
  }

  /**
   * Starts recording.
   *
   * @param directory where the session is kept; created if it is not there
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
    return start(disk, directory, start, options, System::nanoTime);
  }

  static SessionRecorder start(
      Disk disk, Path directory, SessionStart start, RecorderOptions options, LongSupplier nanoTime)
      throws IOException {
    String id = start.meta().sessionId();
    if (id == null || id.isBlank()) {
      throw new IllegalArgumentException(
          "a session needs an id" + (id == null ? "" : ", found \"" + id + "\""));
    }
    for (String name : NAMES) {
      requireAbsent(disk, directory, name);
    }
    Canonicalization canonicalization = options.canonicalization();
    ReplayHeader header = ReplayHeader.of(options.producer())
        .withCanonicalization(
            canonicalization == Canonicalization.SERDE ? null : canonicalization.id());
    SessionStart first = start;
    if (options.writer().dialect() == Dialect.DRAFT) { // its header names session and policy
      header = header
          .withPolicy(start.policy())
          .withMeta(header.meta().withSessionId(start.meta().sessionId()));
      first = start.withPolicy(null).withMeta(start.meta().withSessionId(null));
    }
    Path log = directory.resolve(Session.LOG_NAME);
    SessionAccount account = new SessionAccount(line -> {});
    ReplayWriter writer;
    try {
      writer = ReplayWriter.create(disk, log, header, options.writer(), account, true);
    } catch (FileAlreadyExistsException e) {
      requireAbsent(disk, directory, Session.LOG_NAME);
      throw e;
    }
    try {
      writer.emit(first);
      writer.sync();
      Recorded recorded = new Recorded();
      recorded.add(first);
      return new SessionRecorder(disk, directory, writer, account, options, nanoTime, recorded);
    } catch (Throwable e) {
      writer.discard(e);
      throw e;
    }
  }

  /**
   * Goes on with a session that was not ended, as {@link ReplayWriter#append} does with its log.
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
    requireNotEnded(disk, directory, Session.RECEIPT_NAME);
    requireNotEnded(disk, directory, Session.ENVELOPE_NAME);
    Recorded recorded = new Recorded();
    SessionAccount account = new SessionAccount(line -> recorded.add(line.event()));
    LongSupplier nanoTime = System::nanoTime;
    Path log = directory.resolve(Session.LOG_NAME);
    ReplayWriter writer = ReplayWriter.append(disk, log, options.writer(), account);
    try {
      return new SessionRecorder(disk, directory, writer, account, options, nanoTime, recorded);
    } catch (Throwable e) {
      try {
        writer.close();
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** What is in the log when recording begins. */
  private static final class Recorded {
    final OpenCalls calls = new OpenCalls("call-");
    final OpenCalls modelCalls = new OpenCalls("model-");
    boolean started;

    void add(ReplayEvent event) {
      if (event instanceof ToolCall call) {
        calls.open(call.id());
        calls.taken(call.id());
      } else if (event instanceof ModelCall call) {
        modelCalls.open(call.id());
        modelCalls.taken(call.id());
      } else if (event instanceof ToolResult result) {
        calls.close(result.id());
      } else if (event instanceof ModelResult result) {
        modelCalls.close(result.id());
      } else if (event instanceof SessionStart) {
        started = true;
      }
    }
  }

  private static void requireAbsent(Disk disk, Path directory, String name)
      throws FileAlreadyExistsException {
    if (disk.exists(directory.resolve(name))) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          "it holds a session already (%s exists): record into another directory%s"
              .formatted(name, name.equals(Session.LOG_NAME) ? ", or resume() this session" : ""));
    }
  }

  private static void requireNotEnded(Disk disk, Path directory, String name)
      throws FileAlreadyExistsException {
    if (disk.exists(directory.resolve(name))) {
      throw new FileAlreadyExistsException(
          directory.toString(), null, "the session has ended (%s exists)".formatted(name));
    }
  }

  /** Fails unless a tool has a name. */
  static void requireTool(String tool) {
    if (tool.isBlank()) {
      throw new IllegalArgumentException("a call needs the name of a tool, found \"" + tool + "\"");
    }
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
    lock.lock();
    try {
      return calls.newId();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Generates an id for a {@link ModelCall}: the next of "model-1", "model-2" and so on that no
   * other of this session has.
   */
  public String newModelCallId() {
    lock.lock();
    try {
      return modelCalls.newId();
    } finally {
      lock.unlock();
    }
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
   * @throws IllegalArgumentException if the tool has a blank name, or as {@link ReplayWriter#emit}
   *     throws it
   */
  public RecordedCall call(String tool, JsonValue params) throws IOException {
    requireTool(tool);
    throwUntold();
    String id;
    lock.lock();
    try {
      id = calls.newId();
      calls.open(id); // before another thread gives it to a call of its own
    } finally {
      lock.unlock();
    }
    return record(ToolCall.of(id, tool, params), true);
  }

  /**
   * Records that a tool is called, with an id and perhaps a step of the caller's. The name of the
   * tool is recorded as it is, also a blank one that a model has made.
   *
   * @throws IllegalArgumentException if the id is blank, another call with it waits for its result,
   *     or as {@link ReplayWriter#emit} throws it
   */
  public RecordedCall call(ToolCall call) throws IOException {
    if (call.id().isBlank()) {
      throw new IllegalArgumentException("a call needs an id, found \"" + call.id() + "\"");
    }
    throwUntold();
    return record(call, false);
  }

  private RecordedCall record(ToolCall call, boolean isOpen) throws IOException {
    RecordedCall recorded = new RecordedCall(this, call.id(), nanoTime);
    writeCall(call, calls, call.id(), isOpen);
    recorded.startedNanos = nanoTime.getAsLong();
    return recorded;
  }

  /**
   * Calls a tool, and records the call with what it returned, converted as
   * {@link RecordedCall#result(Object)} does, or what it threw.
   *
   * @return what the tool returned
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(String tool, JsonValue params, Callable<T> body)
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
   * counted by {@link #unrecordedEvents}, and the next {@link #call}, {@link #run}, {@link #sync},
   * {@link #end} or {@link #close} throws why; one that comes after {@link #end} or {@link #close}
   * is only counted. With {@link FailurePolicy#DEGRADE} the tool is run in any case.
   *
   * @param toOutput what to record of a result, converted as {@link RecordedCall#result(Object)}
   *     does
   * @return what the tool returned
   * @throws IllegalArgumentException if the tool has a blank name; it is not run then
   * @throws IOException if the call cannot be recorded, and the policy is
   *     {@link FailurePolicy#FAIL}; the tool is not run then
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(
      String tool, JsonValue params, Callable<T> body, Function<T, @Nullable Object> toOutput)
      throws Exception {
    return new ToolRun(this, policy).run(tool, params, body, toOutput);
  }

  /** A call is not recorded, nor will its result be; the tool runs all the same. */
  void callUnrecorded(String tool, Throwable cause) {
    IOException failure = new IOException(
        "a call of \"%s\" was not recorded: %s".formatted(tool, cause.getMessage()), cause);
    lose(failure, cause);
    lose(failure, cause);
  }

  /** The result of a tool that has run is not recorded. */
  void resultUnrecorded(String id, Throwable cause) {
    String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    IOException failure = new IOException(
        "the result of call \"%s\" was not recorded: %s".formatted(id, reason), cause);
    lock.lock();
    try {
      lose(failure, cause);
      calls.close(id); // may be used again
      if (policy == FailurePolicy.FAIL && !isLate(cause)) {
        untold = failure;
      }
    } finally {
      lock.unlock();
    }
  }

  private void lose(IOException failure, Throwable cause) {
    lock.lock();
    try {
      if (cause instanceof ReplayWriteException failed && failed.written() != null) {
        lost.failed(failure); // the event is in the log, though it may not survive power loss
      } else if (isLate(cause)) {
        lost.addLate(failure);
      } else {
        lost.add(failure, writer.now());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether an event was refused because the session has ended, or its recorder is closed. */
  private static boolean isLate(Throwable refusal) {
    return refusal instanceof IllegalStateException;
  }

  /** Tells of a result that was not recorded, once. */
  private void throwUntold() throws IOException {
    if (untold == null) {
      return;
    }
    IOException failure;
    lock.lock();
    try {
      failure = untold;
      untold = null;
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Records any event, as {@link ReplayWriter#emit} does.
   *
   * @return what was written; null where it was not, as only {@link FailurePolicy#DEGRADE} allows
   * @throws IllegalArgumentException if the event starts or ends the session or calls a tool, for
   *     which there are {@link #start}, {@link #end} and {@link #call}, or is the result of a call
   *     that does not wait for one, has a preview that is not that of its value, or names a blob of
   *     the session that is not as it says, or as {@code ReplayWriter.emit} throws it
   */
  public @Nullable WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof SessionEnd || event instanceof ToolCall) {
      throw new IllegalArgumentException(
          event.kind().id() + " is recorded by call() or end(), not by emit()");
    }
    if (!(event instanceof SessionStart)) {
      return write(event);
    }
    lock.lock();
    try {
      if (started) {
        throw new IllegalArgumentException(
            "a SessionStart was recorded when the session was started:"
                + " another session is recorded into another directory");
      }
      WrittenEvent written = write(event);
      started = written != null;
      return written;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the session, and writes its receipt. */
  public SessionReceipt end(Status status, double confidence) throws IOException {
    return end(SessionEnd.of(status).withConfidence(confidence));
  }

  /**
   * Ends the session, and writes its receipt, which is forced to the disk with its name, and signed
   * if {@link TamperEvidence} names a signer. When only the receipt could not be signed or written,
   * or an Error came before that, this may be called again, and does that.
   *
   * @return the receipt; with {@link FailurePolicy#DEGRADE} the end or the receipt may not have
   *     been written, or not be signed, and {@link #lastFailure} says why
   * @throws IllegalStateException if the session has ended, with its receipt
   * @throws IOException if the end or the receipt cannot be written, or the result of a tool that
   *     {@link #run} has run could not be: that is told once, so that this may be called again
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    throwUntold();
    lock.lock();
    try {
      if (seal == null) {
        if (!hasEnded || isSealed) {
          hasEnded = write(end) != null;
        }
        SessionReceipt made = account.toReceipt(writer.digest());
        if (!hasEnded) { // nor are those in the log that the receipt would count
          return lost.total() == 0
              ? made
              : made.withExtra(
                  made.extra().with(RunTotals.UNRECORDED_EVENTS, JsonNumber.of(lost.total())));
        }
        seal = new SessionSeal(
            disk,
            directory,
            Objects.requireNonNull(made.replayHash()),
            CanonicalJson.of(writer.canonicalization()),
            ReceiptCodec.encode(made),
            signer);
      }
      SessionSeal ending = seal;
      boolean isWritten = isWritten(ending);
      SessionReceipt written = (SessionReceipt) ending.receipt();
      if (isWritten) {
        isSealed = true;
        seal = null;
      }
      return written;
    } finally {
      lock.unlock();
    }
  }

  /** Writes what is beside the log, signed if the key can be had. Returns whether it is there. */
  private boolean isWritten(SessionSeal ending) throws IOException {
    try {
      ending.write();
      return true;
    } catch (IOException e) {
      if (policy == FailurePolicy.FAIL) {
        throw e;
      }
      lost.failed(e);
    }
    ending.leaveUnsigned();
    try {
      ending.write();
      return true;
    } catch (IOException e) {
      lost.failed(e);
      return false;
    }
  }

  /**
   * How many events could not be written, or came from a {@link #run} that was still going on when
   * the session ended. With {@link FailurePolicy#FAIL} only results of {@link #run} are counted.
   */
  public long unrecordedEvents() {
    lock.lock();
    try {
      return lost.total();
    } finally {
      lock.unlock();
    }
  }

  /** Why something could not be written last; null if everything was. */
  public @Nullable IOException lastFailure() {
    lock.lock();
    try {
      return lost.failure();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when everything that was recorded before survives power loss.
   *
   * @throws IOException if that is not so, or not known, whatever the {@link FailurePolicy}
   */
  public void sync() throws IOException {
    throwUntold();
    markLost();
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
    lock.lock();
    try {
      if (closed) {
        return;
      }
      Throwable unmarked = null;
      Throwable unsaid = null;
      Throwable unclosed = null;
      if (!closing) {
        closing = true;
        try {
          markLost();
        } catch (Throwable e) {
          unmarked = e;
        }
        try {
          throwUntold();
        } catch (Throwable e) {
          unsaid = e;
        }
      }
      try {
        writer.close();
      } catch (Throwable e) {
        unclosed = e;
      }
      closed = writer.isClosed();
      if (closed) {
        lost.addClosed(writer.lostEvents());
      }
      Throwable failure = worse(worse(unmarked, unsaid), unclosed);
      if (closed && failure instanceof IOException e && policy == FailurePolicy.DEGRADE) {
        lost.failed(e);
      } else {
        ReplayWriter.throwIfFailed(failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The failure that must be thrown of two, an Error before others; it has the other one. */
  private static @Nullable Throwable worse(@Nullable Throwable first, @Nullable Throwable second) {
    if (first == null || second == null || first == second) {
      return first == null ? second : first;
    }
    boolean isSecond = second instanceof Error && !(first instanceof Error);
    Throwable worse = isSecond ? second : first;
    worse.addSuppressed(isSecond ? first : second);
    return worse;
  }

  /** Writes an event. Null if it could not be written, and that is allowed. */
  private @Nullable WrittenEvent write(ReplayEvent event) throws IOException {
    if (event instanceof ToolResult result) {
      return writeResult(event, calls, result.id());
    } else if (event instanceof ModelResult result) {
      return writeResult(event, modelCalls, result.id());
    }
    return event instanceof ModelCall call
        ? writeCall(event, modelCalls, call.id(), false)
        : writeAny(event);
  }

  /**
   * Writes a call, whose result may come from then on.
   *
   * @param isOpen whether it was opened; else it is, of tools only if its id waits for no result
   */
  private @Nullable WrittenEvent writeCall(
      ReplayEvent call, OpenCalls of, String id, boolean isOpen) throws IOException {
    lock.lock();
    try {
      if (!isOpen && call instanceof ToolCall) {
        of.openAlone(id);
      } else if (!isOpen) {
        of.open(id);
      }
    } finally {
      lock.unlock();
    }
    WrittenEvent written = null;
    boolean isTold = false;
    try {
      written = writeAny(call);
      isTold = true;
      return written;
    } finally {
      lock.lock();
      try {
        if (written == null) {
          of.close(id);
        }
        if (isTold) {
          of.taken(id);
        }
        if (isTold && written == null) {
          of.lose(id);
        }
      } catch (Error e) {
        // the outcome of the write is what the caller has to know
      } finally {
        lock.unlock();
      }
    }
  }

  /** Writes the result of a call that waits for it. */
  private @Nullable WrittenEvent writeResult(ReplayEvent result, OpenCalls of, String id)
      throws IOException {
    lock.lock();
    try {
      if (of.takeLost(id)) { // its call is not in the log, and so it must not be there either
        lost.addUnanswerable(writer.now());
        return null;
      }
      if (!of.claim(id)) {
        throw new IllegalArgumentException("%s: no call with the id \"%s\" waits for its result"
            .formatted(result.kind().id(), id));
      }
    } finally {
      lock.unlock();
    }
    boolean answered = false;
    try {
      WrittenEvent written = writeAny(result);
      answered = true; // if it was lost, its id may be used again
      return written;
    } finally {
      lock.lock();
      try {
        if (!answered) {
          of.unclaim(id);
        }
        of.answered(id);
      } catch (Error e) {
        // the outcome of the write is what the caller has to know
      } finally {
        lock.unlock();
      }
    }
  }

  private @Nullable WrittenEvent writeAny(ReplayEvent event) throws IOException {
    try {
      BlobWriter.LargeEvent large = large(event);
      if (large != null) { // nothing is kept of an event that is refused
        writer.check(large.event());
        large.keep();
      }
      markLost();
      return writer.emit(large == null ? event : large.event());
    } catch (IOException e) {
      if (policy == FailurePolicy.FAIL) {
        throw e;
      }
      lose(e, e);
      // an end that may not survive power loss has no receipt, which may
      return e instanceof ReplayWriteException failed && !(event instanceof SessionEnd)
          ? failed.written()
          : null;
    }
  }

  /** Says in the log that events are missing here, if they are. */
  private void markLost() throws IOException {
    lock.lock();
    try {
      RecordingGap gap = lost.gap();
      if (gap != null) {
        long marked = lost.take(); // first: an Error must not have them marked twice
        try {
          writer.emit(gap);
        } catch (ReplayWriteException e) {
          if (e.written() == null) {
            lost.putBack(marked);
          }
          throw e.of(null); // nothing is in the log of the event that was to follow
        } catch (Throwable e) {
          lost.putBack(marked);
          throw e;
        }
        lost.tell(marked);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The event, if its value is too large for the log; a draft needs outputs. */
  private BlobWriter.@Nullable LargeEvent large(ReplayEvent event) {
    if (event instanceof ToolResult result) {
      boolean mayMove = writer.dialect() != Dialect.DRAFT;
      return blobs.prepare(result.output(), result::withOutput, mayMove);
    } else if (event instanceof ModelCall call) {
      return blobs.prepare(call.prompt(), call::withPrompt, true);
    } else if (event instanceof ModelResult result) {
      return blobs.prepare(result.answer(), result::withAnswer, true);
    } else if (event instanceof RuntimeEvent runtime) {
      return blobs.prepare(runtime.payload(), runtime::withPayload, true);
    }
    return null;
  }
}
