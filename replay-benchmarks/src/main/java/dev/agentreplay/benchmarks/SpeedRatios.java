package dev.agentreplay.benchmarks;

import com.fasterxml.jackson.databind.MappingIterator;
import dev.agentreplay.benchmarks.ReadLog.Call;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Measures the speed of this library as ratios to a peer or to a lower bound that does less work.
 * Both sides of a ratio take turns in one process, and a ratio is the median of the ratios of all
 * rounds, so that the speed of the machine and its other load matter little.
 *
 * <p>With {@code --check} the exit code is 1 if a ratio is above its bound. A bound is a tenth to a
 * third above what was measured: it shows that something became slower, not that a machine is slow.
 *
 * <pre>
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.SpeedRatios [NAME...]
 * </pre>
 */
public final class SpeedRatios implements Closeable {

  private static final int CALLS = 5_000;
  private static final int EMITS = 2_000;

  /**
   * A ratio of two durations.
   *
   * @param name the name of the ratio
   * @param rounds the number of measured rounds, after half as many that are not measured
   * @param bound the largest ratio that {@code --check} accepts
   */
  private record Ratio(
      String name, int rounds, double bound, Rounds.Step work, Rounds.Step reference) {

    /** Measures and prints the ratio; returns whether it is within its bound. */
    boolean measure() throws IOException {
      double[] ratios = new double[rounds];
      long[] works = new long[rounds];
      for (int round = -rounds / 2; round < rounds; round++) {
        int at = Math.max(round, 0);
        works[at] = Rounds.time(work);
        ratios[at] = (double) works[at] / Rounds.time(reference);
      }
      Arrays.sort(ratios);
      double median = ratios[rounds / 2];
      System.out.printf(
          "%-16s %6.2f   (%.2f to %.2f)   bound %.2f   %,.0f us%s%n",
          name,
          median,
          ratios[rounds / 4],
          ratios[rounds * 3 / 4],
          bound,
          Rounds.median(works) / 1e3,
          median > bound ? "   ABOVE ITS BOUND" : "");
      return median <= bound;
    }
  }

  private final Path directory = Files.createTempDirectory("replay-speed");
  private final List<Closeable> opened = new ArrayList<>();

  private SpeedRatios() throws IOException {}

  /**
   * Measures and prints the ratios.
   *
   * @param args the beginnings of the names to measure, all by default; {@code --check}
   */
  public static void main(String[] args) throws IOException {
    List<String> names = new ArrayList<>(List.of(args));
    boolean check = names.remove("--check");
    boolean isWithin = true;
    try (SpeedRatios ratios = new SpeedRatios()) {
      for (Ratio ratio : ratios.all()) {
        if (names.isEmpty() || names.stream().anyMatch(ratio.name::startsWith)) {
          isWithin &= ratio.measure();
        }
      }
    }
    if (check && !isWithin) {
      System.exit(1);
    }
  }

  private List<Ratio> all() throws IOException {
    List<Ratio> ratios = new ArrayList<>();
    ratios.addAll(reading());
    for (String document : List.of("line270", "line3k", "array1m")) {
      ratios.add(hashing(document));
    }
    ratios.add(verifying());
    ratios.addAll(comparing());
    ratios.addAll(emitting());
    return ratios;
  }

  /**
   * Reading typed events, without and with parsing the values in them, relative to Jackson's
   * binding of the same lines.
   */
  private static List<Ratio> reading() throws IOException {
    byte[] log = ReadLog.bytes();
    ReadLog.requireSameEvents(log);
    return List.of(
        new Ratio("read", 400, 1.25, () -> read(log), () -> readWithJackson(log)),
        new Ratio("read-values", 400, 1.6, () -> readValues(log), () -> readWithJackson(log)));
  }

  private static void readValues(byte[] log) throws IOException {
    try (ReplayReader reader = ReadLog.reader(log)) {
      Rounds.readValues(reader);
    }
  }

  private static void read(byte[] log) throws IOException {
    long sum = 0;
    try (ReplayReader reader = ReadLog.reader(log)) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        sum += line.event().kind().ordinal();
      }
    }
    require(sum > 0);
  }

  private static void readWithJackson(byte[] log) throws IOException {
    int count = 0;
    try (MappingIterator<ReadPojos.Event> events = ReadLog.jackson(log)) {
      while (events.hasNextValue()) {
        count += events.nextValue() == null ? 0 : 1;
      }
    }
    require(count == ReadLog.LINES);
  }

  /** Hashing the canonical form of a text, relative to SHA-256 of that form alone. */
  private static Ratio hashing(String document) {
    byte[] text = Documents.named(document);
    byte[] canonical = CanonicalJson.SERDE.bytes(text);
    MessageDigest sha256 = ContentHash.newDigest();
    int repeats = Math.max(1, 500_000 / text.length);
    return new Ratio(
        "hash-" + document,
        200,
        3.0,
        () -> {
          for (int i = 0; i < repeats; i++) {
            require(CanonicalJson.SERDE.hash(text) != null);
          }
        },
        () -> {
          for (int i = 0; i < repeats; i++) {
            require(ContentHash.of(sha256.digest(canonical)) != null);
          }
        });
  }

  /** Verifying a session with its receipt, relative to reading both and hashing the log. */
  private Ratio verifying() throws IOException {
    Session session = VerifyCost.record(directory.resolve("verified"), CALLS);
    return new Ratio("verify", 60, 1.3, () -> VerifyCost.verify(session), () -> {
      Rounds.read(session);
      VerifyCost.readReceipt(session);
      session.replayHash();
    });
  }

  /** Comparing two sessions, relative to reading both; and ten times as many events. */
  private List<Ratio> comparing() throws IOException {
    Session[] small = sessions(CALLS);
    Session[] large = sessions(10 * CALLS);
    return List.of(
        new Ratio("compare", 40, 2.9, () -> compare(small), () -> {
          Rounds.read(small[0]);
          Rounds.read(small[1]);
        }),
        new Ratio("compare-10-times", 10, 12, () -> compare(large), () -> compare(small)));
  }

  private Session[] sessions(int count) throws IOException {
    List<Call> calls = ReadLog.calls(count);
    return new Session[] {
      DiffCost.write(directory.resolve("left" + count), calls),
      DiffCost.write(directory.resolve("right" + count), DiffCost.edited(calls))
    };
  }

  private static void compare(Session[] sessions) throws IOException {
    require(!SessionDiff.between(sessions[0], sessions[1]).isIdentical());
  }

  /** Writing one event, and a call with its result, relative to raw appends of as many lines. */
  private List<Ratio> emitting() throws IOException {
    EmitFile raw = opened(new EmitFile(EmitContender.Kind.RAW_APPEND));
    EmitFile tree = opened(new EmitFile(EmitContender.Kind.WITH_TREE));
    SessionRecorder recorder = opened(SessionRecorder.start(
        directory.resolve("recorded"), SessionStart.of("s"), RecorderOptions.defaults()));
    return List.of(
        new Ratio("emit", 200, 3.0, () -> emit(tree, EMITS), () -> emit(raw, EMITS)),
        new Ratio(
            "record-call", 100, 4.6, () -> record(recorder, EMITS), () -> emit(raw, 2 * EMITS)));
  }

  private <T extends Closeable> T opened(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  private static void emit(EmitFile file, int count) throws IOException {
    file.reserve(count);
    for (int i = 0; i < count; i++) {
      file.emit();
    }
  }

  private static void record(SessionRecorder recorder, int count) throws IOException {
    JsonValue params = Objects.requireNonNull(EmitContender.CALL.params().value());
    for (int i = 0; i < count; i++) {
      recorder.call(EmitContender.CALL.tool(), params).result("the text of a short result");
    }
  }

  @Override
  public void close() throws IOException {
    for (Closeable closeable : opened) {
      closeable.close();
    }
    Rounds.delete(directory);
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("the work was not done");
    }
  }
}
