package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.PING;
import static dev.agentreplay.mcp.Scripts.count;
import static dev.agentreplay.mcp.Scripts.counting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The order of messages in a replay in which a live server executes the tools. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class LiveOrderTest {

  private static final int CALLS = 30;

  @TempDir
  Path home;

  private final List<String> toClient = Collections.synchronizedList(new ArrayList<>());
  private final List<String> toServer = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  private static String calls() {
    return IntStream.rangeClosed(1, CALLS)
        .mapToObj(i -> count(i) + "\n")
        .collect(Collectors.joining());
  }

  private static ByteArrayInputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeEach
  void record() throws Exception {
    McpProxy.recordingInto(home.resolve("sessions"))
        .run(counting(), input(calls()), new ByteArrayOutputStream());
  }

  private ActiveReplay start() throws Exception {
    ReplayPolicy policy = McpProxy.policy(ReplayMode.TOOLS_LIVE).withEffect("count", Effect.PURE);
    return Replay.of(Recorded.in(home.resolve("sessions")).session())
        .policy(policy)
        .timeouts(ReplayTimeouts.defaults().withStep(Duration.ofMinutes(1)))
        .start();
  }

  /** A receiver that is slow for some messages, so that others would overtake them. */
  private final class Slow implements Receiver {
    @Override
    public void send(String text, Consumer<Throwable> onFailure) {
      if (text.contains("\"id\":") && text.hashCode() % 3 == 0) {
        try {
          Thread.sleep(3);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      toServer.add(text);
    }
  }

  private ReplayedConversation conversation(ActiveReplay replay, Receiver server)
      throws IOException {
    return new ReplayedConversation(
        replay.scope(), (text, onFailure) -> toClient.add(text), server, failures::add);
  }

  private static String cancel(int id) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
        + id + "}}";
  }

  private static String response(int id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[]}}";
  }

  @Test
  void server_gets_requests_and_cancellations_in_the_order_of_the_client() throws Exception {
    List<String> sent = new ArrayList<>();
    try (ActiveReplay replay = start()) {
      try (ReplayedConversation conversation = conversation(replay, new Slow())) {
        for (int i = 1; i <= CALLS; i++) {
          sent.add(count(i));
          sent.add(i % 2 == 0 ? cancel(i) : PING.replace("\"id\":1", "\"id\":\"p" + i + "\""));
        }
        sent.forEach(conversation::fromClient);

        assertThat(toServer).isEqualTo(sent);
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void calls_with_the_same_open_id_are_answered() throws Exception {
    try (ActiveReplay replay = start()) {
      ReplayedConversation conversation = conversation(replay, new Slow());
      String second = count(2).replace("\"id\":2", "\"id\":1");
      conversation.fromClient(count(1));
      conversation.fromClient(second);
      assertThat(toServer).containsExactly(count(1), second);
      conversation.fromServer(response(1));
      conversation.fromServer(response(1));
      conversation.close();
    }
    assertThat(toClient).containsExactly(response(1), response(1));
  }

  @Test
  void cancellation_of_a_served_request_is_not_sent_to_the_server() throws Exception {
    try (ActiveReplay replay = Replay.of(Recorded.in(home.resolve("sessions")).session())
            .policy(McpProxy.policy(ReplayMode.MOCK))
            .start();
        ReplayedConversation conversation = conversation(replay, new Slow())) {
      conversation.fromClient(count(1));
      conversation.fromClient(cancel(1));

      assertThat(toServer).isEmpty();
      assertThat(toClient).containsExactly(response(1));
    }
  }

  @Test
  void request_that_cannot_be_sent_gets_an_error() throws Exception {
    try (ActiveReplay replay = start();
        ReplayedConversation conversation = conversation(
            replay, (text, onFailure) -> onFailure.accept(new IOException("Broken pipe")))) {
      conversation.fromClient(count(1));
      conversation.fromClient(PING.replace("\"id\":1", "\"id\":2"));
    }
    assertThat(toClient)
        .hasSize(2)
        .allMatch(each -> each.contains("-32603") && each.contains("Broken pipe"));
  }

  @Test
  void server_that_ends_answers_its_open_requests_with_an_error() throws Exception {
    try (ActiveReplay replay = start()) {
      ReplayedConversation conversation = conversation(replay, new Slow());
      conversation.fromClient(count(1));
      conversation.serverEnded();
      conversation.fromClient(count(2));
      conversation.close();
    }
    assertThat(toClient)
        .hasSize(2)
        .allMatch(each -> each.contains("-32603") && each.contains("the server has ended"));
  }

  @Test
  void server_that_ends_answers_its_open_connecting_requests_with_an_error() throws Exception {
    String list = PING.replace("ping", "tools/list");
    try (ActiveReplay replay = start()) {
      ReplayedConversation conversation = conversation(replay, new Slow());
      conversation.fromClient(list);
      assertThat(conversation.isBusy()).isTrue();
      conversation.serverEnded();
      assertThat(conversation.isBusy()).isFalse();
      conversation.fromClient(list.replace("\"id\":1", "\"id\":2"));
      conversation.close();
    }
    assertThat(toServer).containsExactly(list);
    assertThat(toClient)
        .hasSize(2)
        .allMatch(each -> each.contains("-32603") && each.contains("the server has ended"));
  }

  @Test
  void kept_request_without_a_recorded_response_gets_an_answer() throws Exception {
    Path open = home.resolve("open");
    McpProxy.recordingInto(open)
        .run(
            Scripts.script("cat > /dev/null"),
            input(PING + "\n" + PING.replace("ping", "tools/list").replace("1,", "2,") + "\n"),
            new ByteArrayOutputStream());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ActiveReplay replay = Replay.of(Recorded.in(open).session())
        .policy(McpProxy.policy(ReplayMode.MOCK))
        .start()) {
      McpProxy.replay(
          replay.scope(),
          input(PING + "\n" + PING.replace("ping", "tools/list").replace("1,", "2,") + "\n"),
          out);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("\"id\":1") && line.contains("\"result\":{}"))
        .anyMatch(line -> line.contains("\"id\":2") && line.contains("-32603"));
  }

  @Test
  void server_answers_after_the_end_of_the_client() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> late = Scripts.script("cat > " + home.resolve("calls") + "; sleep 1; "
        + String.join(" ", counting().stream().map(each -> "'" + each + "'").toList()) + " "
        + home.resolve("calls"));
    try (ActiveReplay replay = start()) {
      McpProxy.replay(replay.scope(), late, input(calls()), out, 100);

      assertThat(replay.finish().passes()).isTrue();
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(CALLS)
        .allMatch(line -> line.contains("result"));
    assertThat(Files.readString(home.resolve("calls"))).isEqualTo(calls());
  }
}
