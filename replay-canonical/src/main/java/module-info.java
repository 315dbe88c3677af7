import org.jspecify.annotations.NullMarked;

/** How a session is written down: JSON text, canonical form, hashes, and the dialects of logs. */
@NullMarked
module dev.agentreplay.canonical {
  requires transitive dev.agentreplay.model;
  requires static transitive org.jspecify;

  exports dev.agentreplay.canonical;
  exports dev.agentreplay.canonical.dialect;
  exports dev.agentreplay.canonical.signature;
  exports dev.agentreplay.canonical.tree;
}
