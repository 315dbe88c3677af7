import org.jspecify.annotations.NullMarked;

/** Snapshots of workspaces, and isolation of the programs that a replay runs. */
@NullMarked
module dev.agentreplay.sandbox {
  requires transitive dev.agentreplay.io;
  requires static transitive dev.agentreplay.engine;
  requires java.sql;
  requires static transitive org.jspecify;

  exports dev.agentreplay.sandbox;
  exports dev.agentreplay.sandbox.mechanism;
  exports dev.agentreplay.sandbox.probe;
  exports dev.agentreplay.sandbox.replay;
  exports dev.agentreplay.sandbox.snapshot;
  exports dev.agentreplay.sandbox.workspace;
}
