import org.jspecify.annotations.NullMarked;

/** Conversion of sessions between dialects, to and from bundles, and into a packed archive. */
@NullMarked
module dev.agentreplay.convert {
  requires transitive dev.agentreplay.verify;
  requires static transitive org.jspecify;

  exports dev.agentreplay.convert;
  exports dev.agentreplay.convert.pack;
}
