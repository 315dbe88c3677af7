package dev.agentreplay.mcp;

import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for their responses, without their messages. Client and server number
 * their requests on their own, and the number 1 is not the text "1". Open requests with the same id
 * are answered in the order in which they were made. The oldest of more than {@value #MAX_OPEN}
 * open requests, and of more than {@value #MAX_CANCELLED} cancelled ones, are forgotten: their
 * responses are late. Not safe for use by several threads.
 */
final class OpenRequests {

  static final int MAX_OPEN = 10_000;
  static final int MAX_CANCELLED = 1_000;

  /**
   * A request. Each is equal to itself only.
   *
   * <p>{@code callId} is the id of its call in the session, null if it is kept or was not recorded;
   * {@code nanos} the time when it was made; {@code isFurtherPage} whether it asks for a further
   * page of a list.
   */
  static final class Request {
    final Side sender;
    final long line;
    final String method;
    final Methods.Kind kind;
    final boolean isToolCall;
    final boolean isFurtherPage;
    final @Nullable JsonValue progressToken;
    final @Nullable String callId;
    final long nanos;
    private final JsonValue id;
    private boolean isPerhapsAnswered;

    Request(Message request, @Nullable String callId, long nanos) {
      this.id = Objects.requireNonNull(request.id());
      this.sender = request.sender();
      this.line = request.line();
      this.method = String.valueOf(request.method());
      this.kind = Methods.kind(request);
      this.isToolCall = Methods.isToolCall(request);
      this.isFurtherPage = request.params().has("cursor");
      this.progressToken = request.progressToken();
      this.callId = callId;
      this.nanos = nanos;
    }
  }

  private record Key(Side sender, JsonValue id) {}

  /** Requests by their ids, and in the order in which they were added. */
  private static final class Requests {
    private final int max;
    private final Map<Key, Deque<Request>> byId = new HashMap<>();
    private final LinkedHashSet<Request> all = new LinkedHashSet<>();

    Requests(int max) {
      this.max = max;
    }

    void add(Request request) {
      byId.computeIfAbsent(new Key(request.sender, request.id), any -> new ArrayDeque<>(1))
          .add(request);
      all.add(request);
      if (all.size() > max) {
        Iterator<Request> oldest = all.iterator();
        Request first = oldest.next();
        take(first.sender, first.id);
      }
    }

    @Nullable
    Request take(Side sender, @Nullable JsonValue id) {
      if (id == null) {
        return null;
      }
      Key key = new Key(sender, id);
      Deque<Request> requests = byId.get(key);
      if (requests == null) {
        return null;
      }
      Request oldest = requests.remove();
      if (requests.isEmpty()) {
        byId.remove(key);
      }
      all.remove(oldest);
      return oldest;
    }
  }

  private final Requests open = new Requests(MAX_OPEN);
  private final Requests cancelled = new Requests(MAX_CANCELLED);

  void add(Request request) {
    open.add(request);
  }

  /** Removes the request that is answered; null if it is not open. */
  @Nullable
  Request take(Side sender, @Nullable JsonValue id) {
    return open.take(sender, id);
  }

  /** Removes an open request, and the older ones with its id. */
  void remove(Request request) {
    while (open.all.contains(request)) {
      take(request.sender, request.id);
    }
  }

  /** Removes the request that is cancelled; null if it is not open. */
  @Nullable
  Request cancel(Side sender, @Nullable JsonValue id) {
    Request request = open.take(sender, id);
    if (request != null) {
      cancelled.add(request);
    }
    return request;
  }

  /** Removes the request that was cancelled before its response; null if there is none. */
  @Nullable
  Request takeCancelled(Side sender, @Nullable JsonValue id) {
    return cancelled.take(sender, id);
  }

  /**
   * Notes that a line of the server was not read. It may be the response to the oldest open request
   * of the client, if one is open now.
   */
  void unread() {
    for (Request each : open.all) {
      if (each.sender == Side.CLIENT && !each.isPerhapsAnswered) {
        each.isPerhapsAnswered = true;
        return;
      }
    }
  }

  /** The number of open requests of the client, without those that are perhaps answered. */
  long ofClient() {
    return ofClient(false);
  }

  /** The number of requests of the client to which lines that were not read may be responses. */
  long perhapsAnswered() {
    return ofClient(true);
  }

  private long ofClient(boolean isPerhapsAnswered) {
    return open.all.stream()
        .filter(each -> each.sender == Side.CLIENT && each.isPerhapsAnswered == isPerhapsAnswered)
        .count();
  }

  /** The number of requests that are kept, open and cancelled. */
  int size() {
    return open.all.size() + cancelled.all.size();
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
    for (Request request : open.all) {
      if (request.sender != Side.CLIENT) {
        continue;
      }
      if (token != null && token.equals(request.progressToken)) {
        return request;
      }
      boolean isCall = request.kind != Methods.Kind.KEPT;
      if (newest == null || isCall || newest.kind == Methods.Kind.KEPT) {
        newest = request;
      }
    }
    return newest;
  }
}
