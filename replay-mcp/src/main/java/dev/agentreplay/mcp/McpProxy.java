package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between a client and a server over stdio, which records their messages, or replays those
 * of a session. It needs no SDK of the Model Context Protocol.
 *
 * <pre>{@code
 * int exitCode = McpProxy.recordingInto(Path.of("sessions"))
 *     .run(List.of("npx", "-y", "@modelcontextprotocol/server-everything"), System.in, System.out);
 * }</pre>
 *
 * <p>When it records, bytes are passed on as they arrive, in both directions, whatever they are;
 * the server writes to the standard error of this process. The end of one side is that of the
 * other. {@link McpRecorder} specifies the events. Failures of recording never affect client and
 * server.
 *
 * <p>A proxy is used by one thread; a recording proxy may be used for several servers.
 */
public final class McpProxy {

  private static final int BUFFER = 1 << 16;

  /** The time in which a server ends after it was asked to. */
  private static final long GRACE_MILLIS = 2_000;

  /** The time for output of a server that has ended, whose own programs may keep it open. */
  private static final long LAST_OUTPUT_MILLIS = 2_000;

  private final Path sessions;
  private final RecorderOptions options;
  private final RecordingFailures failures = new RecordingFailures("dev.agentreplay.mcp");

  private McpProxy(Path sessions, RecorderOptions options) {
    this.sessions = Objects.requireNonNull(sessions, "sessions");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Creates a proxy that records each run of a server as a session in its own directory, with
   * default options.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpProxy recordingInto(Path sessions) {
    return recordingInto(sessions, RecorderOptions.defaults());
  }

  /**
   * Creates a proxy that records each run of a server as a session in its own directory, named
   * {@code mcp-} and the time.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static McpProxy recordingInto(Path sessions, RecorderOptions options) {
    return new McpProxy(sessions, options);
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger
   * {@code dev.agentreplay.mcp}.
   *
   * @return this
   */
  public McpProxy onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /**
   * Runs a server until it ends. When {@code in} ends, so does the input of the server; when the
   * JVM ends, so does the server.
   *
   * @param command the program of the server, and its arguments
   * @param in the messages of the client
   * @param out receives the messages of the server
   * @return the exit code of the server
   * @throws IOException if the server cannot be started
   * @throws InterruptedException if this thread is interrupted; the server is ended then
   */
  public int run(List<String> command, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    Process server = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    MessageRecording recording = new MessageRecording(GuardedSession.start(
        "mcp", () -> SessionRecorder.startIn(sessions, SessionStart.of("mcp"), options), failures));
    RecordingQueue queue = new RecordingQueue(recording);
    Termination termination = new Termination(server);
    try (termination) {
      Thread toServer =
          pump("replay-mcp-client", in, server.getOutputStream(), queue.lines(Side.CLIENT));
      Thread toClient =
          pump("replay-mcp-server", server.getInputStream(), out, queue.lines(Side.SERVER));
      toServer.start();
      toClient.start();
      int exitCode = server.waitFor();
      toClient.join(LAST_OUTPUT_MILLIS);
      queue.end();
      recording.end(
          termination.hasBegun()
              ? SessionEnd.of(Status.CANCELLED).withSummary("the proxy was terminated")
              : end(exitCode, recording.openRequests()));
      return exitCode;
    } catch (InterruptedException e) {
      end(server);
      recording.close();
      throw e;
    }
  }

  private static SessionEnd end(int exitCode, long openRequests) {
    boolean isDone = exitCode == 0 && openRequests == 0;
    SessionEnd end = SessionEnd.of(isDone ? Status.SUCCESS : Status.FAILED);
    return isDone
        ? end
        : end.withSummary("the server ended with exit code %d, and did not answer %d requests"
            .formatted(exitCode, openRequests));
  }

  /** Ends a server, unless it has ended. */
  static void end(Process server) {
    server.destroy();
    boolean isInterrupted = false;
    try {
      if (server.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    server.destroyForcibly();
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A thread that passes bytes on, each line after it is in the queue of the recording. */
  private static Thread pump(String name, InputStream from, OutputStream to, LineFeed lines) {
    Thread thread = new Thread(
        () -> {
          byte[] buffer = new byte[BUFFER];
          try (to) {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
              lines.add(buffer, n);
              to.write(buffer, 0, n);
              to.flush();
            }
          } catch (IOException closed) {
            close(from); // so that the sender sees that the receiver has ended
          } finally {
            lines.end();
          }
        },
        name);
    thread.setDaemon(true);
    return thread;
  }

  private static void close(Closeable stream) {
    try {
      stream.close();
    } catch (IOException alreadyClosed) {
      // it has ended
    }
  }

  /**
   * The preset of a mode, in which the client also answers the requests of the server, and its
   * answers are compared.
   *
   * @throws IllegalArgumentException if nothing runs in the mode
   */
  public static ReplayPolicy policy(ReplayMode mode) {
    return Policies.of(mode);
  }

  /**
   * Answers a client from a replay, without a server, until its input ends.
   *
   * @param scope the scope of the replay; that of {@link #policy} asks the client what the server
   *     asks
   * @param in the messages of the client
   * @param out receives the messages of the server
   * @throws IOException if the recording cannot be read
   */
  public static void replay(AgentScope scope, InputStream in, OutputStream out) throws IOException {
    serve(scope, null, in, out);
  }

  /**
   * Answers a client from a replay until its input ends. What the policy of the replay executes is
   * executed by a server.
   *
   * @param command the program of the server, and its arguments
   * @throws IOException if the recording cannot be read, or the server cannot be started
   */
  public static void replay(
      AgentScope scope, List<String> command, InputStream in, OutputStream out) throws IOException {
    Process server = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try {
      serve(scope, server, in, out);
    } finally {
      end(server);
    }
  }

  private static void serve(
      AgentScope scope, @Nullable Process server, InputStream in, OutputStream out)
      throws IOException {
    Consumer<String> toClient = writer(out);
    Consumer<String> toServer = server == null ? null : writer(server.getOutputStream());
    try (ReplayedConversation conversation = new ReplayedConversation(scope, toClient, toServer)) {
      Thread reader = null;
      if (server != null) {
        reader = new Thread(
            () -> {
              try {
                read(server.getInputStream(), conversation::fromServer);
              } catch (IOException ended) {
                // its requests are not answered
              }
              conversation.serverEnded();
            },
            "replay-mcp-server");
        reader.setDaemon(true);
        reader.start();
      }
      read(in, conversation::fromClient);
      if (server != null && reader != null) {
        close(server.getOutputStream());
        awaitEnd(reader);
      }
    }
  }

  private static void awaitEnd(Thread thread) {
    try {
      thread.join(GRACE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Consumer<String> writer(OutputStream out) {
    return new Consumer<>() {
      @Override
      public synchronized void accept(String text) {
        try {
          out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
        } catch (IOException closed) {
          // the other side has ended, which the end of its output shows
        }
      }
    };
  }

  private static void read(InputStream in, Consumer<String> lines) throws IOException {
    LineFeed feed = new LineFeed(new LineFeed.Lines() {
      @Override
      public void line(String text, int bytes) {
        lines.accept(text);
      }

      @Override
      public void tooLong(long bytes) {
        lines.accept("");
      }
    });
    byte[] buffer = new byte[BUFFER];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      feed.add(buffer, n);
    }
    feed.end();
  }
}
