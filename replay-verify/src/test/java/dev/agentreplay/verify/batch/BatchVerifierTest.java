package dev.agentreplay.verify.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.ParallelSessions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.TestLog;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many sessions at once come to what each comes to alone. */
@Timeout(300)
class BatchVerifierTest {

  private static final BatchVerifier VERIFIER = BatchVerifier.of(VerifyPolicy.defaults());

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void results_are_those_of_each_session_in_the_order_given(int threads) throws IOException {
    List<SessionLocation> places = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      Sessions.find(TestSessions.bundled("sessions")).forEach(places::add);
      Sessions.find(TestSessions.bundled("tampered")).forEach(places::add);
    }
    assertThat(places).hasSizeGreaterThan(100);

    List<BatchResult> results = results(VERIFIER.withThreads(threads), places);

    assertThat(results).extracting(BatchResult::path).isEqualTo(paths(places));
    SessionVerifier alone = SessionVerifier.of(VerifyPolicy.defaults());
    for (BatchResult result : results) {
      VerificationReport report = alone.verify(Session.open(result.path()));
      VerificationReport among = ((BatchResult.Verified) result).report();
      long repeated = among.count(FindingCode.SESSION_REPEATED);
      assertThat(repeated).isBetween(0L, 1L);
      assertThat(among)
          .usingRecursiveComparison()
          .isEqualTo(repeated == 0 ? report : repeated(report, among));
    }
  }

  @Test
  void session_that_cannot_be_read_is_a_result_and_stops_no_other() throws IOException {
    SessionLocation missing = SessionLocation.of(directory.resolve("none"));
    IOException known = new IOException("known before");
    SessionLocation failed = SessionLocation.unreadable(directory.resolve("failed"), known);
    SessionLocation sound = SessionLocation.of(write("sound"));

    List<BatchResult> results = results(VERIFIER, List.of(missing, sound, failed, sound));

    assertThat(results)
        .extracting(BatchResult::verdict)
        .containsExactly(Verdict.UNREADABLE, Verdict.VALID, Verdict.UNREADABLE, Verdict.VALID);
    assertThat(((BatchResult.Failed) results.get(0)).failure())
        .hasMessageContaining("no such file");
    assertThat(((BatchResult.Failed) results.get(2)).failure()).isSameAs(known);
  }

  @Test
  void packed_session_is_closed_when_it_was_verified_or_could_not_be_read() throws IOException {
    Path sound = write("sound");
    Path missing = directory.resolve("none");
    List<Path> closed = Collections.synchronizedList(new ArrayList<>());
    SessionLocation.Opener opener = path ->
        OpenSession.of(new Session(path.resolve(Session.LOG_NAME), null), () -> closed.add(path));

    List<BatchResult> results = results(
        VERIFIER, List.of(SessionLocation.of(sound, opener), SessionLocation.of(missing, opener)));

    assertThat(results).extracting(BatchResult::path).containsExactly(sound, missing);
    assertThat(results).last().isInstanceOf(BatchResult.Failed.class);
    assertThat(closed).containsExactlyInAnyOrder(sound, missing);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void places_are_asked_for_as_results_are_taken_and_not_far_ahead(int threads) throws IOException {
    CountingPlaces places = new CountingPlaces(SessionLocation.of(write("one")));
    int ahead = threads * ParallelSessions.LOOK_AHEAD;
    try (Stream<BatchResult> results = VERIFIER.withThreads(threads).verify(places)) {
      assertThat(places.asked).isZero();
      Iterator<BatchResult> iterator = results.iterator();
      assertThat(places.asked).isZero();
      for (int taken = 1; taken <= 200; taken++) {
        assertThat(iterator.next().verdict()).isEqualTo(Verdict.VALID);
        assertThat(places.asked).isBetween(taken, taken - 1 + ahead);
      }
    }
  }

  @Test
  void threads_have_ended_when_the_stream_is_closed() throws IOException {
    CountingPlaces places = new CountingPlaces(SessionLocation.of(write("one")));
    try (Stream<BatchResult> results = VERIFIER.withThreads(4).verify(places)) {
      assertThat(results.iterator().next().verdict()).isEqualTo(Verdict.VALID);
      assertThat(workers()).isNotEmpty();
    }
    assertThat(workers()).isEmpty();
  }

  @Test
  void threads_have_ended_when_all_results_were_taken() throws IOException {
    SessionLocation place = SessionLocation.of(write("one"));
    Iterator<BatchResult> results =
        VERIFIER.withThreads(4).verify(List.of(place, place)).iterator();
    results.next();
    results.next();
    assertThat(results.hasNext()).isFalse();
    assertThat(workers()).isEmpty();
  }

  @Test
  void session_is_given_up_at_the_next_line() throws IOException {
    Session session = Session.open(write("one"));
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    int[] lines = {0};
    assertThatThrownBy(() -> verifier.verify(session, () -> ++lines[0] > 3))
        .isInstanceOf(CancellationException.class);
    assertThat(lines[0]).isEqualTo(4);
  }

  @Test
  void exception_other_than_a_failure_to_read_is_thrown_in_place_of_its_result()
      throws IOException {
    SessionLocation sound = SessionLocation.of(write("one"));
    Path closed;
    try (FileSystem zip =
        FileSystems.newFileSystem(directory.resolve("closed.zip"), Map.of("create", "true"))) {
      closed = zip.getPath("/session");
    }
    try (Stream<BatchResult> results =
        VERIFIER.verify(List.of(sound, SessionLocation.of(closed), sound))) {
      Iterator<BatchResult> iterator = results.iterator();
      assertThat(iterator.next().verdict()).isEqualTo(Verdict.VALID);
      assertThatThrownBy(iterator::next).isInstanceOf(ClosedFileSystemException.class);
      assertThat(iterator.next().verdict()).isEqualTo(Verdict.VALID);
    }
  }

  @Test
  void exception_of_the_places_is_thrown_and_ends_the_threads() throws IOException {
    SessionLocation sound = SessionLocation.of(write("one"));
    Iterable<SessionLocation> places = () -> IntStream.range(0, 3)
        .mapToObj(i -> {
          if (i == 2) {
            throw new IllegalStateException("a defect");
          }
          return sound;
        })
        .iterator();
    try (Stream<BatchResult> results = VERIFIER.verify(places)) {
      assertThatThrownBy(results::toList)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a defect");
    }
    assertThat(workers()).isEmpty();
  }

  @Test
  void interrupt_stops_nothing_and_is_kept() throws IOException {
    SessionLocation place = SessionLocation.of(write("one"));
    Thread.currentThread().interrupt();
    List<BatchResult> results = results(VERIFIER, List.of(place, place));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(results).extracting(BatchResult::verdict).containsOnly(Verdict.VALID);
  }

  @Test
  void totals_are_the_sums_of_all_reports() {
    List<SessionLocation> places = new ArrayList<>();
    Sessions.find(TestSessions.bundled("tampered")).forEach(places::add);
    places.add(SessionLocation.of(directory.resolve("none")));
    List<BatchResult> results = results(VERIFIER, places);

    BatchTotals totals =
        results.stream().reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);

    assertThat(totals.sessions()).isEqualTo(places.size());
    for (Verdict verdict : Verdict.values()) {
      assertThat(totals.count(verdict))
          .isEqualTo(results.stream().filter(r -> r.verdict() == verdict).count());
    }
    for (Counter counter : Counter.values()) {
      assertThat(totals.count(counter))
          .isEqualTo(reports(results).mapToLong(r -> r.count(counter)).sum());
    }
    for (FindingCode code : FindingCode.values()) {
      assertThat(totals.count(code))
          .isEqualTo(reports(results).mapToLong(r -> r.count(code)).sum());
    }
    assertThat(totals.count(Counter.EVENTS))
        .isPositive()
        .isEqualTo(totals.count(Counter.KNOWN_EVENTS) + totals.count(Counter.UNKNOWN_EVENTS));
    assertThat(totals.plus(totals).sessions()).isEqualTo(2 * totals.sessions());
    assertThat(BatchTotals.NONE.sessions()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, BatchVerifier.MAX_THREADS + 1})
  void number_of_threads_that_makes_no_sense_is_refused(int threads) {
    assertThatThrownBy(() -> VERIFIER.withThreads(threads))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("threads must be from 1 to 256: " + threads);
  }

  /** A report as it is in a batch. */
  private static VerificationReport repeated(VerificationReport report, VerificationReport among) {
    Finding finding = among.findings().get(report.findings().size());
    return report.with(finding, VerifyPolicy.defaults());
  }

  private Path write(String name) throws IOException {
    Path session = Files.createDirectory(directory.resolve(name));
    TestLog.small().write(session, null);
    return session;
  }

  private static List<BatchResult> results(BatchVerifier verifier, List<SessionLocation> places) {
    try (Stream<BatchResult> results = verifier.verify(places)) {
      return results.toList();
    }
  }

  private static Stream<VerificationReport> reports(List<BatchResult> results) {
    return results.stream()
        .filter(result -> result instanceof BatchResult.Verified)
        .map(result -> ((BatchResult.Verified) result).report());
  }

  private static List<Path> paths(List<SessionLocation> places) {
    return places.stream().map(SessionLocation::path).toList();
  }

  private static List<Thread> workers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("replay-sessions") && thread.isAlive())
        .toList();
  }

  /** The same place over and over, and how often it was asked for. */
  private static final class CountingPlaces implements Iterable<SessionLocation> {
    private final SessionLocation place;
    private int asked;

    CountingPlaces(SessionLocation place) {
      this.place = place;
    }

    @Override
    public Iterator<SessionLocation> iterator() {
      return IntStream.generate(() -> ++asked).mapToObj(n -> place).iterator();
    }
  }
}
