import org.jspecify.annotations.NullMarked;

/**
 * Replay tests and snapshot tests (golden files) of AI agents with recorded sessions: a JUnit
 * extension and AssertJ assertions.
 */
@NullMarked
module dev.agentreplay.junit {
  requires transitive dev.agentreplay.engine;
  requires static transitive dev.agentreplay.lint;
  requires static dev.agentreplay.sandbox;
  requires static transitive org.jspecify;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires static transitive org.junit.jupiter.params;
  requires org.opentest4j;

  exports dev.agentreplay.junit;

  opens dev.agentreplay.junit to
      org.junit.platform.commons;
}
