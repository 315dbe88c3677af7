import org.jspecify.annotations.NullMarked;

/**
 * Writes, reads and recovers session logs: a crash-safe, append-only writer, readers and crash
 * recovery, session directories, receipts, the deterministic context of an agent, and the
 * circumstances of a session.
 */
@NullMarked
module dev.agentreplay.io {
  requires transitive dev.agentreplay.canonical;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.agentreplay.io.agent;
  exports dev.agentreplay.io.context;
  exports dev.agentreplay.io.file;
  exports dev.agentreplay.io.log;
  exports dev.agentreplay.io.recording;
  exports dev.agentreplay.io.session;
  exports dev.agentreplay.io.workspace;
}
