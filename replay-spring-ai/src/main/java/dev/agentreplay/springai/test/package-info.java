/**
 * Replay tests of Spring Boot applications.
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
 *     assistant.ask("When is the corner shop open?");
 *   }
 * }
 * }</pre>
 *
 * <p>{@code mvn test -Dreplay.update=missing} records the sessions that are missing, with the real
 * models, tools and servers. Without the property, the tests replay them, without any of these.
 */
@NullMarked
package dev.agentreplay.springai.test;

import org.jspecify.annotations.NullMarked;
