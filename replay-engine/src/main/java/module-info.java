import org.jspecify.annotations.NullMarked;

/**
 * The replay and the comparison of recorded sessions: diffs and their divergences, flaky steps over
 * several runs, statistics, and reports as text, JSON, Markdown, JUnit XML and HTML.
 */
@NullMarked
module dev.agentreplay.engine {
  requires transitive dev.agentreplay.verify;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.agentreplay.engine.accept;
  exports dev.agentreplay.engine.agreement;
  exports dev.agentreplay.engine.attribution;
  exports dev.agentreplay.engine.diff;
  exports dev.agentreplay.engine.diff.rule;
  exports dev.agentreplay.engine.diff.text;
  exports dev.agentreplay.engine.exchange;
  exports dev.agentreplay.engine.fork;
  exports dev.agentreplay.engine.message;
  exports dev.agentreplay.engine.published;
  exports dev.agentreplay.engine.repeat;
  exports dev.agentreplay.engine.replay;
  exports dev.agentreplay.engine.replay.agent;
  exports dev.agentreplay.engine.replay.execution;
  exports dev.agentreplay.engine.replay.failure;
  exports dev.agentreplay.engine.replay.policy;
  exports dev.agentreplay.engine.report;
  exports dev.agentreplay.engine.rules;
  exports dev.agentreplay.engine.subject;
  exports dev.agentreplay.engine.view;
}
