package dev.agentreplay.junit;

import java.util.function.Consumer;
import org.assertj.core.api.AbstractSoftAssertions;
import org.assertj.core.api.SoftAssertionsProvider;
import org.assertj.core.api.StandardSoftAssertionsProvider;

/**
 * Soft assertions on recorded sessions, with all of AssertJ's: each assertion is evaluated, and all
 * failures are reported together. A missing call is one failure, regardless of the number of
 * assertions on it.
 *
 * <pre>{@code
 * ReplaySoftAssertions.assertSoftly(softly -> {
 *   softly.assertThat(session).hasToolCalls("read", "write").endsWith(Status.SUCCESS);
 *   softly.assertThat(session).toolCall("tc_1").hasParam("/path", "a.txt").succeeded();
 * });
 * }</pre>
 *
 * <p>On the module path, AssertJ 3.27 can create subclasses of assertions in other modules only
 * with {@code --add-exports
 * org.assertj.core/org.assertj.core.api.recursive.assertion=dev.agentreplay.junit}.
 */
public final class ReplaySoftAssertions extends AbstractSoftAssertions
    implements StandardSoftAssertionsProvider, ReplaySoftAssertionsProvider {

  /** Creates soft assertions without failures. */
  public ReplaySoftAssertions() {}

  /**
   * Evaluates soft assertions.
   *
   * @throws AssertionError if at least one failed; it reports all failures
   */
  public static void assertSoftly(Consumer<ReplaySoftAssertions> softly) {
    SoftAssertionsProvider.assertSoftly(ReplaySoftAssertions.class, softly);
  }
}
