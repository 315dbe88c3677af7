package dev.agentreplay.mcp;

import dev.agentreplay.model.Failure;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One run of a server, whose messages are recorded and then forwarded. */
final class RecordedRun {

  private final ServerProcess server;
  private final MessageRecording recording;
  private final LineSource client;
  private final LineSource output;

  /** Completes when the input of the server has ended, or the client reads nothing more. */
  private final CompletableFuture<Void> clientEnd = new CompletableFuture<>();

  private final RunFailure failure = new RunFailure();

  private volatile boolean isClientClosed;

  RecordedRun(
      ServerProcess server,
      MessageRecording recording,
      InputStream in,
      OutputStream out,
      int maxLineBytes) {
    this.server = server;
    this.recording = recording;
    Process process = server.process();
    this.client = new LineSource(
        "replay-mcp-client",
        Side.CLIENT,
        in,
        new LineFeed(new Relay(Side.CLIENT, recording, process.getOutputStream()), maxLineBytes));
    this.output = new LineSource(
        "replay-mcp-server",
        Side.SERVER,
        process.getInputStream(),
        new LineFeed(new Relay(Side.SERVER, recording, out), maxLineBytes));
  }

  /**
   * Waits until the server ends, and ends the session.
   *
   * @return the exit code of the server
   * @throws IOException if a message could not be recorded
   */
  int run() throws IOException, InterruptedException {
    client.onEnd((end, failed) -> ended(true, failed));
    output.onEnd((end, failed) -> {
      isClientClosed = end == LineSource.End.RECEIVER;
      ended(isClientClosed, failed);
    });
    failure.onSet(server::askToEnd);
    client.start();
    output.start();
    try {
      boolean isEndedByItself = awaitServer();
      server.awaitLastOutput(output);
      failure.check();
      int exitCode = server.process().exitValue();
      if (server.isTerminated()) {
        recording.end(SessionEnd.of(Status.CANCELLED).withSummary("the proxy was terminated"));
      } else if (exitCode == 0 && recording.openRequests() == 0 && recording.isUnsure()) {
        recording.close();
      } else {
        recording.end(end(exitCode, isEndedByItself));
      }
      return exitCode;
    } catch (InterruptedException e) {
      server.end();
      recording.close();
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      server.end();
      recording.end(
          SessionEnd.of(Status.FAILED).withSummary("the proxy failed: " + Failure.message(e)));
      throw e;
    }
  }

  private void ended(boolean isEndOfClient, @Nullable Throwable failed) {
    if (failed != null) {
      failure.set(failed);
    } else if (isEndOfClient) {
      clientEnd.complete(null);
    }
  }

  /** Returns whether the server has ended by itself. */
  private boolean awaitServer() throws IOException, InterruptedException {
    failure.await(CompletableFuture.anyOf(server.exit(), clientEnd));
    if (!clientEnd.isDone()) {
      return true;
    }
    server.closeInput();
    return server.awaitEnd(
        output, () -> !failure.isSet() && !isClientClosed, () -> recording.openRequests() > 0);
  }

  private SessionEnd end(int exitCode, boolean isEndedByItself) {
    long openRequests = recording.openRequests();
    if (exitCode == 0 && openRequests == 0) {
      return SessionEnd.of(Status.SUCCESS);
    }
    String summary = "the server ended with exit code %d, and did not answer %d requests"
        .formatted(exitCode, openRequests);
    return SessionEnd.of(Status.FAILED)
        .withSummary(isEndedByItself ? summary : summary + "; it did not end when its input ended");
  }
}
