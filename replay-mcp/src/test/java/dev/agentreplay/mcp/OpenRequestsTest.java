package dev.agentreplay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.mcp.OpenRequests.Request;
import dev.agentreplay.model.json.JsonValue;
import org.junit.jupiter.api.Test;

/** The requests that wait for their responses. */
class OpenRequestsTest {

  private final OpenRequests requests = new OpenRequests();

  private static Request request(long line, String id) {
    return new Request(
        Message.read(
                Side.CLIENT,
                line,
                "{\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"a\"}}")
            .get(0),
        null,
        0);
  }

  @Test
  void requests_with_an_id_are_taken_in_their_order() {
    requests.add(request(1, "7"));
    requests.add(request(2, "\"7\""));
    requests.add(request(3, "7"));

    JsonValue id = JsonValue.of(7);
    assertThat(requests.take(Side.SERVER, id)).isNull();
    assertThat(requests.take(Side.CLIENT, id).line).isEqualTo(1);
    assertThat(requests.take(Side.CLIENT, id).line).isEqualTo(3);
    assertThat(requests.take(Side.CLIENT, id)).isNull();
    assertThat(requests.ofClient()).isEqualTo(1);
  }

  @Test
  void line_that_was_not_read_answers_at_most_one_request_that_is_open_then() {
    requests.unread();
    requests.add(request(1, "1"));
    assertThat(requests.ofClient()).isEqualTo(1);
    requests.unread();
    assertThat(requests.ofClient()).isZero();
    assertThat(requests.perhapsAnswered()).isEqualTo(1);

    requests.add(request(2, "2"));

    assertThat(requests.ofClient()).isEqualTo(1);
    assertThat(requests.take(Side.CLIENT, JsonValue.of(1)).line).isEqualTo(1);
    assertThat(requests.ofClient()).isEqualTo(1);
    assertThat(requests.perhapsAnswered()).isZero();
  }

  @Test
  void number_of_requests_is_bounded() {
    int all = OpenRequests.MAX_OPEN + 10;
    for (int i = 1; i <= all; i++) {
      requests.add(request(i, "" + i));
    }
    assertThat(requests.size()).isEqualTo(OpenRequests.MAX_OPEN);
    assertThat(requests.take(Side.CLIENT, JsonValue.of(10))).isNull();
    for (int i = 1; i <= all; i++) {
      requests.cancel(Side.CLIENT, JsonValue.of(i));
    }
    assertThat(requests.size()).isEqualTo(OpenRequests.MAX_CANCELLED);
    assertThat(requests.ofClient()).isZero();
    assertThat(requests.takeCancelled(Side.CLIENT, JsonValue.of(all)).line).isEqualTo(all);
    assertThat(requests.takeCancelled(Side.CLIENT, JsonValue.of(all))).isNull();
  }
}
