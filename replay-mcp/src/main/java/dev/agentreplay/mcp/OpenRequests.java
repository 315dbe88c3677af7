package dev.agentreplay.mcp;

import dev.agentreplay.model.json.JsonValue;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for their responses. Client and server number their requests on their own,
 * and the number 1 is not the text "1". Not safe for use by several threads.
 */
final class OpenRequests {

  private static final int MAX_OPEN = 100_000;

  /**
   * A request.
   *
   * @param callId the id of its call in the session; null if it is kept, or was not recorded
   * @param nanos the time when it was made
   */
  record Request(Message message, Methods.Kind kind, @Nullable String callId, long nanos) {}

  private record Key(Side sender, JsonValue id) {}

  private final Map<Key, Request> open = new LinkedHashMap<>();
  private final Map<Key, Request> cancelled = new LinkedHashMap<>();

  /** Adds a request, which replaces one with the same id. */
  void add(JsonValue id, Request request) {
    Key key = new Key(request.message().sender(), id);
    open.remove(key);
    put(open, key, request);
  }

  private static void put(Map<Key, Request> requests, Key key, Request request) {
    requests.put(key, request);
    if (requests.size() > MAX_OPEN) {
      Iterator<Request> oldest = requests.values().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Removes the request that is answered; null if it is not open. */
  @Nullable
  Request take(Side sender, @Nullable JsonValue id) {
    return id == null ? null : open.remove(new Key(sender, id));
  }

  /** Removes the request that is cancelled; null if it is not open. */
  @Nullable
  Request cancel(Side sender, @Nullable JsonValue id) {
    Request request = take(sender, id);
    if (request != null) {
      put(cancelled, new Key(sender, Objects.requireNonNull(id)), request);
    }
    return request;
  }

  /** Removes the request that was cancelled before its response; null if there is none. */
  @Nullable
  Request takeCancelled(Side sender, @Nullable JsonValue id) {
    return id == null ? null : cancelled.remove(new Key(sender, id));
  }

  /** The number of open requests of the client. */
  long ofClient() {
    return open.keySet().stream().filter(key -> key.sender() == Side.CLIENT).count();
  }

  /**
   * The request of the client that a message of the server belongs to: the one with its progress
   * token, or else the newest call; null if none is open.
   */
  @Nullable
  Request ownerOf(Message message) {
    JsonValue token =
        Methods.PROGRESS.equals(message.method()) ? message.params().get("progressToken") : null;
    Request newest = null;
    for (Map.Entry<Key, Request> each : open.entrySet()) {
      Request request = each.getValue();
      if (each.getKey().sender() != Side.CLIENT) {
        continue;
      }
      if (token != null && token.equals(request.message().progressToken())) {
        return request;
      }
      boolean isCall = request.kind() != Methods.Kind.KEPT;
      if (newest == null || isCall || newest.kind() == Methods.Kind.KEPT) {
        newest = request;
      }
    }
    return newest;
  }
}
