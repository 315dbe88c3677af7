import org.jspecify.annotations.NullMarked;

/**
 * Session records as defined by specification 004: model, JSON and validation, storage with texts,
 * replay and comparison, and their reports.
 */
@NullMarked
module dev.agentreplay.records {
  requires transitive dev.agentreplay.engine;
  requires static transitive dev.agentreplay.jackson;
  requires static transitive org.jspecify;

  exports dev.agentreplay.records;
  exports dev.agentreplay.records.agents;
  exports dev.agentreplay.records.jackson;
  exports dev.agentreplay.records.recording;
  exports dev.agentreplay.records.replay;
  exports dev.agentreplay.records.report;
  exports dev.agentreplay.records.store;
}
