import org.jspecify.annotations.NullMarked;

/** Publication of sessions: redaction that can be verified, disclosure, secret scanning. */
@NullMarked
@SuppressWarnings("requires-automatic") // RE2/J has no module descriptor
module dev.agentreplay.publish {
  requires transitive dev.agentreplay.verify;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.toml;
  requires re2j;
  requires static transitive org.jspecify;

  exports dev.agentreplay.publish;
  exports dev.agentreplay.publish.policy;
  exports dev.agentreplay.publish.secret;
}
