package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.RecordedCalls.Call;
import dev.agentreplay.engine.diff.value.JsonPatches;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A recorded session against itself with one thing changed: exactly that is what is found. */
@Tag("slow")
class OneEditTest {

  private static Path directory;
  private static List<RecordedCalls> sessions;

  @BeforeContainer
  static void read() throws IOException {
    directory = Files.createTempDirectory("one-edit");
    Path bundled = TestSessions.bundled("sessions");
    Path corpus = Path.of(System.getProperty("replay.shared", "")).resolve("corpus");
    Stream<Path> roots = Files.isDirectory(corpus)
        ? Stream.of(corpus.resolve("tau-bench"), corpus.resolve("openagents-stream"))
        : Stream.of(bundled);
    sessions = roots
        .flatMap(root -> TestSessions.directories(root).stream())
        .map(RecordedCalls::read)
        .filter(session -> session.calls.size() > 1)
        .toList();
    assertThat(sessions).hasSizeGreaterThan(5);
  }

  @AfterContainer
  static void delete() throws IOException {
    Files.deleteIfExists(directory.resolve("left"));
    Files.deleteIfExists(directory.resolve("right"));
    Files.delete(directory);
  }

  @Property(tries = 400)
  void inserted_call_is_added_and_nothing_else(@ForAll Random random) throws IOException {
    RecordedCalls session = any(random);
    List<Call> calls = new ArrayList<>(session.calls);
    List<Call> others = anyLike(session, random).calls;
    calls.add(
        random.nextInt(calls.size() + 1),
        others.get(random.nextInt(others.size())).withId("inserted"));

    SessionDiff diff = compare(session, session.with(calls));

    Divergence one = only(diff, DivergenceKind.ADDED);
    assertThat(diff.summary().calls().added()).isOne();
    assertThat(diff.summary().calls().matched()).isEqualTo(session.calls.size());
    assertThat(diff.first().call()).isEqualTo(one.right().call());
  }

  @Property(tries = 400)
  void removed_call_is_missing_and_nothing_else(@ForAll Random random) throws IOException {
    RecordedCalls session = any(random);
    List<Call> calls = new ArrayList<>(session.calls);
    calls.remove(random.nextInt(calls.size()));

    SessionDiff diff = compare(session, session.with(calls));

    Divergence one = only(diff, DivergenceKind.MISSING);
    assertThat(diff.summary().calls().missing()).isOne();
    assertThat(diff.first().call()).isEqualTo(one.left().call());
  }

  @Property(tries = 400)
  void moved_call_is_moved_and_nothing_else(@ForAll Random random) throws IOException {
    RecordedCalls session = any(random);
    List<Call> calls = new ArrayList<>(session.calls);
    int from = random.nextInt(calls.size());
    Call moved = calls.remove(from);
    int to = random.nextInt(calls.size() + 1);
    calls.add(to, moved);
    int[] differing = new int[] {Math.min(from, to), Math.max(from, to)};
    for (int i = differing[0]; i <= differing[1]; i++) {
      Assume.that(!calls.get(i).isLike(session.calls.get(i)));
    }

    SessionDiff diff = compare(session, session.with(calls));

    only(diff, DivergenceKind.MOVED);
    assertThat(diff.summary().calls().matched() + diff.summary().calls().moved())
        .isEqualTo(calls.size());
    assertThat(diff.first().call()).isEqualTo(Math.min(from, to));
  }

  @Property(tries = 400)
  void changed_parameter_is_the_only_divergence(@ForAll Random random) throws IOException {
    RecordedCalls session = any(random);
    List<Call> calls = new ArrayList<>(session.calls);
    int at = random.nextInt(calls.size());
    Assume.that(
        calls.get(at).call().get("params") instanceof JsonObject params && !params.isEmpty());
    JsonObject params = calls.get(at).call().get("params").asObject();
    String name = params.name(random.nextInt(params.size()));
    calls.set(at, calls.get(at).withParams(params.with(name, changed(params.get(name)))));

    SessionDiff diff = compare(session, session.with(calls));

    Divergence one = only(diff, DivergenceKind.PARAMS);
    assertThat(one.left().call()).isEqualTo(at);
    assertThat(one.right().call()).isEqualTo(at);
    assertThat(one.firstChange().pointer()).startsWith("/params/");
    assertThat(one.changes()).hasSize(1);
    assertThat(diff.first().call()).isEqualTo(at);
  }

  @Property(tries = 400)
  void changed_output_is_the_only_divergence(@ForAll Random random) throws IOException {
    RecordedCalls session = any(random);
    List<Call> calls = new ArrayList<>(session.calls);
    int at = random.nextInt(calls.size());
    Assume.that(calls.get(at).result() != null);
    calls.set(at, calls.get(at).withOutput(changed(calls.get(at).result().get("output"))));

    SessionDiff diff = compare(session, session.with(calls));

    Divergence one = only(diff, DivergenceKind.OUTPUT);
    assertThat(one.left().call()).isEqualTo(at);
    assertThat(one.firstChange().pointer()).startsWith("/output");
    assertThat(diff.first().call()).isEqualTo(at);
  }

  /** Properties of every comparison, after any edits. */
  @Property(tries = 400)
  void many_edits_counts_close_and_both_ways_are_mirrored(@ForAll Random random)
      throws IOException {
    RecordedCalls left = any(random);
    List<Call> calls = new ArrayList<>(left.calls);
    for (int edit = random.nextInt(8); edit >= 0; edit--) {
      int at = random.nextInt(calls.size());
      switch (random.nextInt(4)) {
        case 0 -> calls.add(at, anyLike(left, random).calls.get(0).withId("edit-" + edit));
        case 1 -> calls.add(random.nextInt(calls.size()), calls.remove(at));
        case 2 -> calls.set(at, calls.get(at).withParams(JsonValue.of(random.nextInt(3))));
        default -> {
          if (calls.size() > 1) {
            calls.remove(at);
          }
        }
      }
    }
    RecordedCalls right = random.nextInt(4) == 0 ? any(random) : left.with(calls);

    SessionDiff diff = compare(left, right);
    SessionDiff back = compare(right, left);

    assertCloses(diff.summary().calls());
    assertCloses(diff.summary().steps());
    diff.summary().byTool().forEach((tool, counts) -> {
      assertThat(counts.left())
          .isEqualTo(counts.matched() + counts.changed() + counts.replaced() + counts.missing());
      assertThat(counts.right())
          .isEqualTo(counts.matched() + counts.changed() + counts.replacing() + counts.added());
    });
    assertThat(back.summary().steps()).isEqualTo(mirrored(diff.summary().steps()));
    assertThat(back.summary().calls()).isEqualTo(mirrored(diff.summary().calls()));
    assertThat(back.summary().divergencesByRole()).isEqualTo(diff.summary().divergencesByRole());
    assertThat(back.similarity()).isEqualTo(diff.similarity()).isBetween(0.0, 100.0);
    assertThat(diff.similarity() == 100).isEqualTo(diff.summary().steps().divergent() == 0);
    if (diff.first() == null) {
      assertThat(back.first()).isNull();
    } else {
      assertThat(back.first().call()).isEqualTo(diff.first().call());
      assertThat(back.first().kind()).isEqualTo(mirrored(diff.first().kind()));
    }
    assertThat(back.divergences().stream().map(one -> mirrored(one.kind())))
        .containsExactlyElementsOf(
            diff.divergences().stream().map(Divergence::kind).toList());
    assertThat(back.divergences().stream().map(Divergence::cause))
        .containsExactlyElementsOf(
            diff.divergences().stream().map(Divergence::cause).toList());
    assertAlignmentIsWhole(diff);
    diff.divergences().forEach(OneEditTest::assertPatches);
  }

  private static void assertCloses(StepCounts counts) {
    assertThat(counts.left()).isEqualTo(counts.matched() + counts.changed() + counts.missing());
    assertThat(counts.right()).isEqualTo(counts.matched() + counts.changed() + counts.added());
  }

  private static void assertAlignmentIsWhole(SessionDiff diff) {
    assertThat(diff.alignment().stream()
            .filter(pair -> pair.left() != null)
            .map(pair -> pair.left().index())
            .sorted())
        .hasSize(diff.summary().steps().left())
        .doesNotHaveDuplicates();
    assertThat(
            diff.alignment().stream().filter(pair -> pair.right() != null).map(pair -> pair.right()
                .index()))
        .hasSize(diff.summary().steps().right())
        .doesNotHaveDuplicates();
    assertThat(diff.alignment().stream().filter(pair -> pair.relation() != Relation.MATCHED))
        .allMatch(pair -> pair.divergence() != null);
  }

  static void assertPatches(Divergence divergence) {
    for (EventChange change : divergence.changes()) {
      JsonValue left = change.left() == null ? null : change.left().json();
      JsonValue patched = JsonPatches.apply(change.patch(), left);
      if (change.right() == null) {
        assertThat(patched.typeName()).isEqualTo("null");
      } else {
        assertThat(patched).isEqualTo(change.right().json());
      }
    }
  }

  private static StepCounts mirrored(StepCounts counts) {
    return TestResults.stepCounts(
        counts.right(),
        counts.left(),
        counts.matched(),
        counts.changed(),
        counts.moved(),
        counts.added(),
        counts.missing());
  }

  private static DivergenceKind mirrored(DivergenceKind kind) {
    return switch (kind) {
      case MISSING -> DivergenceKind.ADDED;
      case ADDED -> DivergenceKind.MISSING;
      default -> kind;
    };
  }

  private static Divergence only(SessionDiff diff, DivergenceKind kind) {
    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.isIdentical()).isFalse();
    Divergence one = diff.divergences().get(0);
    assertThat(one.kind()).isEqualTo(kind);
    assertThat(one.role()).isEqualTo(Divergence.Role.ROOT);
    assertThat(one.size()).isOne();
    assertPatches(one);
    return one;
  }

  private static JsonValue changed(JsonValue value) {
    return value instanceof JsonString text
        ? JsonValue.of(text.value() + " changed")
        : JsonObject.of("changed", value);
  }

  private static RecordedCalls any(Random random) {
    return sessions.get(random.nextInt(sessions.size()));
  }

  /** One of the same dialect. */
  private static RecordedCalls anyLike(RecordedCalls session, Random random) {
    RecordedCalls other = any(random);
    return other.isOfDialect(session) ? other : session;
  }

  private static SessionDiff compare(RecordedCalls left, RecordedCalls right) throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")));
  }
}
