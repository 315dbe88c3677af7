package dev.agentreplay.convert.trace.mcp;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for their responses. Client and server number their requests on their own,
 * and the number 1 is not the text "1".
 */
final class OpenRequests {

  private static final int MAX_OPEN = 10_000;

  /**
   * A request.
   *
   * @param method its method
   * @param callId the id of its call in the session
   */
  record Request(String method, String callId, JsonObject params) {}

  private record Key(Side sender, JsonValue id) {}

  private final Map<Key, Request> open = new LinkedHashMap<>();
  private final Map<Key, Request> cancelled = new LinkedHashMap<>();
  private final Set<String> callIds = new HashSet<>();

  /** The number of the last call with an id that an open one had. */
  private long repeated = 1;

  /** Adds a request, with an id for its call that no open one has. */
  Request add(Side sender, JsonValue id, String method, JsonObject params) {
    String text = id instanceof JsonString string ? string.value() : id.toString();
    String callId = text.isBlank() ? "call" : text;
    while (!callIds.add(callId)) {
      callId = text + "#" + ++repeated;
    }
    Request request = new Request(method, callId, params);
    Key key = new Key(sender, id);
    open.remove(key);
    open.put(key, request);
    if (open.size() > MAX_OPEN) {
      Iterator<Request> oldest = open.values().iterator();
      callIds.remove(oldest.next().callId());
      oldest.remove();
    }
    return request;
  }

  /** The request with an id; null if none is open. */
  @Nullable
  Request find(Side sender, @Nullable JsonValue id) {
    return id == null ? null : open.get(new Key(sender, id));
  }

  /** Removes the request that is answered; null if it is not open. */
  @Nullable
  Request take(Side sender, @Nullable JsonValue id) {
    Request request = id == null ? null : open.remove(new Key(sender, id));
    if (request != null) {
      callIds.remove(request.callId());
    }
    return request;
  }

  /** Removes the request that is cancelled; null if it is not open. */
  @Nullable
  Request cancel(Side sender, @Nullable JsonValue id) {
    Request request = take(sender, id);
    if (request != null && id != null && cancelled.size() < MAX_OPEN) {
      cancelled.put(new Key(sender, id), request);
    }
    return request;
  }

  /** Removes the request that was cancelled before its response; null if there is none. */
  @Nullable
  Request takeCancelled(Side sender, @Nullable JsonValue id) {
    return id == null ? null : cancelled.remove(new Key(sender, id));
  }
}
