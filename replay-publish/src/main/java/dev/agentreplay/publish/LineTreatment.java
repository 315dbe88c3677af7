package dev.agentreplay.publish;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.publish.policy.Treatment;

/** Decides what a published log shows of each line, in the order of the log. */
@FunctionalInterface
interface LineTreatment {

  /** The treatment of the next line. */
  Treatment treat(ReplayLine line);
}
