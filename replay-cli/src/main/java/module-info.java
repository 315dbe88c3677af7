import org.jspecify.annotations.NullMarked;

/** The command {@code replay}. */
@NullMarked
module dev.agentreplay.cli {
  requires dev.agentreplay.convert;
  requires dev.agentreplay.engine;
  requires dev.agentreplay.jackson;
  requires dev.agentreplay.lint;
  requires dev.agentreplay.mcp;
  requires dev.agentreplay.publish;
  requires dev.agentreplay.records;
  requires dev.agentreplay.sandbox;
  requires info.picocli;
  requires com.networknt.schema;
  requires static org.jspecify;

  opens dev.agentreplay.cli to
      info.picocli;
  opens dev.agentreplay.cli.accept to
      info.picocli;
  opens dev.agentreplay.cli.folder to
      info.picocli;
  opens dev.agentreplay.cli.fork to
      info.picocli;
  opens dev.agentreplay.cli.input to
      info.picocli;
  opens dev.agentreplay.cli.output to
      info.picocli;
  opens dev.agentreplay.cli.repeat to
      info.picocli;
}
