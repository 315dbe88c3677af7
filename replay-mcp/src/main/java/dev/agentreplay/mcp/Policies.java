package dev.agentreplay.mcp;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import java.util.List;

/** The policies of replays in which the client answers the requests of the server. */
final class Policies {

  private Policies() {}

  static ReplayPolicy of(ReplayMode mode) {
    ReplayPolicy policy =
        ReplayPolicy.of(mode).withAction(Effect.MODEL, ReplayAction.EXECUTE_AND_COMPARE);
    for (String method : List.of(Methods.ELICIT, Methods.LIST_ROOTS)) {
      policy = policy.withTool(Methods.PREFIX + method, ReplayAction.EXECUTE_AND_COMPARE);
    }
    return policy;
  }
}
