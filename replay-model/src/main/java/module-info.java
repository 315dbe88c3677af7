import org.jspecify.annotations.NullMarked;

/** What a recorded session is: events, JSON values, receipts. No input or output, no Jackson. */
@NullMarked
@SuppressWarnings("module") // the modules it exports to are built after it
module dev.agentreplay.model {
  requires static transitive org.jspecify;

  exports dev.agentreplay.model;
  exports dev.agentreplay.model.json;
  exports dev.agentreplay.model.receipt;
  exports dev.agentreplay.model.signature;
  exports dev.agentreplay.model.text;
  exports dev.agentreplay.model.internal to
      dev.agentreplay.canonical,
      dev.agentreplay.jackson,
      dev.agentreplay.records,
      dev.agentreplay.io,
      dev.agentreplay.verify,
      dev.agentreplay.engine,
      dev.agentreplay.convert,
      dev.agentreplay.cli;
}
