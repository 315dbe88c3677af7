import org.jspecify.annotations.NullMarked;

/** Bridges between JSON values and Jackson: trees, mappers and the caller's classes. */
@NullMarked
module dev.agentreplay.jackson {
  requires com.fasterxml.jackson.datatype.jsr310;
  requires transitive com.fasterxml.jackson.databind;
  requires transitive dev.agentreplay.canonical;
  requires static com.networknt.schema;
  requires static dev.agentreplay.engine;
  requires static transitive org.jspecify;

  exports dev.agentreplay.jackson;
  exports dev.agentreplay.jackson.schema;
}
