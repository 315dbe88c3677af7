package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.PING;
import static dev.agentreplay.mcp.Scripts.PONG;
import static dev.agentreplay.mcp.Scripts.answer;
import static dev.agentreplay.mcp.Scripts.count;
import static dev.agentreplay.mcp.Scripts.script;
import static dev.agentreplay.mcp.Scripts.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The proxy and lines that are long, are not messages, or have an id that is open. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class ProxyLinesTest {

  private static final int MAX_BYTES = 300;

  @TempDir
  Path sessions;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private String run(String server, String lines) throws Exception {
    int code = McpProxy.recordingInto(sessions)
        .maxLineBytes(MAX_BYTES)
        .run(script(server), input(lines), out);
    assertThat(code).isZero();
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void long_line_is_forwarded_and_leaves_a_gap_with_its_hash() throws Exception {
    String longLine = PING.replace("ping", "x".repeat(100_000)) + "\n";

    String transcript = run("cat", PING + "\n" + longLine + PING + "\n");

    assertThat(transcript).isEqualTo(PING + "\n" + longLine + PING + "\n");
    Recorded recorded = Recorded.in(sessions);
    String hash =
        ContentHash.sha256(longLine.getBytes(StandardCharsets.ISO_8859_1)).toString();
    assertThat(recorded.gaps())
        .hasSize(2)
        .allMatch(gap -> gap.contains(longLine.length() + " bytes") && gap.contains(hash))
        .anyMatch(gap -> gap.matches("line [2-6], of the client, was not recorded.*"))
        .anyMatch(gap -> gap.matches("line [2-6], of the server, was not recorded.*"));
    assertThat(recorded.runtimeTypes()).hasSize(4);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults())
            .verify(recorded.session())
            .findings())
        .extracting(Finding::code)
        .contains(FindingCode.RECORDING_GAP);
  }

  @Test
  void long_response_does_not_keep_the_proxy_from_ending() throws Exception {
    String longLine = PONG.replace("{}", "{\"a\":\"" + "x".repeat(1000) + "\"}");

    assertThat(run("read -r line; printf '%s' '" + longLine.strip() + "'", PING + "\n"))
        .isEqualTo(longLine.strip());

    Recorded recorded =
        Recorded.read(Sessions.find(sessions).iterator().next().open().session());
    assertThat(recorded.only(SessionEnd.class)).isEmpty(); // another line may be the response
  }

  @Test
  void bytes_that_are_not_text_are_forwarded_unchanged() throws Exception {
    String bytes = "\u00ff\u0000\u00fe\r\n\n" + PING + "\r\n\u00c3";

    assertThat(run("cat", bytes)).isEqualTo(bytes);
  }

  @Test
  void lines_before_the_first_message_are_forwarded_recorded_and_replayed() throws Exception {
    String server = send("starting") + send("") + "printf 'ready\\r\\n'; " + answer(PONG);
    String expected = "starting\n\nready\r\n" + PONG;

    CountDownLatch isReady = new CountDownLatch(1);
    OutputStream ready = new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        if (ProxyLinesTest.this.out.toString(StandardCharsets.UTF_8).contains("ready")) {
          isReady.countDown();
        }
      }
    };
    InputStream afterwards = new FilterInputStream(input(count(1) + "\n")) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
          isReady.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        return super.read(bytes, offset, length);
      }
    };

    McpProxy.recordingInto(sessions).run(script(server), afterwards, ready);

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
    out.reset();
    Recorded recorded = Recorded.in(sessions);
    assertThat(recorded.runtimeTypes()).filteredOn("mcp/text"::equals).hasSize(3);
    try (ActiveReplay replay =
        Replay.of(recorded.session()).policy(McpProxy.policy(ReplayMode.MOCK)).start()) {
      McpProxy.replay(replay.scope(), input(count(1) + "\n"), out);

      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(expected.replace("\r", ""));
      assertThat(replay.finish().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    }
  }

  @Test
  void calls_with_the_same_open_id_are_answered_in_their_order() throws Exception {
    String one = count(1).replace("\"of\":1", "\"of\":\"first\"");
    String two = count(1).replace("\"of\":1", "\"of\":\"second\"");
    String answers = "read -r a; read -r b; "
        + send(PONG.replace("{}", "{\"content\":[],\"n\":1}"))
        + send(PONG.replace("{}", "{\"content\":[],\"n\":2}"));

    String transcript = run(answers, one + "\n" + two + "\n");

    assertThat(transcript.lines()).hasSize(2);
    Recorded recorded = Recorded.in(sessions);
    assertThat(recorded.only(ToolCall.class)).hasSize(2);
    assertThat(recorded.only(ToolResult.class))
        .extracting(result -> result.output().value().at("/n").toString())
        .containsExactly("1", "2");
    assertThat(recorded.only(ToolResult.class))
        .extracting(ToolResult::id)
        .containsExactlyElementsOf(
            recorded.only(ToolCall.class).stream().map(ToolCall::id).toList());
    assertThat(recorded.end().status().isSuccess()).isTrue();
    try (ActiveReplay replay =
        Replay.of(recorded.session()).policy(McpProxy.policy(ReplayMode.MOCK)).start()) {
      ByteArrayOutputStream replayed = new ByteArrayOutputStream();
      McpProxy.replay(replay.scope(), input(one + "\n" + two + "\n"), replayed);

      assertThat(replayed.toString(StandardCharsets.UTF_8).lines())
          .containsExactlyInAnyOrderElementsOf(transcript.lines().toList());
      assertThat(replay.finish().verdict()).isEqualTo(ReplayVerdict.IDENTICAL);
    }
  }

  @Test
  void line_that_is_too_long_ends_a_replay_with_an_error() throws Exception {
    run(answer(PONG), PING + "\n");
    InputStream endless = new InputStream() {
      @Override
      public int read() {
        return 'x';
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        Arrays.fill(bytes, offset, offset + length, (byte) 'x');
        return length;
      }
    };
    try (ActiveReplay replay = Replay.of(Recorded.in(sessions).session())
        .policy(McpProxy.policy(ReplayMode.MOCK))
        .start()) {
      assertThatThrownBy(() -> McpProxy.replay(replay.scope(), endless, out))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("line 1 of the client has more than 67108864 bytes");
    }
  }
}
