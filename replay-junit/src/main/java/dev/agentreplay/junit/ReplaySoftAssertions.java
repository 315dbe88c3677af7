package dev.agentreplay.junit;

import java.util.function.Consumer;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.SoftAssertionsProvider;
import org.assertj.core.api.StandardSoftAssertionsProvider;

/**
 * Assertions on recorded sessions, and all of AssertJ's, that are collected: each is tried, and all
 * that failed are reported together. A call that is not there is one failure, whatever is said of
 * it.
 *
 * <pre>{@code
 * ReplaySoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(session).hasToolCalls("read", "write").endsWith(Status.SUCCESS);
 *   softly.assertThat(session).toolCall("tc_1").hasParam("/path", "a.txt").succeeded();
 * });
 * }</pre>
 *
 * <p>On the module path, AssertJ 3.27 can make its subclasses of assertions that are not its own
 * only with {@code --add-exports
 * org.assertj.core/org.assertj.core.api.recursive.assertion=dev.agentreplay.junit}.
 */
public final class ReplaySoftAssertions extends AbstractSoftAssertions
    implements StandardSoftAssertionsProvider, ReplaySoftAssertionsProvider {

  /** Nothing is collected yet. */
  public ReplaySoftAssertions() {}

  /**
   * Makes assertions, and fails with all that did not hold.
   *
   * @throws AssertionError if there is one
   */
  public static void assertSoftly(Consumer<ReplaySoftAssertions> softly) {
    SoftAssertionsProvider.assertSoftly(ReplaySoftAssertions.class, softly);
  }
}
