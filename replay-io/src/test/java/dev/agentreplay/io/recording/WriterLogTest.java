package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriterLogTest {

  private final Logger logger = Logger.getLogger("dev.agentreplay.io");
  private final List<LogRecord> records = new ArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord logged) {
      records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  };

  @BeforeEach
  void listen() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void messages_name_the_log_and_have_a_level() {
    IllegalStateException cause = new IllegalStateException("no");
    WriterLog.warning(Path.of("a{0}.jsonl"), "it's torn");
    WriterLog.error(Path.of("b.jsonl"), "gone", cause);

    assertThat(records)
        .extracting(LogRecord::getLevel)
        .containsExactly(Level.WARNING, Level.SEVERE);
    assertThat(records)
        .extracting(new SimpleFormatter()::formatMessage)
        .containsExactly("a{0}.jsonl: it's torn", "b.jsonl: gone");
    assertThat(records.get(1).getThrown()).isSameAs(cause);
  }
}
