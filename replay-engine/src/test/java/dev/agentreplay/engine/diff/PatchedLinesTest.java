package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.value.JsonPatches;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A patch turns the line of one log into that of the other, byte for byte as in the files. */
class PatchedLinesTest {

  private static List<Path> sessions;

  @BeforeContainer
  static void find() {
    Path corpus = Path.of(System.getProperty("replay.shared", "")).resolve("corpus");
    Stream<Path> roots = Files.isDirectory(corpus)
        ? Stream.of("tau-bench", "openagents-stream", "draft-002").map(corpus::resolve)
        : Stream.of(TestSessions.bundled("sessions"));
    sessions = roots.flatMap(root -> TestSessions.directories(root).stream()).toList();
    assertThat(sessions).hasSizeGreaterThan(5);
  }

  @Property(tries = 300)
  void patch_applies_to_the_line_of_the_left_log(@ForAll Random random) throws IOException {
    Session left = any(random);
    Session right = any(random);
    DiffOptions options = DiffOptions.defaults()
        .withMaxDivergences(Integer.MAX_VALUE)
        .withStrict(random.nextInt(4) == 0);
    List<String> leftLines = Files.readAllLines(left.log());
    List<String> rightLines = Files.readAllLines(right.log());

    for (Divergence divergence : SessionDiff.between(left, right, options).divergences()) {
      boolean isMoved = divergence.kind() == DivergenceKind.MOVED;
      assertThat(isMoved || !divergence.changes().isEmpty()).isTrue();
      for (EventChange change : divergence.changes()) {
        JsonValue patched = JsonPatches.apply(change.patch(), line(leftLines, change.left()));
        assertThat(patched).as("%s", change.patch()).isEqualTo(line(rightLines, change.right()));
      }
    }
  }

  /** The line of an event; null where there is none, as a patch has it. */
  private static JsonValue line(List<String> lines, EventChange.Event event) {
    return event == null
        ? JsonText.parse("null")
        : JsonText.parse(lines.get((int) event.line() - 1));
  }

  private static Session any(Random random) throws IOException {
    return Session.open(sessions.get(random.nextInt(sessions.size())));
  }
}
