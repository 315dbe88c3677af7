import org.jspecify.annotations.NullMarked;

/** Where sessions are kept: logs that are written and read, session directories, receipts. */
@NullMarked
@SuppressWarnings("module") // the modules it exports to are built after it
module dev.agentreplay.io {
  requires transitive dev.agentreplay.canonical;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.agentreplay.io;
  exports dev.agentreplay.io.internal to
      dev.agentreplay.verify,
      dev.agentreplay.convert,
      dev.agentreplay.junit,
      dev.agentreplay.cli;
}
