import org.jspecify.annotations.NullMarked;

/** The encoding of sessions: JSON text, canonical forms, hashes, Merkle trees and log dialects. */
@NullMarked
module dev.agentreplay.canonical {
  requires transitive dev.agentreplay.model;
  requires static transitive org.jspecify;

  exports dev.agentreplay.canonical;
  exports dev.agentreplay.canonical.commitment;
  exports dev.agentreplay.canonical.dialect;
  exports dev.agentreplay.canonical.prompt;
  exports dev.agentreplay.canonical.signature;
  exports dev.agentreplay.canonical.tree;
}
