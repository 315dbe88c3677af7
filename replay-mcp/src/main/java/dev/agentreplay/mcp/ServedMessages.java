package dev.agentreplay.mcp;

import dev.agentreplay.mcp.RecordedMessages.OfServer;
import dev.agentreplay.mcp.RecordedMessages.Role;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sends the recorded messages of a server to a client. Safe for use by several threads. */
final class ServedMessages {

  private final RecordedMessages recorded;
  private final Receiver toClient;
  private final ClientRequests requests;
  private final StatedSettings settings;

  /** Whether the requests of the recording have ids of their own, since a live server has some. */
  private final boolean hasOwnIds;

  ServedMessages(
      RecordedMessages recorded,
      Receiver toClient,
      ClientRequests requests,
      StatedSettings settings,
      boolean hasOwnIds) {
    this.recorded = recorded;
    this.toClient = toClient;
    this.requests = requests;
    this.settings = settings;
    this.hasOwnIds = hasOwnIds;
  }

  /**
   * Sends the messages that belong to a recorded message of the client, in order.
   *
   * @param line the line of that message; 0 for the messages before all of the client
   * @param message the message of the client in its place; null for a response, or for none
   * @param response the text of the response to it; null if it is a kept message
   * @param turn ends at the latest before an answer of the client is waited for
   * @return whether a response was sent
   */
  boolean send(long line, @Nullable Message message, @Nullable String response, Turn turn)
      throws Exception {
    boolean hasResponse = false;
    boolean hasKept = false;
    for (OfServer each : recorded.belongingTo(line)) {
      if (each.role() == Role.CALL) {
        ask(each, turn);
      } else if (each.role() == Role.MESSAGE) {
        toClient.send(recorded.text(each, null, message == null ? null : message.progressToken()));
      } else if (response != null && each.event() instanceof ToolResult) {
        hasResponse = true;
        toClient.send(response);
      } else if (message != null && message.id() != null && !(each.event() instanceof ToolResult)) {
        hasKept = true;
        stated(message, each);
        toClient.send(recorded.text(each, message.id(), null));
      }
    }
    if (response != null && !hasResponse) {
      toClient.send(response); // of an imported log
    }
    return response != null || hasKept;
  }

  /** Records the settings that a recorded response states. */
  private void stated(Message request, OfServer response) throws IOException {
    String text = recorded.text(response, null, null);
    for (Message message : Message.read(Side.SERVER, response.line(), text)) {
      settings.response(String.valueOf(request.method()), request.params().has("cursor"), message);
    }
  }

  /** Issues a recorded request of the server to the client again. */
  private void ask(OfServer request, Turn turn) throws Exception {
    String text = recorded.text(request, id(request), null);
    for (Message message : Message.read(Side.SERVER, request.line(), text)) {
      requests.ask(message, request.event(), turn);
    }
    long answer = recorded.answerTo(request.line());
    if (answer != 0) {
      boolean unused = send(answer, null, null, turn);
    }
  }

  private @Nullable JsonValue id(OfServer request) {
    return hasOwnIds ? JsonString.of("replay-" + request.line()) : null;
  }
}
