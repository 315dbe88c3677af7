import org.jspecify.annotations.NullMarked;

/**
 * Verification of recorded sessions: hashes, structure, receipts, Merkle tree roots and signatures.
 */
@NullMarked
module dev.agentreplay.verify {
  requires transitive dev.agentreplay.io;
  requires static transitive org.jspecify;

  exports dev.agentreplay.verify;
  exports dev.agentreplay.verify.batch;
  exports dev.agentreplay.verify.proof;
  exports dev.agentreplay.verify.report;
}
