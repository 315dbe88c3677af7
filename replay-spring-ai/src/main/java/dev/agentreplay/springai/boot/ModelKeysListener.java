package dev.agentreplay.springai.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.ResourcePropertySource;

/**
 * Sets placeholders for the keys of model providers that are not set, in a replay that serves
 * models from the recording: the clients of some providers refuse to start without a key.
 */
final class ModelKeysListener
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

  private static final String KEYS = "dev/agentreplay/springai/boot/model-keys.properties";

  ModelKeysListener() {}

  /** After the configuration files, which are read by a listener too. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    ConfigurableEnvironment environment = event.getEnvironment();
    if (OnReplay.servesModels(environment)
        && !"false".equalsIgnoreCase(environment.getProperty(OnEnabled.ENABLED))) {
      try {
        environment
            .getPropertySources()
            .addLast(new ResourcePropertySource(
                "replay: keys that are not set", new ClassPathResource(KEYS)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
