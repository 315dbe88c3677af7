import org.jspecify.annotations.NullMarked;

/** Whether a recorded session is true to itself and to its receipt. */
@NullMarked
module dev.agentreplay.verify {
  requires transitive dev.agentreplay.io;
  requires static transitive org.jspecify;

  exports dev.agentreplay.verify;
  exports dev.agentreplay.verify.batch;
  exports dev.agentreplay.verify.proof;
  exports dev.agentreplay.verify.report;
}
