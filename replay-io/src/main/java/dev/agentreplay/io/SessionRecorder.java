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
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
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
 */
public final class SessionRecorder implements Closeable {

  private final Path directory;
  private final ReplayWriter writer;
  private final BlobWriter blobs;
  private final Disk disk;
  private final FailurePolicy policy;
  private final @Nullable Signer signer;
  private final ReceiptBuilder receipt;
  private final ReentrantLock folding = new ReentrantLock();

  /** Guards what follows. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Set<String> open = new HashSet<>();
  private final MadeUpIds callIds = new MadeUpIds("call-");
  private final MadeUpIds modelCallIds = new MadeUpIds("model-");
  private final Set<String> lostCalls = new HashSet<>();
  private final LostEvents lost;
  private @Nullable SessionSeal seal;
  private boolean closed;

  private SessionRecorder(
      Disk disk,
      Path directory,
      ReplayWriter writer,
      ReceiptBuilder receipt,
      RecorderOptions options) {
    this.disk = disk;
    this.directory = directory;
    this.writer = writer;
    this.receipt = receipt;
    this.policy = options.failurePolicy();
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
   * @throws FileAlreadyExistsException if the directory holds a log, compressed or not, or a
   *     receipt already
   * @throws IllegalArgumentException if the start has no session id
   */
  public static SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
      throws IOException {
    LocalDisk.createDirectories(directory);
    return start(LocalDisk.INSTANCE, directory, start, options);
  }

  static SessionRecorder start(
      Disk disk, Path directory, SessionStart start, RecorderOptions options) throws IOException {
    if (start.meta().sessionId() == null) {
      throw new IllegalArgumentException("a session needs an id");
    }
    requireAbsent(disk, directory, Session.RECEIPT_NAME);
    requireAbsent(disk, directory, Session.ENVELOPE_NAME);
    requireAbsent(disk, directory, Session.COMPRESSED_LOG_NAME);
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
    ReceiptBuilder receipt = new ReceiptBuilder();
    ReplayWriter writer = ReplayWriter.create(disk, log, header, options.writer(), receipt::add);
    try {
      writer.emit(first, receipt::add);
      writer.sync();
      return new SessionRecorder(disk, directory, writer, receipt, options);
    } catch (IOException | RuntimeException | Error e) {
      writer.discard(disk, e);
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
    requireAbsent(disk, directory, Session.RECEIPT_NAME);
    requireAbsent(disk, directory, Session.ENVELOPE_NAME);
    ReceiptBuilder receipt = new ReceiptBuilder();
    Set<String> open = new HashSet<>();
    Set<String> seen = new HashSet<>();
    ReplayWriter writer =
        ReplayWriter.append(disk, directory.resolve(Session.LOG_NAME), options.writer(), line -> {
          ReplayEvent event = line.event();
          receipt.add(event);
          if (event instanceof ToolCall call) {
            open.add(call.id());
            seen.add(call.id());
          } else if (event instanceof ModelCall call) {
            seen.add(call.id());
          } else if (event instanceof ToolResult result) {
            open.remove(result.id());
          }
        });
    SessionRecorder recorder = new SessionRecorder(disk, directory, writer, receipt, options);
    recorder.open.addAll(open);
    seen.forEach(recorder.callIds::taken);
    seen.forEach(recorder.modelCallIds::taken);
    return recorder;
  }

  private static void requireAbsent(Disk disk, Path directory, String name)
      throws FileAlreadyExistsException {
    Path file = directory.resolve(name);
    if (disk.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /**
   * Makes up an id for a call that is to be recorded by {@link #call(ToolCall)}: the next of
   * "call-1", "call-2" and so on that no other call of this session has.
   */
  public String newCallId() {
    lock.lock();
    try {
      String id;
      do {
        id = callIds.next();
      } while (open.contains(id));
      return id;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes up an id for a {@link ModelCall}: the next of "model-1", "model-2" and so on that no
   * other of this session has.
   */
  public String newModelCallId() {
    lock.lock();
    try {
      return modelCallIds.next();
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
   * Records that a tool is called. Its id is made up: "call-1", "call-2" and so on.
   *
   * @throws IllegalArgumentException as {@link ReplayWriter#emit} throws it
   */
  public RecordedCall call(String tool, JsonValue params) throws IOException {
    String id;
    lock.lock();
    try {
      id = newCallId();
      open.add(id);
    } finally {
      lock.unlock();
    }
    return record(ToolCall.of(id, tool, params), false);
  }

  /**
   * Records that a tool is called, with an id and perhaps a step of the caller's.
   *
   * @throws IllegalArgumentException if another call with this id waits for its result, or as
   *     {@link ReplayWriter#emit} throws it
   */
  public RecordedCall call(ToolCall call) throws IOException {
    lock.lock();
    try {
      if (!open.add(call.id())) {
        throw new IllegalArgumentException(
            "another call with the id \"" + call.id() + "\" waits for its result");
      }
    } finally {
      lock.unlock();
    }
    return record(call, true);
  }

  /** Records a call whose id is open already. */
  private RecordedCall record(ToolCall call, boolean idIsGiven) throws IOException {
    WrittenEvent written = null;
    boolean lostCall = false;
    try {
      written = write(call);
      lostCall = written == null;
    } finally {
      lock.lock();
      try {
        if (written == null) {
          open.remove(call.id());
        } else if (idIsGiven) {
          callIds.taken(call.id());
        }
        if (lostCall) {
          lostCalls.add(call.id());
        } else {
          lostCalls.remove(call.id()); // the result that comes is one of this call
        }
      } finally {
        lock.unlock();
      }
    }
    return new RecordedCall(this, call.id());
  }

  /**
   * Calls a tool, and records the call with what it returned, converted as by {@link JsonValue#of},
   * or what it threw.
   *
   * @return what the tool returned
   * @throws IOException if the call or its result cannot be recorded, unless the policy is
   *     {@link FailurePolicy#DEGRADE}; of a call that was not recorded the tool is not run then, a
   *     result that was not recorded is lost
   * @throws RuntimeException if what the tool returned has no JSON form; the call is recorded as
   *     failed. The overload with a function records any result
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(String tool, JsonValue params, Callable<T> body)
      throws Exception {
    return run(tool, params, body, output -> output);
  }

  /**
   * Calls a tool, and records the call with what it returned, or what it threw.
   *
   * @param toOutput what to record of a result, converted as by {@link JsonValue#of}
   * @return what the tool returned
   * @throws IOException if the call or its result cannot be recorded, unless the policy is
   *     {@link FailurePolicy#DEGRADE}; of a call that was not recorded the tool is not run then, a
   *     result that was not recorded is lost
   * @throws RuntimeException if there is no JSON form of what to record; the call is recorded as
   *     failed
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(
      String tool, JsonValue params, Callable<T> body, Function<T, @Nullable Object> toOutput)
      throws Exception {
    RecordedCall call = call(tool, params);
    T returned;
    JsonValue output;
    try {
      returned = body.call();
      output = JsonValue.of(toOutput.apply(returned));
    } catch (Exception | Error failure) {
      try {
        call.failed(failure);
      } catch (IOException | RuntimeException notRecorded) {
        failure.addSuppressed(notRecorded);
      }
      throw failure;
    }
    call.result(output);
    return returned;
  }

  /**
   * Records any event, as {@link ReplayWriter#emit} does.
   *
   * @return what was written; null where it was not, as only {@link FailurePolicy#DEGRADE} allows
   * @throws IllegalArgumentException if the event calls a tool or ends the session, for which there
   *     are {@link #call} and {@link #end}, or as {@code ReplayWriter.emit} throws it
   */
  public @Nullable WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof SessionEnd || event instanceof ToolCall) {
      throw new IllegalArgumentException(
          event.kind().tag() + " is recorded by call() or end(), not by emit()");
    }
    return write(event);
  }

  /** Ends the session, and writes its receipt. */
  public SessionReceipt end(Status status, double confidence) throws IOException {
    return end(SessionEnd.of(status).withConfidence(confidence));
  }

  /**
   * Ends the session, and writes its receipt, which is forced to the disk with its name, and signed
   * if {@link TamperEvidence} names a signer. When only the receipt could not be signed or written,
   * this may be called again, and does that.
   *
   * @return the receipt; with {@link FailurePolicy#DEGRADE} the end or the receipt may not have
   *     been written, or not be signed, and {@link #lastFailure} says why
   * @throws IllegalStateException if the session has ended, with its receipt
   * @throws IOException if the end or the receipt cannot be written
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    lock.lock();
    try {
      if (seal == null) {
        WrittenEvent written = write(end);
        SessionReceipt made = toReceipt();
        if (written == null) { // nor are those in the log that the receipt would count
          return made.withExtra(
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
      if (isWritten(ending)) {
        seal = null;
      }
      return (SessionReceipt) ending.receipt();
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

  /** How many events could not be written; always 0 with {@link FailurePolicy#FAIL}. */
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
    markLost();
    writer.sync();
  }

  /**
   * Ends recording, as {@link ReplayWriter#close} does.
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
      closed = true;
    } finally {
      lock.unlock();
    }
    try (writer) {
      markLost();
    } catch (IOException e) {
      if (policy == FailurePolicy.FAIL) {
        throw e;
      }
      lock.lock();
      try {
        lost.failed(e);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Writes an event. Null if it could not be written, and that is allowed. */
  private @Nullable WrittenEvent write(ReplayEvent event) throws IOException {
    if (event instanceof ToolResult result && loseResult(result.id())) {
      return null;
    }
    try {
      BlobWriter.LargeEvent large = large(event);
      if (large != null) { // nothing is kept of an event that is refused
        writer.check(large.event());
        large.keep();
      }
      markLost();
      WrittenEvent written = writer.emit(large == null ? event : large.event(), this::fold);
      if (event instanceof ToolResult result) {
        answered(result.id());
      } else if (event instanceof ModelCall call) {
        taken(call);
      }
      return written;
    } catch (IOException e) {
      if (policy == FailurePolicy.FAIL) {
        throw e;
      }
      lose(e);
      if (event instanceof ToolResult result) {
        answered(result.id()); // its id may be used again
      }
      return null;
    }
  }

  /** Whether a result is one of a call that is not in the log, and so must not be there either. */
  private boolean loseResult(String id) {
    lock.lock();
    try {
      if (!lostCalls.remove(id)) {
        return false;
      }
      lost.addUnanswerable(writer.now());
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void lose(IOException failure) {
    lock.lock();
    try {
      lost.add(failure, writer.now());
    } finally {
      lock.unlock();
    }
  }

  /** Says in the log that events are missing here, if they are. */
  private void markLost() throws IOException {
    lock.lock();
    try {
      RecordingGap gap = lost.gap();
      if (gap != null) {
        writer.emit(gap, this::fold);
        lost.marked();
      }
    } finally {
      lock.unlock();
    }
  }

  private void answered(String id) {
    lock.lock();
    try {
      open.remove(id);
    } finally {
      lock.unlock();
    }
  }

  private void taken(ModelCall call) {
    lock.lock();
    try {
      modelCallIds.taken(call.id());
    } finally {
      lock.unlock();
    }
  }

  /** The receipt lists results in the order of the log, in which the writer tells of them. */
  private void fold(WrittenEvent written) {
    folding.lock();
    try {
      receipt.add(written);
    } finally {
      folding.unlock();
    }
  }

  private SessionReceipt toReceipt() {
    WrittenLog.Digest log = writer.digest(); // takes the lock under which fold() is called
    folding.lock();
    try {
      return receipt.toSessionReceipt(log.hash()).withTree(log.tree());
    } finally {
      folding.unlock();
    }
  }

  /** The event, if its value is too large for the log; a draft needs outputs. */
  private BlobWriter.@Nullable LargeEvent large(ReplayEvent event) {
    if (event instanceof ToolResult result && writer.dialect() != Dialect.DRAFT) {
      return blobs.prepare(result.output(), result::withOutput);
    } else if (event instanceof ModelCall call) {
      return blobs.prepare(call.prompt(), call::withPrompt);
    } else if (event instanceof ModelResult result) {
      return blobs.prepare(result.answer(), result::withAnswer);
    } else if (event instanceof RuntimeEvent runtime) {
      return blobs.prepare(runtime.payload(), runtime::withPayload);
    }
    return null;
  }
}
