package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.receipt.Receipt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log that is read again makes the same receipt, and no call waits for a second result. */
class SessionAccountTest {

  private static final String CALLS = TestLogs.HEADER + "\n" + call("1") + result("1") + call("2");

  private static String call(String id) {
    return "{\"event\":\"ToolCall\",\"id\":\"%s\",\"params\":{},\"tool\":\"ls\"}\n".formatted(id);
  }

  private static String result(String id) {
    return "{\"event\":\"ToolResult\",\"id\":\"%s\",\"output\":\"a\"}\n".formatted(id);
  }

  private static void tell(SessionAccount account) throws IOException {
    try (ReplayReader reader = TestLogs.reader(TestLogs.bytes(CALLS))) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        account.add(line);
      }
    }
  }

  private static void write(SessionAccount account, ToolResult result) {
    account.add(new WrittenEvent(result, new Position(5, 0), null, null));
  }

  private static List<String> ids(SessionAccount account) {
    WrittenLog.Digest ofNothing = new WrittenLog.Digest(ContentHash.sha256(new byte[0]), null);
    return account.toReceipt(ofNothing).toolCalls().stream()
        .map(Receipt.Call::id)
        .toList();
  }

  @Test
  void lines_are_handed_on_as_long_as_the_account_is_the_first() throws IOException {
    List<Long> lines = new ArrayList<>();
    SessionAccount account =
        new SessionAccount(line -> lines.add(line.position().line()));
    tell(account);
    assertThat(lines).containsExactly(1L, 2L, 3L, 4L);

    account.restart();
    tell(account);

    assertThat(lines).hasSize(4);
  }

  @Test
  void call_of_a_resumed_session_waits_for_one_result_after_an_error() throws IOException {
    OpenCalls waiting = OpenCalls.ofTools();
    SessionAccount account = new SessionAccount(line -> {
      if (line.event() instanceof ToolCall call) {
        waiting.found(call.id(), null);
      } else if (line.event() instanceof ToolResult result) {
        waiting.foundResult(result.id(), null);
      }
    });
    tell(account);

    account.restart();
    tell(account);

    assertThatIllegalArgumentException().isThrownBy(() -> waiting.claim("1", null));
    assertThat(waiting.claim("2", null)).isNotNull();
    assertThatIllegalArgumentException()
        .as("a second result of the call")
        .isThrownBy(() -> waiting.claim("2", null));
  }

  @Test
  void receipt_of_a_log_that_is_read_again_lists_each_call_once() throws IOException {
    SessionAccount account = new SessionAccount(line -> {});
    tell(account);
    write(account, ToolResult.of("2", "b"));
    assertThat(ids(account)).containsExactly("1", "2");

    account.restart();
    assertThat(ids(account)).isEmpty();
    tell(account);
    assertThat(ids(account)).containsExactly("1");
    write(account, ToolResult.of("2", "b"));

    assertThat(ids(account)).containsExactly("1", "2");
  }
}
