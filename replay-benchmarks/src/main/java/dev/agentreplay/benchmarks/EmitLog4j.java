package dev.agentreplay.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;
import org.apache.logging.log4j.message.MapMessage;

/** Writes with a Log4j file appender and JsonTemplateLayout that flush every line. */
final class EmitLog4j implements EmitContender {

  private static final String TEMPLATE =
      """
      {
        "event": {"$resolver": "map", "key": "event"},
        "id": {"$resolver": "map", "key": "id"},
        "params": {"$resolver": "map", "key": "params"},
        "params_hash": {"$resolver": "map", "key": "params_hash"},
        "step_id": {"$resolver": "map", "key": "step_id"},
        "t": {
          "$resolver": "timestamp",
          "pattern": {"format": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", "timeZone": "UTC"}
        },
        "tool": {"$resolver": "map", "key": "tool"}
      }
      """;

  private final Map<String, Object> params = EmitFields.params();
  private final LoggerContext context = new LoggerContext("emit");
  private final Logger logger;

  EmitLog4j(Path file) {
    ConfigurationBuilder<BuiltConfiguration> builder =
        ConfigurationBuilderFactory.newConfigurationBuilder();
    builder.setStatusLevel(Level.ERROR);
    builder.add(builder
        .newAppender("log", "File")
        .addAttribute("fileName", file.toString())
        .addAttribute("append", true)
        .addAttribute("immediateFlush", true)
        .addAttribute("ignoreExceptions", false)
        .add(builder
            .newLayout("JsonTemplateLayout")
            .addAttribute("eventTemplate", TEMPLATE)
            .addAttribute("eventDelimiter", "\n")));
    builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("log")));
    context.start(builder.build(false));
    logger = context.getLogger("emit");
  }

  @Override
  public void emit() {
    Members message = new Members();
    EmitFields.put(message::with, params, EmitFields.PARAMS_HASH);
    logger.info(message);
  }

  @Override
  public void close() throws IOException {
    context.stop();
  }

  /** A message with members of any type. */
  private static final class Members extends MapMessage<Members, Object> {
    private static final long serialVersionUID = 1;
  }
}
