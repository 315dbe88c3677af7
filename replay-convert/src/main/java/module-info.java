import org.jspecify.annotations.NullMarked;

/**
 * Conversion of sessions between dialects, to and from bundles, into a packed archive, and from and
 * to the traces of other tools.
 */
@NullMarked
@SuppressWarnings("requires-automatic") // aircompressor has no module descriptor
module dev.agentreplay.convert {
  requires transitive dev.agentreplay.verify;
  requires static transitive org.jspecify;
  requires aircompressor;
  requires org.snakeyaml.engine;

  exports dev.agentreplay.convert;
  exports dev.agentreplay.convert.pack;
  exports dev.agentreplay.convert.trace;
  exports dev.agentreplay.convert.trace.report;
}
