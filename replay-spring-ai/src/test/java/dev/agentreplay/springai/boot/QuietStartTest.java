package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** The costs of the auto-configuration at the start of an application. */
class QuietStartTest {

  @TempDir
  Path directory;

  /** An application with actuator, meters, MCP clients, tools and clients. */
  private final ApplicationContextRunner application = new ApplicationContextRunner()
      .withUserConfiguration(ReplayedApplicationTest.Application.class);

  private static int processors(ApplicationContextRunner runner) {
    AtomicInteger count = new AtomicInteger();
    runner.run(context -> {
      assertThat(context).hasNotFailed();
      count.set(((AbstractBeanFactory) context.getSourceApplicationContext().getBeanFactory())
          .getBeanPostProcessorCount());
    });
    return count.get();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .collect(Collectors.toSet());
  }

  private static void assertQuiet(
      ContextConsumer<AssertableApplicationContext> consumer, ApplicationContextRunner runner) {
    try (LoggedMessages logged = LoggedMessages.of("org.springframework.context.support")) {
      runner.run(consumer);
      assertThat(logged.from(Level.WARN)).isEmpty();
      assertThat(logged.from(Level.INFO)).noneMatch(message -> message.contains("not eligible"));
    }
  }

  @Test
  void application_without_properties_has_no_processor_thread_or_file_more() {
    String excluded = "spring.autoconfigure.exclude=" + ReplayAutoConfiguration.class.getName();
    int without = processors(application.withPropertyValues(excluded));
    Set<Thread> before = threads();

    assertThat(processors(application)).isEqualTo(without);
    assertThat(threads()).isSubsetOf(before);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void application_that_is_recorded_has_the_processors_of_models_and_servers_only() {
    String excluded = "spring.autoconfigure.exclude=" + ReplayAutoConfiguration.class.getName();
    int without = processors(application.withPropertyValues(excluded));

    assertThat(processors(application.withPropertyValues("replay.record.dir=" + directory)))
        .isEqualTo(without + 2);
    assertThat(directory).as("nothing was called yet").isEmptyDirectory();
  }

  @Test
  void start_creates_no_bean_before_all_processors_are_there() {
    assertQuiet(context -> assertThat(context).hasNotFailed(), application);
    assertQuiet(
        context -> assertThat(context).hasNotFailed().hasSingleBean(ReplayedBeans.class),
        application.withPropertyValues("replay.record.dir=" + directory));
  }

  /** The capture sees the warnings that the test above does not expect. */
  @Test
  void bean_that_a_processor_needs_is_a_warning_of_spring() {
    try (LoggedMessages logged = LoggedMessages.of("org.springframework.context.support")) {
      application
          .withUserConfiguration(UnwrappableBeansTest.EarlyModel.class)
          .withPropertyValues("spring.main.allow-bean-definition-overriding=true")
          .withAllowBeanDefinitionOverriding(true)
          .run(context -> {});
      assertThat(logged.from(Level.WARN)).anyMatch(message -> message.contains("not eligible"));
    }
  }
}
