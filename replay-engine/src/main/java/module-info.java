import org.jspecify.annotations.NullMarked;

/** Whether a session happens again: comparison of sessions, divergences, statistics. */
@NullMarked
@SuppressWarnings("module") // the modules it exports to are built after it
module dev.agentreplay.engine {
  requires transitive dev.agentreplay.verify;
  requires static transitive org.jspecify;

  exports dev.agentreplay.engine;
  exports dev.agentreplay.engine.diff;
  exports dev.agentreplay.engine.report;
  exports dev.agentreplay.engine.internal to
      dev.agentreplay.cli,
      dev.agentreplay.junit;
}
