package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.PING;
import static dev.agentreplay.mcp.Scripts.PONG;
import static dev.agentreplay.mcp.Scripts.answer;
import static dev.agentreplay.mcp.Scripts.script;
import static dev.agentreplay.mcp.Scripts.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The end of a conversation through the proxy: of the client, of the server, of a slow reader. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProxyEndTest {

  private static final int GRACE_MILLIS = 200;

  @TempDir
  Path sessions;

  private int run(List<String> server, OutputStream out) throws Exception {
    return run(server, input(PING + "\n"), out);
  }

  private int run(List<String> server, InputStream in, OutputStream out) throws Exception {
    return McpProxy.recordingInto(sessions).graceMillis(GRACE_MILLIS).run(server, in, out);
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @Tag("slow")
  void request_is_answered_long_after_the_client_has_ended() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code = McpProxy.recordingInto(sessions)
        .graceMillis(1_000)
        .run(script("cat > /dev/null; sleep 2; " + send(PONG)), input(PING + "\n"), out);

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(PONG);
    Recorded recorded = Recorded.in(sessions);
    assertThat(recorded.runtimeTypes()).containsExactly("mcp/ping", "mcp/ping/result");
    assertThat(recorded.end().status().isSuccess()).isTrue();
  }

  @Test
  void output_is_passed_on_as_slowly_as_the_client_reads() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream() {
      @Override
      public synchronized void write(byte[] bytes, int offset, int length) {
        if (size() == 0) {
          pause(5L * GRACE_MILLIS); // a client that is busy
        }
        super.write(bytes, offset, length);
      }
    };

    int code = run(
        script(answer(PONG) + "i=0; while [ $i -lt 1000 ]; do echo \"line $i\"; i=$((i+1)); done"),
        out);

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(1001);
    assertThat(Recorded.in(sessions).runtimeTypes()).hasSize(1002);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void server_that_does_not_end_with_its_input_is_terminated() throws Exception {
    int code =
        run(script(answer(PONG) + "while :; do sleep 5; done"), OutputStream.nullOutputStream());

    assertThat(code).isEqualTo(143);
    Recorded recorded = Recorded.in(sessions);
    assertThat(recorded.end().status().kind()).isEqualTo(Status.FAILED.kind());
    assertThat(recorded.end().summary()).contains("did not end when its input ended");
  }

  @Test
  void server_that_ignores_the_request_to_end_is_killed() throws Exception {
    int code = run(
        script("trap '' TERM; " + answer(PONG) + "while :; do sleep 0.2; done"),
        OutputStream.nullOutputStream());

    assertThat(code).isEqualTo(137);
  }

  @Test
  void server_that_reads_nothing_and_ignores_the_request_to_end_is_killed() throws Exception {
    String lines = (PING + "\n").repeat(20_000); // more than a pipe has room for
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };

    int code = run(
        script("trap '' TERM; " + send(PONG) + "while :; do sleep 0.2; done"),
        input(lines),
        closed);

    assertThat(code).isEqualTo(137);
  }

  @Test
  @Tag("slow")
  void last_line_of_a_server_that_is_asked_to_end_is_recorded_and_forwarded() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int code = McpProxy.recordingInto(sessions)
        .graceMillis(2_000)
        .run(
            script(
                "trap 'echo last; exit 0' TERM; " + answer(PONG) + "while :; do sleep 0.1; done"),
            input(PING + "\n"),
            out);

    assertThat(code).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(PONG + "last\n");
    assertThat(Recorded.in(sessions).runtimeTypes())
        .containsExactly("mcp/ping", "mcp/ping/result", "mcp/text");
  }

  @Test
  void client_that_closes_its_end_does_not_keep_the_server() throws Exception {
    OutputStream closed = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("Broken pipe");
      }
    };
    Pipe pipe = Pipe.open();
    InputStream open =
        new SequenceInputStream(input(PING + "\n"), Channels.newInputStream(pipe.source()));

    int code = McpProxy.recordingInto(sessions).run(script(answer(PONG) + "cat"), open, closed);

    assertThat(code).isZero();
    pipe.sink().close();
  }

  @Test
  void response_that_is_not_valid_json_does_not_keep_the_server() throws Exception {
    String twice = PONG.replace("\"result\":{}", "\"result\":{},\"result\":{}");

    int code =
        run(script(answer(twice) + "while :; do sleep 0.2; done"), OutputStream.nullOutputStream());

    assertThat(code).isEqualTo(143);
  }

  @Test
  void server_that_never_answers_is_terminated() throws Exception {
    int code = McpProxy.recordingInto(sessions)
        .graceMillis(GRACE_MILLIS)
        .maxSilenceMillis(GRACE_MILLIS)
        .run(
            script("while :; do sleep 0.2; done"),
            input(PING + "\n"),
            OutputStream.nullOutputStream());

    assertThat(code).isEqualTo(143);
    assertThat(Recorded.in(sessions).end().summary()).contains("1 requests");
  }

  @Test
  void client_that_neither_reads_nor_closes_its_end_does_not_keep_the_proxy() throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    OutputStream full = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        try {
          isOver.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    };

    int code = McpProxy.recordingInto(sessions)
        .graceMillis(GRACE_MILLIS)
        .maxSilenceMillis(GRACE_MILLIS)
        .run(script(answer(PONG) + "while :; do sleep 0.2; done"), input(PING + "\n"), full);
    isOver.countDown();

    assertThat(code).isEqualTo(143);
  }

  @Test
  void input_of_the_client_that_cannot_be_read_fails_the_run() throws Exception {
    InputStream torn = new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("torn");
      }
    };

    assertThatThrownBy(() -> run(script("cat"), torn, OutputStream.nullOutputStream()))
        .isInstanceOf(IOException.class)
        .hasMessage("torn");

    assertThat(Recorded.in(sessions).end().status().kind()).isEqualTo(Status.FAILED.kind());
  }

  @Test
  void failure_of_a_thread_ends_the_run() {
    InputStream failing = new InputStream() {
      @Override
      public int read() {
        throw new IllegalStateException("a defect");
      }
    };

    assertThatThrownBy(() -> run(script("cat"), failing, OutputStream.nullOutputStream()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a defect");
  }

  @Test
  void error_of_a_thread_ends_the_session() throws Exception {
    OutputStream failing = new OutputStream() {
      @Override
      public void write(int b) {
        throw new AssertionError("a defect");
      }
    };

    assertThatThrownBy(() -> run(script(answer(PONG) + "cat"), failing))
        .isInstanceOf(AssertionError.class);

    Recorded recorded = Recorded.in(sessions);
    assertThat(recorded.end().status().kind()).isEqualTo(Status.FAILED.kind());
    assertThat(recorded.end().summary()).contains("the proxy failed: ").contains("a defect");
  }
}
