package dev.agentreplay.springai.boot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The messages that are logged while it is open. */
final class LoggedMessages implements AutoCloseable {

  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  private LoggedMessages(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    appender.start();
    logger.addAppender(appender);
  }

  /** Collects the messages of a logger and those below it. */
  static LoggedMessages of(String logger) {
    return new LoggedMessages(logger);
  }

  /** The messages of a level or a more severe one. */
  List<String> from(Level level) {
    return List.copyOf(appender.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
