import org.jspecify.annotations.NullMarked;

/**
 * The determinism check of agents: finds nondeterministic calls in classes, without running them.
 */
@NullMarked
module dev.agentreplay.lint {
  requires transitive dev.agentreplay.model;
  requires static transitive java.instrument;
  requires org.objectweb.asm;
  requires static transitive org.jspecify;

  exports dev.agentreplay.lint;
  exports dev.agentreplay.lint.pattern;
  exports dev.agentreplay.lint.watch;
}
