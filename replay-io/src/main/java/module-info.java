import org.jspecify.annotations.NullMarked;

/** Where sessions are kept: logs that are written and read, session directories, receipts. */
@NullMarked
module dev.agentreplay.io {
  requires transitive dev.agentreplay.canonical;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.agentreplay.io.file;
  exports dev.agentreplay.io.log;
  exports dev.agentreplay.io.recording;
  exports dev.agentreplay.io.session;
}
