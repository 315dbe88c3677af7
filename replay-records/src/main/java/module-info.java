import org.jspecify.annotations.NullMarked;

/** Session records as defined by specification 004: model, JSON and validation. */
@NullMarked
module dev.agentreplay.records {
  requires transitive dev.agentreplay.canonical;
  requires static transitive dev.agentreplay.jackson;
  requires static transitive org.jspecify;

  exports dev.agentreplay.records;
  exports dev.agentreplay.records.jackson;
}
