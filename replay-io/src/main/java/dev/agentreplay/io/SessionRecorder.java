package dev.agentreplay.io;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records a session into a directory: its log as it happens, and its receipt at the end. An agent's
 * runtime calls it inline, between the model and its tools; safe for use by several threads.
 *
 * <p>Closing without {@link #end} leaves the log open: no end is invented, and there is no receipt.
 */
public final class SessionRecorder implements Closeable {

  private final Path directory;
  private final ReplayWriter writer;
  private final ReceiptBuilder receipt = new ReceiptBuilder();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong calls = new AtomicLong();

  private SessionRecorder(Path directory, ReplayWriter writer) {
    this.directory = directory;
    this.writer = writer;
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
   * @throws FileAlreadyExistsException if the directory holds a log or a receipt already
   */
  public static SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
      throws IOException {
    Objects.requireNonNull(start, "start");
    Files.createDirectories(directory);
    Path receiptFile = directory.resolve(Session.RECEIPT_NAME);
    if (Files.exists(receiptFile)) {
      throw new FileAlreadyExistsException(receiptFile.toString());
    }
    ReplayWriter writer = ReplayWriter.create(
        directory.resolve(Session.LOG_NAME), ReplayHeader.of(options.producer()), options.writer());
    SessionRecorder recorder = new SessionRecorder(directory, writer);
    try {
      recorder.emit(start);
      return recorder;
    } catch (IOException | RuntimeException e) {
      try (recorder) {
        throw e;
      }
    }
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /** Records that a tool is called; the id is made up: "call-1", "call-2" and so on. */
  public RecordedCall call(String tool, JsonValue params) throws IOException {
    return call(ToolCall.of("call-" + calls.incrementAndGet(), tool, params));
  }

  /** Records that a tool is called, with an id and a step of the caller's. */
  public RecordedCall call(ToolCall call) throws IOException {
    emit(call);
    return new RecordedCall(this, call.id());
  }

  /**
   * Calls a tool, and records the call with what it returned, or what it threw.
   *
   * @return what the tool returned
   * @throws IllegalArgumentException if what the tool returned has no JSON form; that is recorded
   * @throws IOException if the call cannot be recorded; the tool was not run then
   * @throws Exception what the tool threw
   */
  public <T extends @Nullable Object> T run(String tool, JsonObject params, Callable<T> body)
      throws Exception {
    RecordedCall call = call(tool, params);
    T output;
    try {
      output = body.call();
    } catch (Exception | Error failure) {
      try {
        call.failed(failure);
      } catch (IOException | RuntimeException notRecorded) {
        failure.addSuppressed(notRecorded);
      }
      throw failure;
    }
    try {
      call.result(output);
    } catch (IllegalArgumentException noJsonForm) {
      call.failed(noJsonForm);
      throw noJsonForm;
    }
    return output;
  }

  /**
   * Records any event, as {@link ReplayWriter#emit} does.
   *
   * @throws IllegalArgumentException if the event ends the session; that is what {@link #end} is
   *     for
   */
  public WrittenEvent emit(ReplayEvent event) throws IOException {
    if (event instanceof SessionEnd) {
      throw new IllegalArgumentException("a session is ended by end()");
    }
    return write(event);
  }

  /** Ends the session, and writes its receipt. */
  public SessionReceipt end(Status status, double confidence) throws IOException {
    return end(SessionEnd.of(status).withConfidence(confidence));
  }

  /**
   * Ends the session, and writes its receipt.
   *
   * @throws IllegalStateException if the session has ended
   */
  public SessionReceipt end(SessionEnd end) throws IOException {
    lock.lock();
    try {
      write(end);
      Session session = new Session(writer.file(), null);
      SessionReceipt made = receipt.toSessionReceipt(session.replayHash());
      String text = JsonText.pretty(ReceiptCodec.encode(made)) + "\n";
      AtomicFiles.writeString(directory.resolve(Session.RECEIPT_NAME), text);
      return made;
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
    lock.lock();
    try {
      WrittenEvent written = writer.emit(event);
      receipt.add(written);
      return written;
    } finally {
      lock.unlock();
    }
  }
}
