package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
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
 */
public final class SessionRecorder implements Closeable {

  private static final String MADE_UP = "call-";

  private final Path directory;
  private final ReplayWriter writer;
  private final BlobWriter blobs;
  private final ReceiptBuilder receipt = new ReceiptBuilder();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> open = new HashSet<>();
  private final Set<String> given = new HashSet<>();
  private long made;
  private @Nullable SessionReceipt unwritten;

  private SessionRecorder(Path directory, ReplayWriter writer, BlobWriter blobs) {
    this.directory = directory;
    this.writer = writer;
    this.blobs = blobs;
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
    if (start.meta().sessionId() == null) {
      throw new IllegalArgumentException("a session needs an id");
    }
    Files.createDirectories(directory);
    for (String name : List.of(Session.RECEIPT_NAME, Session.COMPRESSED_LOG_NAME)) {
      Path file = directory.resolve(name);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(file.toString());
      }
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
    ReplayWriter writer =
        ReplayWriter.create(directory.resolve(Session.LOG_NAME), header, options.writer());
    BlobWriter blobs = new BlobWriter(
        new BlobStore(directory.resolve(Session.BLOBS_NAME)),
        CanonicalJson.of(canonicalization),
        options.blobThreshold());
    SessionRecorder recorder = new SessionRecorder(directory, writer, blobs);
    recorder.receipt.add(writer.header());
    try {
      recorder.emit(first);
      return recorder;
    } catch (IOException | RuntimeException e) {
      try (recorder) {
        Files.delete(writer.file());
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /**
   * Records that a tool is called. Its id is made up: "call-1", "call-2" and so on.
   *
   * @throws IllegalArgumentException as {@link ReplayWriter#emit} throws it
   */
  public RecordedCall call(String tool, JsonValue params) throws IOException {
    lock.lock();
    try {
      String id;
      do {
        id = MADE_UP + ++made;
      } while (given.contains(id));
      return call(ToolCall.of(id, tool, params), false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that a tool is called, with an id and perhaps a step of the caller's.
   *
   * @throws IllegalArgumentException if another call with this id waits for its result, or as
   *     {@link ReplayWriter#emit} throws it
   */
  public RecordedCall call(ToolCall call) throws IOException {
    return call(call, true);
  }

  private RecordedCall call(ToolCall call, boolean idIsGiven) throws IOException {
    lock.lock();
    try {
      if (open.contains(call.id())) {
        throw new IllegalArgumentException(
            "another call with the id \"" + call.id() + "\" waits for its result");
      }
      write(call);
      if (idIsGiven && call.id().startsWith(MADE_UP)) {
        given.add(call.id());
      }
      return new RecordedCall(this, call.id());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Calls a tool, and records the call with what it returned, converted as by {@link JsonValue#of},
   * or what it threw.
   *
   * @return what the tool returned
   * @throws IOException if the call or its result cannot be recorded; of a call that was not
   *     recorded the tool is not run, a result that was not recorded is lost
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
   * @throws IOException if the call or its result cannot be recorded; of a call that was not
   *     recorded the tool is not run, a result that was not recorded is lost
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
   * @throws IllegalArgumentException if the event calls a tool or ends the session, for which there
   *     are {@link #call} and {@link #end}, or as {@code ReplayWriter.emit} throws it
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
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
   * Ends the session, and writes its receipt. When only the receipt could not be written, this may
   * be called again, and writes that.
   *
   * @throws IllegalStateException if the session has ended, with its receipt
   * @throws IOException if the end or the receipt cannot be written
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    lock.lock();
    try {
      if (unwritten == null) {
        write(end);
        unwritten = receipt.toSessionReceipt(writer.replayHash());
      }
      SessionReceipt written = unwritten;
      ReceiptFile.create(directory.resolve(Session.RECEIPT_NAME), written);
      unwritten = null;
      return written;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /** The receipt lists results in the order of the log, so both are done under one lock. */
  private WrittenEvent write(ReplayEvent event) throws IOException {
    BlobWriter.LargeEvent large = large(event);
    if (large != null) { // nothing is kept of an event that is refused
      writer.check(large.event());
      large.keep();
    }
    ReplayEvent small = large == null ? event : large.event();
    lock.lock();
    try {
      WrittenEvent written = writer.emit(small);
      receipt.add(written);
      if (event instanceof ToolCall call) {
        open.add(call.id());
      } else if (event instanceof ToolResult result) {
        open.remove(result.id());
      }
      return written;
    } finally {
      lock.unlock();
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
