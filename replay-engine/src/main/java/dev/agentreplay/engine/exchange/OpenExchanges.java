package dev.agentreplay.engine.exchange;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one kind or name that are not taken, in order. Those that are taken are dropped
 * when they are met, so that each is passed once. Not safe for use by several threads.
 */
final class OpenExchanges {

  private static final class Node {
    final RecordedExchange exchange;

    @Nullable
    Node next;

    Node(RecordedExchange exchange) {
      this.exchange = exchange;
    }
  }

  private @Nullable Node first;
  private @Nullable Node last;
  private long total;

  void add(RecordedExchange exchange) {
    Node node = new Node(exchange);
    if (last == null) {
      first = node;
    } else {
      last.next = node;
    }
    last = node;
    total++;
  }

  /** The number of exchanges, taken or not. */
  long total() {
    return total;
  }

  /** The first exchanges that are not taken. */
  List<RecordedExchange> first(int limit) {
    List<RecordedExchange> open = new ArrayList<>();
    Node before = null;
    for (Node node = first; node != null && open.size() < limit; node = node.next) {
      if (!node.exchange.isTaken) {
        open.add(node.exchange);
        before = node;
      } else if (before != null && node.next != null) {
        before.next = node.next;
      } else if (node.next != null) {
        first = node.next;
      }
    }
    return open;
  }
}
