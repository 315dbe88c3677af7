import org.jspecify.annotations.NullMarked;

/**
 * The recording and replay of clients and servers of the Model Context Protocol. The Java SDK has
 * no module names that last, and is on the class path; the proxy needs none.
 */
@NullMarked
module dev.agentreplay.mcp {
  requires transitive dev.agentreplay.engine;
  requires static transitive org.jspecify;

  exports dev.agentreplay.mcp;
}
