import org.jspecify.annotations.NullMarked;

/**
 * The data model of a recorded session: events, JSON values, receipts. It performs no I/O and does
 * not depend on Jackson.
 */
@NullMarked
module dev.agentreplay.model {
  requires static transitive org.jspecify;

  exports dev.agentreplay.model;
  exports dev.agentreplay.model.alignment;
  exports dev.agentreplay.model.check;
  exports dev.agentreplay.model.finding;
  exports dev.agentreplay.model.json;
  exports dev.agentreplay.model.number;
  exports dev.agentreplay.model.receipt;
  exports dev.agentreplay.model.signature;
  exports dev.agentreplay.model.text;
}
