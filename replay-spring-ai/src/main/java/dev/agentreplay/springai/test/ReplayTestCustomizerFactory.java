package dev.agentreplay.springai.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.ResourcePropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Prepares the contexts of classes with {@link ReplayTest}. */
final class ReplayTestCustomizerFactory implements ContextCustomizerFactory {

  /** The settings of tests, whichever the application has. */
  private static final Map<String, Object> REQUIRED =
      Map.of("replay.enabled", "true", "spring.ai.mcp.client.initialized", "false");

  private static final String KEYS = "dev/agentreplay/springai/boot/model-keys.properties";

  ReplayTestCustomizerFactory() {}

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    return TestContextAnnotationUtils.hasAnnotation(testClass, ReplayTest.class)
        ? new Customizer()
        : null;
  }

  /** Equal for all tests, so that they share a context. */
  record Customizer() implements ContextCustomizer {

    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
      MutablePropertySources sources = context.getEnvironment().getPropertySources();
      sources.addFirst(new MapPropertySource("replay test", REQUIRED));
      try {
        sources.addLast(new ResourcePropertySource(
            "replay test: keys that are not set", new ClassPathResource(KEYS)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      context.getBeanFactory().registerSingleton("replayTestScopes", new TestScopes());
    }
  }
}
