package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.store.RecordTexts;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionMatrixTest {

  private static final TestSession SESSION = TestSession.example();
  private static final TestSession REWORDED = SESSION.with(
      0,
      2,
      said("Green", Type.DELTA, "Test: shift a cell along the gradient, and watch its fate."));
  private static final TestSession MISSING = SESSION.with(1, 3);

  private static Comparison comparison(String name, TestSession other) throws Exception {
    return new Comparison(name, SESSION.against(other).roster(SESSION.roster()).run());
  }

  @Test
  void closest_and_farthest_have_the_highest_and_the_lowest_similarity() throws Exception {
    SessionMatrix matrix = SessionMatrix.of(List.of(
        comparison("reworded", REWORDED), comparison("same", SESSION), comparison("a", MISSING)));

    assertThat(matrix.closest()).isNotNull().extracting(Comparison::name).isEqualTo("same");
    assertThat(matrix.farthest()).isNotNull().extracting(Comparison::name).isEqualTo("a");
    assertThat(matrix.verdict()).isEqualTo(SessionReplayVerdict.DIVERGED);
    assertThat(matrix.comparisons())
        .extracting(Comparison::name)
        .containsExactly("reworded", "same", "a");
    assertThat(matrix.comparisons().get(1).artifact()).isEqualTo(100);
    assertThat(matrix.original()).isEqualTo(SESSION.record());
  }

  @Test
  void closest_is_not_named_if_two_have_the_same_similarity() throws Exception {
    SessionMatrix matrix = SessionMatrix.of(
        List.of(comparison("a", SESSION), comparison("b", SESSION), comparison("c", MISSING)));

    assertThat(matrix.closest()).isNull();
    assertThat(matrix.farthest()).isNotNull().extracting(Comparison::name).isEqualTo("c");
  }

  @Test
  void nothing_is_ranked_unless_all_is_decided_and_complete() throws Exception {
    SessionReplay replay = SESSION.against(REWORDED).roster(SESSION.roster());
    Comparison undecided = new Comparison(
        "u", replay.against(REWORDED.record(), RecordTexts.none()).run());
    TestSession half = TestSession.of(SESSION.rounds().subList(0, 1));
    Comparison incomplete = comparison("i", half);

    for (Comparison open : List.of(undecided, incomplete)) {
      SessionMatrix matrix = SessionMatrix.of(List.of(comparison("a", SESSION), open));
      assertThat(open.isDecided()).isFalse();
      assertThat(matrix.closest()).isNull();
      assertThat(matrix.farthest()).isNull();
    }
    assertThat(SessionMatrix.of(List.of(undecided, incomplete)).verdict())
        .isEqualTo(SessionReplayVerdict.INCOMPLETE);
    assertThat(SessionMatrix.of(List.of(comparison("a", SESSION))).closest()).isNull();
  }

  @Test
  void matrix_without_comparisons_or_with_the_same_name_twice_is_refused() throws Exception {
    assertThatIllegalArgumentException().isThrownBy(() -> SessionMatrix.of(List.of()));
    List<Comparison> twice = List.of(comparison("a", SESSION), comparison("a", MISSING));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionMatrix.of(twice))
        .withMessage("two rosters have the name a");
  }

  @Test
  void matrix_of_different_records_or_of_a_verification_is_refused() throws Exception {
    List<Comparison> different = List.of(
        comparison("a", SESSION),
        new Comparison("b", MISSING.against(SESSION).roster(SESSION.roster()).run()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionMatrix.of(different))
        .withMessageStartingWith("b: expected a comparison of REC-");
    SessionReplayResult verification = SESSION.against(SESSION).run();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Comparison("v", verification))
        .withMessage("v: expected a comparison, found a verification");
    SessionReplayResult result = comparison("a", SESSION).result();
    assertThatIllegalArgumentException().isThrownBy(() -> new Comparison("", result));
  }
}
