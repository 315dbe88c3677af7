package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.AgentScope;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of a proxy that answers a client from a replay, over streams. */
final class ReplayedRun {

  private final RunFailure failure = new RunFailure();
  private final ReplayedConversation conversation;
  private final StreamReceiver toClient;
  private final @Nullable ServerProcess server;
  private final LineSource client;
  private final @Nullable LineSource output;

  private ReplayedRun(
      AgentScope scope, @Nullable ServerProcess server, InputStream in, OutputStream out)
      throws IOException {
    this.server = server;
    this.toClient = new StreamReceiver(out);
    StreamReceiver toServer =
        server == null ? null : new StreamReceiver(server.process().getOutputStream());
    ReplayedConversation replayed =
        new ReplayedConversation(scope, toClient, toServer, failure::set);
    this.conversation = replayed;
    this.client = source("replay-mcp-client", in, Side.CLIENT, replayed::fromClient);
    this.output = server == null
        ? null
        : source(
            "replay-mcp-server",
            server.process().getInputStream(),
            Side.SERVER,
            replayed::fromServer);
  }

  /**
   * Answers a client until its input ends, and the server has ended.
   *
   * @param server the server that executes; null if there is none
   */
  static void run(
      AgentScope scope, @Nullable ServerProcess server, InputStream in, OutputStream out)
      throws IOException {
    new ReplayedRun(scope, server, in, out).run();
  }

  private static LineSource source(
      String name, InputStream in, Side sender, Consumer<String> lines) {
    return new LineSource(name, sender, in, new LineFeed(new TextLines(sender, lines)));
  }

  private void run() throws IOException {
    try {
      conversation.begin();
      CompletableFuture<LineSource.End> clientEnd = client.end();
      client.start();
      CompletableFuture<Void> termination = new CompletableFuture<>();
      if (server != null && output != null) {
        termination = server.termination();
        failure.onSet(server::askToEnd);
        output.onEnd((end, failed) -> outputEnded(failed));
        output.start();
        server.onExit(() -> serverExited(server, output));
      }
      failure.await(CompletableFuture.anyOf(clientEnd, toClient.closed(), termination));
      conversation.clientEnded();
      if (server != null && output != null) {
        awaitServer(server, output);
      }
      conversation.close();
      failure.check();
    } catch (InterruptedException e) {
      conversation.abort();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the replay was interrupted");
    } catch (Throwable e) {
      conversation.abort();
      throw e;
    }
  }

  /** Ends the wait for a server whose own programs keep its output open. */
  private void serverExited(ServerProcess process, LineSource last) {
    try {
      process.awaitLastOutput(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    conversation.serverEnded();
  }

  private void outputEnded(@Nullable Throwable failed) {
    if (failed != null) {
      failure.set(failed);
    }
    conversation.serverEnded();
  }

  private void awaitServer(ServerProcess process, LineSource last) throws InterruptedException {
    process.closeInput();
    process.awaitEnd(
        last, () -> !failure.isSet() && !toClient.closed().isDone(), conversation::isBusy);
    process.awaitLastOutput(last);
    conversation.serverEnded();
  }

  /** The texts of the lines of a side. */
  private static final class TextLines implements LineFeed.Lines {
    private final Side sender;
    private final Consumer<String> texts;
    private long lines;

    TextLines(Side sender, Consumer<String> texts) {
      this.sender = sender;
      this.texts = texts;
    }

    @Override
    public void line(Line line) {
      lines++;
      texts.accept(line.text());
    }

    @Override
    public void piece(byte[] bytes, int from, int to, boolean isLast) throws IOException {
      throw new IOException("line %d of the %s has more than %d bytes, and cannot be replayed"
          .formatted(lines + 1, sender.id(), LineFeed.MAX_BYTES));
    }

    @Override
    public void end() {}
  }
}
