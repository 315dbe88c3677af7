package dev.agentreplay.springai.test;

import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.junit.ReplaySession;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes the tests of a class replay tests of a Spring Boot application. The context of the
 * application starts as with {@link SpringBootTest}. Each test replays the recording that its
 * {@link ReplaySession} names: models and tools are served from it, without a key and without a
 * network. With the system property {@code replay.update=missing}, a recording that is missing is
 * made with the real models and tools. {@link ReplaySession} specifies the workflow.
 *
 * <pre>{@code
 * @ReplayTest
 * class AssistantTest {
 *
 *   @Autowired
 *   Assistant assistant;
 *
 *   @Test
 *   @ReplaySession("answers-a-question")
 *   void answers_a_question() {
 *     assertThat(assistant.ask("When is the corner shop open?")).contains("9 to 17");
 *   }
 * }
 * }</pre>
 *
 * <p>All calls that the application makes from the first {@code @BeforeEach} method to the end of
 * the test method, on any thread, are one session. The mode is {@link ReplayMode#MOCK}, unless the
 * {@code ReplaySession} of the method has a different one. A test that only checks a part of the
 * context needs no {@code ReplaySession}; it can make no calls. A call of a model or a tool while
 * no test runs, as in an {@code ApplicationRunner}, throws an {@link IllegalStateException},
 * because it belongs to no recording. Tests that share a context run one after the other, also if
 * JUnit runs tests in parallel.
 *
 * <p>Clients of MCP servers do not connect when the context starts, but when a tool is listed or
 * executed: a replay has the recorded list of tools. An application that asks its
 * {@code ToolCallbackProvider} for tools when it starts must pass the provider itself to the chat
 * client instead. Keys that the context needs to start, such as {@code OPENAI_API_KEY}, get a
 * placeholder if they are not set.
 *
 * <p>The properties {@code replay.mode} and {@code replay.record.dir} of the application do not
 * apply in these tests. Needs {@code replay-junit} and {@code spring-boot-test}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest
@ReplaySession(mode = ReplayMode.MOCK)
@ExtendWith(ReplayTestExtension.class)
@ResourceLock("dev.agentreplay.springai.test")
public @interface ReplayTest {

  /** Properties of the application, as in {@link SpringBootTest#properties}. */
  @AliasFor(annotation = SpringBootTest.class)
  String[] properties() default {};

  /** Arguments of the application, as in {@link SpringBootTest#args}. */
  @AliasFor(annotation = SpringBootTest.class)
  String[] args() default {};

  /** Classes of the application, as in {@link SpringBootTest#classes}. */
  @AliasFor(annotation = SpringBootTest.class)
  Class<?>[] classes() default {};

  /** The web environment, as in {@link SpringBootTest#webEnvironment}. */
  @AliasFor(annotation = SpringBootTest.class)
  WebEnvironment webEnvironment() default WebEnvironment.MOCK;
}
