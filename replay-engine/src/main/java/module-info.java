import org.jspecify.annotations.NullMarked;

/** Whether a session happens again: comparison of sessions, divergences, statistics. */
@NullMarked
module dev.agentreplay.engine {
  requires transitive dev.agentreplay.verify;
  requires static transitive org.jspecify;

  exports dev.agentreplay.engine;
  exports dev.agentreplay.engine.agreement;
  exports dev.agentreplay.engine.diff;
  exports dev.agentreplay.engine.diff.rule;
  exports dev.agentreplay.engine.report;
}
