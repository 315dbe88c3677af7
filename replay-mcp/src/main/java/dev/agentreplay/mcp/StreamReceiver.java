package dev.agentreplay.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A side that reads its messages from a stream, as lines. Safe for use by several threads. */
final class StreamReceiver implements Receiver {

  private final OutputStream out;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  StreamReceiver(OutputStream out) {
    this.out = out;
  }

  @Override
  public void send(String text, Consumer<Throwable> onFailure) {
    try {
      write(text);
    } catch (IOException e) {
      closed.complete(null);
      onFailure.accept(e);
    }
  }

  private synchronized void write(String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Completes when the side has closed its end. */
  CompletableFuture<Void> closed() {
    return closed;
  }
}
