import org.jspecify.annotations.NullMarked;

/** Session records of specification 004. */
@NullMarked
module dev.agentreplay.records {
  requires transitive dev.agentreplay.canonical;
  requires static transitive dev.agentreplay.jackson;
  requires static transitive org.jspecify;

  exports dev.agentreplay.records;
  exports dev.agentreplay.records.jackson;
}
