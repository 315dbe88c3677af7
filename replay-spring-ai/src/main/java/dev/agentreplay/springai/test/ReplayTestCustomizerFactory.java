package dev.agentreplay.springai.test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
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

  /** The providers of models whose clients refuse to start without a key. */
  private static final List<String> PROVIDERS = List.of(
      "openai",
      "anthropic",
      "azure.openai",
      "mistralai",
      "deepseek",
      "google.genai",
      "minimax",
      "zhipuai");

  private static final List<String> VARIABLES = List.of(
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "AZURE_OPENAI_API_KEY",
      "MISTRAL_API_KEY",
      "MISTRALAI_API_KEY",
      "DEEPSEEK_API_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY");

  private static final String PLACEHOLDER = "not-set";

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
      sources.addLast(new MapPropertySource("replay test: keys that are not set", keys()));
      context.getBeanFactory().registerSingleton("replayTestScopes", new TestScopes());
    }

    private static Map<String, Object> keys() {
      Map<String, Object> keys = new TreeMap<>();
      PROVIDERS.forEach(each -> keys.put("spring.ai." + each + ".api-key", PLACEHOLDER));
      VARIABLES.forEach(each -> keys.put(each, PLACEHOLDER));
      return keys;
    }
  }
}
