package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.PING;
import static dev.agentreplay.mcp.Scripts.PONG;
import static dev.agentreplay.mcp.Scripts.count;
import static dev.agentreplay.mcp.Scripts.counting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The decorated transports of the SDK: signals, threads, order, and the end of the session. */
@Timeout(60)
class TransportTest {

  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
      + "\"params\":{\"level\":\"info\",\"data\":\"%d\"}}";

  @TempDir
  Path sessions;

  private final FakeTransport fake = new FakeTransport();

  private McpClientTransport recorded() {
    return McpRecorder.into(sessions).record(fake);
  }

  private SessionEnd end() throws Exception {
    return Recorded.in(sessions).end();
  }

  private static String text(JSONRPCMessage message) {
    try {
      return SdkMessages.text(message);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void send(McpClientTransport transport, String text) {
    transport.sendMessage(FakeTransport.message(text)).block();
  }

  /** The signals that a client gets from a transport, with their threads. */
  private static List<String> signals(FakeTransport server, McpClientTransport transport) {
    List<String> signals = new ArrayList<>();
    transport.setExceptionHandler(e -> signals.add(Thread.currentThread() + " failed: " + e));
    transport
        .connect(incoming ->
            incoming.doOnNext(message -> signals.add(Thread.currentThread() + " " + text(message))))
        .block();
    for (int i = 0; i < 20; i++) {
      send(transport, PING.replace("\"id\":1", "\"id\":" + i));
      server.receive(NOTE.formatted(i));
      server.receive(PONG.replace("\"id\":1", "\"id\":" + i));
    }
    server.fail(new IOException("torn"));
    server.sendFailure = new IllegalStateException("not sent");
    transport
        .sendMessage(FakeTransport.message(PING))
        .doOnError(e -> signals.add(Thread.currentThread() + " not sent: " + e))
        .onErrorComplete()
        .block();
    server.closeFailure = new IllegalStateException("not closed");
    transport
        .closeGracefully()
        .doOnError(e -> signals.add(Thread.currentThread() + " not closed: " + e))
        .onErrorComplete()
        .block();
    return signals;
  }

  @Test
  void client_gets_the_same_signals_on_the_same_threads() {
    FakeTransport plain = new FakeTransport();
    List<String> expected = signals(plain, plain);

    assertThat(signals(fake, recorded())).isEqualTo(expected).hasSize(43);
    assertThat(fake.sent).isEqualTo(plain.sent);
  }

  @Test
  void transport_that_is_closed_without_open_requests_has_succeeded() throws Exception {
    McpClientTransport transport = recorded();
    transport.connect(incoming -> incoming).block();
    send(transport, PING);
    fake.receive(PONG);
    transport.closeGracefully().block();

    assertThat(end().status().isSuccess()).isTrue();
  }

  /** Whether the session has an end, read while the transport may still be used. */
  private boolean isEnded() {
    try {
      List<SessionLocation> found = new ArrayList<>();
      Sessions.find(sessions).forEach(found::add);
      return !Recorded.read(found.get(0).open().session())
          .only(SessionEnd.class)
          .isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static final class Closing extends ForwardingTransport {
    final Sinks.Empty<Void> closed = Sinks.empty();

    Closing(FakeTransport transport) {
      super(transport);
    }

    @Override
    public Mono<Void> closeGracefully() {
      return closed.asMono();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void session_is_ended_before_the_client_sees_that_the_transport_is_closed(boolean fails) {
    Closing closing = new Closing(fake);
    AtomicReference<Boolean> isEnded = new AtomicReference<>();
    McpClientTransport transport = McpRecorder.into(sessions).record(closing);
    transport
        .closeGracefully()
        .subscribe(none -> {}, e -> isEnded.set(isEnded()), () -> isEnded.set(isEnded()));
    assertThat(isEnded()).isFalse();

    if (fails) {
      closing.closed.emitError(new IllegalStateException(), Sinks.EmitFailureHandler.FAIL_FAST);
    } else {
      closing.closed.emitEmpty(Sinks.EmitFailureHandler.FAIL_FAST);
    }

    assertThat(isEnded).hasValue(true);
  }

  @Test
  void close_ends_the_session_when_the_transport_has_closed() throws Exception {
    Closing closing = new Closing(fake);
    McpClientTransport transport = McpRecorder.into(sessions).record(closing);
    transport.connect(incoming -> incoming).block();
    send(transport, PING);
    transport.close();
    assertThat(isEnded()).isFalse();
    fake.receive(PONG);

    closing.closed.emitEmpty(Sinks.EmitFailureHandler.FAIL_FAST);

    assertThat(end().status().isSuccess()).isTrue();
  }

  /** The ways in which a connection fails. */
  enum Fault {
    OPEN_REQUEST("the transport was closed, and 1 requests were not answered"),
    CONNECT("the transport failed: refused"),
    SEND("the transport failed: not sent"),
    READ("the transport failed: torn"),
    CLOSE("the transport failed: not closed");

    final String summary;

    Fault(String summary) {
      this.summary = summary;
    }
  }

  @ParameterizedTest
  @EnumSource
  void session_of_a_connection_that_fails_does_not_state_success(Fault fault) throws Exception {
    McpClientTransport transport = recorded();
    transport.setExceptionHandler(e -> {});
    fake.connectFailure = fault == Fault.CONNECT ? new IllegalStateException("refused") : null;
    fake.sendFailure = fault == Fault.SEND ? new IllegalStateException("not sent") : null;
    fake.closeFailure = fault == Fault.CLOSE ? new IllegalStateException("not closed") : null;
    transport.connect(incoming -> incoming).onErrorComplete().block();
    if (fault == Fault.READ) {
      fake.fail(new IOException("torn"));
    } else if (fault != Fault.CLOSE && fault != Fault.CONNECT) {
      transport.sendMessage(FakeTransport.message(PING)).onErrorComplete().block();
    }
    transport.closeGracefully().onErrorComplete().block();

    assertThat(end().status().kind()).isEqualTo(Status.FAILED.kind());
    assertThat(end().summary()).startsWith(fault.summary);
  }

  private ActiveReplay replayOfCalls(ReplayMode mode) throws Exception {
    McpProxy.recordingInto(sessions)
        .run(
            counting(),
            new ByteArrayInputStream(
                (count(1) + "\n" + count(2) + "\n").getBytes(StandardCharsets.UTF_8)),
            OutputStream.nullOutputStream());
    return Replay.of(Recorded.in(sessions).session())
        .policy(McpReplayer.policy(mode).withEffect("count", Effect.PURE))
        .start();
  }

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

  private String next() throws InterruptedException {
    return String.valueOf(received.poll(60, TimeUnit.SECONDS));
  }

  private void connect(McpClientTransport transport) {
    transport
        .connect(incoming ->
            incoming.doOnNext(message -> received.add(text(message))).then(Mono.empty()))
        .block();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void messages_of_a_live_server_keep_their_order() throws Exception {
    try (ActiveReplay replay = replayOfCalls(ReplayMode.TOOLS_LIVE)) {
      McpClientTransport transport = McpReplayer.of(replay.scope()).replay(fake);
      connect(transport);
      for (int i = 0; i < 200; i++) {
        fake.receive(NOTE.formatted(i));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(next()).contains("\"" + i + "\"");
      }
      transport.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisabledOnOs(OS.WINDOWS)
  void messages_of_the_client_are_sent_before_the_live_transport_is_closed(boolean isGraceful)
      throws Exception {
    AtomicReference<Integer> sentAtClose = new AtomicReference<>();
    try (ActiveReplay replay = replayOfCalls(ReplayMode.TOOLS_LIVE)) {
      McpClientTransport closing = new ForwardingTransport(fake) {
        @Override
        public Mono<Void> closeGracefully() {
          sentAtClose.set(fake.sent.size());
          return Mono.empty();
        }
      };
      McpClientTransport transport = McpReplayer.of(replay.scope()).replay(closing);
      connect(transport);
      for (int i = 0; i < 200; i++) {
        send(transport, PING);
      }
      if (isGraceful) {
        transport.closeGracefully().block();
      } else {
        transport.close();
      }
    }
    assertThat(sentAtClose).hasValue(200);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void failure_to_send_to_a_live_server_is_the_answer() throws Exception {
    fake.sendFailure = new IllegalStateException("connection refused");
    try (ActiveReplay replay = replayOfCalls(ReplayMode.TOOLS_LIVE)) {
      McpClientTransport transport = McpReplayer.of(replay.scope()).replay(fake);
      connect(transport);
      send(transport, count(1));
      assertThat(next()).contains("-32603").contains("connection refused");
      send(transport, PING);
      assertThat(next()).contains("-32603").contains("connection refused");
      transport.close();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void transport_whose_messages_are_sent_late_does_not_keep_others() throws Exception {
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    try (ActiveReplay replay = replayOfCalls(ReplayMode.TOOLS_LIVE)) {
      McpClientTransport late = new ForwardingTransport(fake) {
        @Override
        public Mono<Void> sendMessage(JSONRPCMessage message) {
          sent.add(text(message));
          return Mono.never(); // as one over HTTP, until the response comes
        }
      };
      McpClientTransport transport = McpReplayer.of(replay.scope()).replay(late);
      connect(transport);
      send(transport, count(1));
      send(transport, count(2));
      assertThat(sent.poll(60, TimeUnit.SECONDS)).contains("\"id\":1");
      assertThat(sent.poll(60, TimeUnit.SECONDS)).contains("\"id\":2");
      fake.receive(PONG.replace("{}", "{\"content\":[]}").replace("\"id\":1", "\"id\":2"));
      assertThat(next()).contains("\"id\":2");
      fake.receive(PONG.replace("{}", "{\"content\":[]}"));
      assertThat(next()).contains("\"id\":1");
      transport.close();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void handler_may_send_a_message_and_wait_until_it_is_sent() throws Exception {
    try (ActiveReplay replay = replayOfCalls(ReplayMode.MOCK)) {
      McpClientTransport transport = McpReplayer.of(replay.scope()).transport();
      transport
          .connect(incoming -> incoming
              .doOnNext(message -> {
                received.add(text(message));
                if (text(message).contains("\"id\":1")) {
                  send(transport, count(2));
                }
              })
              .then(Mono.empty()))
          .block();
      send(transport, count(1));

      assertThat(next()).contains("\"id\":1").contains("result");
      assertThat(next()).contains("\"id\":2").contains("result");
      transport.close();
      assertThatThrownBy(() -> send(transport, count(1))).hasMessageContaining("is closed");
    }
  }
}
