package dev.agentreplay.io.recording;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the writers of a test class, most of which fail, from saying so on the console. */
final class QuietLogger implements BeforeAllCallback, AfterAllCallback {

  private static final Logger LOGGER = Logger.getLogger("dev.agentreplay.io");

  @Override
  public void beforeAll(ExtensionContext context) {
    LOGGER.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LOGGER.setLevel(null);
  }
}
