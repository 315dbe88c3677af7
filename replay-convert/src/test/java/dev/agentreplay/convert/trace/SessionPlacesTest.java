package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Each trace of a directory has a place of its own, and none is in that of a different one. */
class SessionPlacesTest {

  private static final Path TRACES = Path.of("traces");
  private static final Path OUT = Path.of("out");

  private static List<String> places(String... names) {
    List<Path> traces = List.of(names).stream().map(TRACES::resolve).toList();
    SessionPlaces places = new SessionPlaces(TRACES, traces, OUT);
    return traces.stream()
        .map(trace -> OUT.relativize(places.of(trace)).toString().replace('\\', '/'))
        .toList();
  }

  @Test
  void onlyTheTypeIsNotInTheName() {
    assertThat(places("run.1.jsonl", "run.2.jsonl", "b/x.traj.json", "b/y.jsonl.zst", "v1.2"))
        .containsExactly("run.1", "run.2", "b/x", "b/y", "v1.2");
  }

  @Test
  void nameThatIsUsedIsThatOfTheFile_thenWithANumber() {
    assertThat(places("a.json", "a.jsonl", "A.JSONL", "A.jsonl"))
        .containsExactly("a", "a.jsonl", "A.JSONL-2", "A.jsonl-3");
  }

  @Test
  void directoryOfTracesIsNotThatOfASession() {
    assertThat(places("one.jsonl", "one/two.jsonl", "one/two/three.jsonl", "two"))
        .containsExactly("one.jsonl", "one/two.jsonl", "one/two/three", "two");
    assertThat(places("one.jsonl", "one.jsonl/x.jsonl", "one/x.jsonl"))
        .containsExactly("one.jsonl-2", "one.jsonl/x", "one/x");
  }

  @Test
  void directoryThatIsOneTraceHasItsOwnName() {
    SessionPlaces places = new SessionPlaces(TRACES, List.of(TRACES), OUT);
    assertThat(places.of(TRACES)).isEqualTo(OUT.resolve("traces"));
    assertThatThrownBy(() -> places.of(OUT)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property(tries = 300)
  void noPlaceIsThatOfAnother_orInIt(@ForAll("traces") List<String> names) {
    List<Path> found = places(names.toArray(String[]::new)).stream()
        .map(place -> Path.of(place.toLowerCase(Locale.ROOT)))
        .toList();
    List<Path> seen = new ArrayList<>();
    for (Path place : found) {
      assertThat(place.normalize()).isEqualTo(place);
      assertThat(seen).noneMatch(other -> other.startsWith(place) || place.startsWith(other));
      seen.add(place);
    }
  }

  @Provide
  Arbitrary<List<String>> traces() {
    return Arbitraries.of("a", "A", "a.jsonl", "a.json", "a.jsonl-2", "b.1.jsonl", "..jsonl", "b")
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(parts -> String.join("/", parts))
        .list()
        .uniqueElements()
        .ofMaxSize(12)
        .map(SessionPlacesTest::withoutAncestors);
  }

  /** A path is a file or a directory, not both. */
  private static List<String> withoutAncestors(List<String> names) {
    return names.stream()
        .filter(name -> names.stream().noneMatch(other -> other.startsWith(name + "/")))
        .sorted()
        .toList();
  }
}
