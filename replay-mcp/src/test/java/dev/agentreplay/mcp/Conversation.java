package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A scripted client: it writes lines, and after each the script reads as many lines as it expects.
 * Its transcript has every byte that it received.
 */
final class Conversation {

  /** A step: a line to send, and the number of lines that follow. */
  record Step(String line, int answers) {}

  interface Peer {
    int run(InputStream in, OutputStream out) throws Exception;
  }

  private static final long MAX_SECONDS = 30;

  private Conversation() {}

  static Step send(String line, int answers) {
    return new Step(line, answers);
  }

  static Step call(int id, String tool, String arguments, int answers) {
    return send(
        "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
            + tool + "\",\"arguments\":" + arguments + ",\"_meta\":{\"progressToken\":\"t" + id
            + "\"}}}",
        answers);
  }

  /** All methods, in an order in which each answer can be waited for. */
  static List<Step> script() {
    List<Step> steps = new ArrayList<>();
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
            + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
        1));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 1));
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"id\":\"r1\",\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}", 1));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"id\":\"list\",\"method\":\"tools/list\"}", 1));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", 1));
    steps.add(call(2, "echo", "{\"message\":\"h\u00e9llo \ud83d\ude00 \\u0001\"}", 1));
    steps.add(call(2, "echo", "{\"message\":\"again, with the same id\"}", 1));
    steps.add(call(3, "structured", "{}", 1));
    steps.add(call(4, "spaced", "{}", 1));
    steps.add(call(5, "surrogate", "{}", 1));
    steps.add(call(6, "failing", "{}", 1));
    steps.add(call(7, "error", "{}", 1));
    steps.add(call(8, "progress", "{}", 4));
    steps.add(call(9, "sample", "{}", 1));
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"role\":\"assistant\",\"content\":{\"type\":"
            + "\"text\",\"text\":\"yes\"},\"model\":\"m\",\"stopReason\":\"endTurn\"}}",
        1));
    steps.add(call(10, "elicit", "{}", 1));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}", 1));
    steps.add(call(11, "garbage", "{}", 3));
    steps.add(send("not JSON, from the client", 1));
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"resources/read\",\"params\":{\"uri\":\"a://b\"}}",
        1));
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\"}}",
        1));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"id\":14,\"method\":\"unknown/method\"}", 1));
    steps.add(call(15, "never", "{}", 0));
    steps.add(send(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":15,"
            + "\"reason\":\"late\"}}",
        0));
    steps.add(send("{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}", 1));
    return steps;
  }

  /** Runs a script against a peer in this process. */
  static String run(List<Step> steps, Peer peer) throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    OutputStream toPeer = Channels.newOutputStream(there.sink());
    InputStream in = Channels.newInputStream(there.source());
    OutputStream fromPeer = Channels.newOutputStream(back.sink());
    InputStream out = Channels.newInputStream(back.source());
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread thread = new Thread(() -> {
      try (fromPeer) {
        code.complete(peer.run(in, fromPeer));
      } catch (Throwable e) {
        code.completeExceptionally(e);
      }
    });
    thread.setDaemon(true);
    thread.start();
    String transcript = run(steps, toPeer, out);
    code.get();
    return transcript;
  }

  /** Runs a script against the server itself. */
  static String direct(List<Step> steps) throws Exception {
    return run(steps, (in, out) -> {
      TestServer.serve(in, out);
      return 0;
    });
  }

  private static String run(List<Step> steps, OutputStream to, InputStream from)
      throws IOException, InterruptedException {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(from, lines));
    reader.setDaemon(true);
    reader.start();
    StringBuilder transcript = new StringBuilder();
    for (Step step : steps) {
      to.write((step.line() + "\n").getBytes(StandardCharsets.UTF_8));
      to.flush();
      for (int i = 0; i < step.answers(); i++) {
        String line = lines.poll(MAX_SECONDS, TimeUnit.SECONDS);
        assertThat(line).as("answer to " + step + " after\n" + transcript).isNotNull();
        transcript.append(line);
      }
    }
    to.close();
    reader.join(TimeUnit.SECONDS.toMillis(MAX_SECONDS));
    assertThat(reader.isAlive()).as("the output ends after the input").isFalse();
    lines.forEach(transcript::append);
    return transcript.toString();
  }

  private static void read(InputStream from, BlockingQueue<String> lines) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (InputStream in = new BufferedInputStream(from)) {
      for (int b = in.read(); b >= 0; b = in.read()) {
        line.write(b);
        if (b == '\n') {
          lines.add(line.toString(StandardCharsets.UTF_8));
          line.reset();
        }
      }
    } catch (IOException e) {
      lines.add("read: " + e);
    }
    if (line.size() > 0) {
      lines.add(line.toString(StandardCharsets.UTF_8));
    }
  }
}
