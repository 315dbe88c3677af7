package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Recorded runs of one task part at the call that is known. */
class PairsTest {

  @TestFactory
  Stream<DynamicTest> bundled_pairs() throws IOException {
    return pairs(TestSessions.bundled("sessions"));
  }

  @TestFactory
  Stream<DynamicTest> pairs_of_the_corpus() throws IOException {
    return pairs(TestSessions.corpus());
  }

  private static Stream<DynamicTest> pairs(Path root) throws IOException {
    List<String> rows = Files.readAllLines(root.resolve("PAIRS.tsv"));
    assertThat(rows).hasSizeGreaterThan(1);
    return rows.stream()
        .skip(1)
        .map(row -> DynamicTest.dynamicTest(row, () -> {
          String[] cells = row.split("\t");
          check(
              Session.open(root.resolve(cells[0])),
              Session.open(root.resolve(cells[1])),
              Integer.parseInt(cells[2]),
              cells[3]);
        }));
  }

  private static void check(Session left, Session right, int first, String what)
      throws IOException {
    SessionDiff diff = SessionDiff.between(left, right);
    SessionDiff back = SessionDiff.between(right, left);

    assertThat(diff.isIdentical()).isEqualTo(first < 0);
    assertThat(back.isIdentical()).isEqualTo(first < 0);
    StepCounts calls = diff.summary().calls();
    assertThat(calls.matched() + calls.changed() + calls.missing()).isEqualTo(calls.left());
    assertThat(calls.matched() + calls.changed() + calls.added()).isEqualTo(calls.right());
    assertThat(back.summary().calls().matched()).isEqualTo(calls.matched());
    if (first >= 0) {
      assertThat(diff.first().call()).isEqualTo(first);
      assertThat(back.first().call()).isEqualTo(first);
      if (what.equals("missing") || what.equals("unexpected")) {
        DivergenceKind kind =
            what.equals("missing") ? DivergenceKind.MISSING : DivergenceKind.ADDED;
        assertThat(diff.first().kind()).isEqualTo(kind);
        assertThat(diff.divergences())
            .filteredOn(divergence -> divergence.step().kind() == StepKind.CALL)
            .allMatch(divergence -> divergence.kind() == kind);
      }
    }
  }
}
