package dev.agentreplay.convert.trace.export;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls and events of one agent, in order. Not safe for use by several threads. */
final class Lane {

  private final @Nullable String agent;
  private final List<Exchange> exchanges = new ArrayList<>();
  private @Nullable String parentId;
  private @Nullable Exchange parent;

  /** Creates the lane of an agent; null for the main agent. */
  Lane(@Nullable String agent) {
    this.agent = agent;
  }

  void add(Exchange exchange) {
    exchanges.add(exchange);
    if (parentId == null && agent != null) {
      parentId = exchange.begin().event().meta().parent();
    }
  }

  void startedBy(Exchange call) {
    parent = call;
  }

  /** The id of the agent; null for the main agent. */
  @Nullable
  String agent() {
    return agent;
  }

  /** The id of the call that started the agent; null if no event states it. */
  @Nullable
  String parentId() {
    return parentId;
  }

  /** The call that started the agent; null if it is not in the log. */
  @Nullable
  Exchange parent() {
    return parent;
  }

  List<Exchange> exchanges() {
    return exchanges;
  }
}
