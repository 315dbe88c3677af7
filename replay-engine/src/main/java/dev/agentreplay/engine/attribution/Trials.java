package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.attribution.Trial.Result;
import dev.agentreplay.engine.exchange.RecordedAnswers;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Runs trials, each set of differences once or as often as it is to be repeated. */
final class Trials implements Closeable {

  /** The trials of one set of differences. */
  record Tested(Proportion second, int none) {

    /** Whether no trial had an outcome. */
    boolean isEmpty() {
      return second.of() == 0;
    }
  }

  /** Thrown when no further trial may be made. */
  static final class LimitException extends Exception {
    private static final long serialVersionUID = 1L;

    LimitException(String message) {
      super(message);
    }
  }

  private final Attribution attribution;
  private final ReplayAgent agent;
  private final Outcome outcome;
  private final JsonValue first;
  private final JsonValue second;
  private final RecordedAnswers answers = new RecordedAnswers();
  private final long point;
  private final @Nullable TemporaryDirectory temporary;
  private final Path directory;
  private final List<Trial> all = new ArrayList<>();
  private final Map<Set<Integer>, Tested> tested = new HashMap<>();

  /** The session of the first trial of each set. */
  private final Map<Set<Integer>, Session> sessions = new HashMap<>();

  private long executed;

  Trials(
      Attribution attribution,
      ReplayAgent agent,
      Outcome outcome,
      JsonValue first,
      JsonValue second)
      throws IOException {
    this.attribution = attribution;
    this.agent = agent;
    this.outcome = outcome;
    this.first = first;
    this.second = second;
    this.point = point(attribution.first);
    answers.add(attribution.second);
    Path given = attribution.directory;
    if (given == null) {
      TemporaryDirectory created = TemporaryDirectory.createWithoutExitHook();
      this.temporary = created;
      this.directory = created.path();
    } else {
      this.temporary = null;
      this.directory = given;
    }
  }

  private static long point(Session session) throws IOException {
    ForkPoints points = ForkPoints.of(session);
    List<ForkPoint> possible = points.possible();
    if (possible.isEmpty() || possible.get(0).line() != points.all().get(0).line()) {
      throw new ReplayRefusedException(
          ReplayRefusedException.Reason.FORK,
          "%s: cannot be forked before its first call, of which trials are made: %s"
              .formatted(
                  session.log(),
                  points.all().isEmpty() ? "it has none" : points.all().get(0).refusal()));
    }
    return possible.get(0).line();
  }

  String outcomeName() {
    return outcome.name();
  }

  JsonValue first() {
    return first;
  }

  JsonValue second() {
    return second;
  }

  List<Trial> all() {
    return all;
  }

  /**
   * Tests a set of differences, unless it was tested before.
   *
   * @throws LimitException if no further trial may be made
   */
  Tested test(List<Difference> differences)
      throws IOException, InterruptedException, LimitException {
    Set<Integer> numbers = numbers(differences);
    Tested known = tested.get(numbers);
    if (known != null) {
      return known;
    }
    int had = 0;
    int of = 0;
    int none = 0;
    boolean isCertain = true;
    for (int i = 0; i < attribution.repeats; i++) {
      Trial trial = run(differences, List.copyOf(numbers));
      none += trial.result() == Result.NONE ? 1 : 0;
      of += trial.result() == Result.NONE ? 0 : 1;
      had += trial.result() == Result.SECOND ? 1 : 0;
      if (trial.executed() == 0) {
        break; // each repetition would be the same
      }
      isCertain = attribution.repeats == 1;
    }
    Tested made = new Tested(new Proportion(had, of, isCertain), none);
    tested.put(numbers, made);
    return made;
  }

  /**
   * The session of the first trial of a set of differences, which is tested if it was not.
   *
   * @throws LimitException if no further trial may be made
   */
  Session session(List<Difference> differences)
      throws IOException, InterruptedException, LimitException {
    test(differences);
    return Objects.requireNonNull(sessions.get(numbers(differences)));
  }

  private static Set<Integer> numbers(List<Difference> differences) {
    Set<Integer> numbers = new TreeSet<>();
    differences.forEach(each -> numbers.add(each.number()));
    return numbers;
  }

  private Trial run(List<Difference> differences, List<Integer> numbers)
      throws IOException, InterruptedException, LimitException {
    if (all.size() == attribution.maxTrials) {
      throw new LimitException("the limit of %d trials was reached".formatted(all.size()));
    }
    if (executed >= attribution.maxCalls && attribution.maxCalls > 0) {
      throw new LimitException("the limit of %d executed calls was reached".formatted(executed));
    }
    Fork fork = attribution.repeats == 1 ? Fork.at(point) : Fork.at(point).withModel();
    for (Difference difference : differences) {
      fork = fork.with(difference.change());
    }
    int number = all.size() + 1;
    Path out = directory.resolve("trial-" + number);
    RecordedAnswers.Run asked = answers.start();
    Replay replay = attribution
        .configuration
        .apply(Replay.of(attribution.first).mode(ReplayMode.MOCK))
        .fork(fork)
        .answers(asked::answer)
        .directory(out);
    if (attribution.maxCalls < Long.MAX_VALUE) {
      replay.budget(ReplayBudget.unlimited().withCalls(attribution.maxCalls - executed));
    }
    ReplayReport report = replay.run(agent);
    Session session = Session.open(out);
    sessions.putIfAbsent(new TreeSet<>(numbers), session);
    long calls = report.budget().get("calls") instanceof JsonNumber count ? count.asLong() : 0;
    executed += calls;
    String reason = reason(report);
    Trial trial = new Trial(
        number,
        numbers,
        reason == null ? result(session) : Result.NONE,
        calls,
        temporary == null ? out : null,
        reason);
    if (calls > 0 && attribution.repeats == 1) {
      answers.add(session);
    }
    all.add(trial);
    attribution.listener.accept(trial);
    return trial;
  }

  private Result result(Session session) throws IOException {
    JsonValue found = outcome.of(session);
    return found.equals(first) ? Result.FIRST : found.equals(second) ? Result.SECOND : Result.OTHER;
  }

  /** The reason why a trial has no outcome; null if it has one. */
  private static @Nullable String reason(ReplayReport report) {
    ReplayMissException miss = report.firstMiss();
    if (miss != null) {
      return String.valueOf(miss.getMessage()).lines().findFirst().orElse("a miss");
    }
    if (report.divergencesByKind().containsKey("REFUSED")) {
      return "a call was refused, or there is no executor for it";
    }
    return report.isStopped() || report.isAborted() ? String.join("; ", report.incomplete()) : null;
  }

  @Override
  public void close() throws IOException {
    try (answers) {
      if (temporary != null) {
        temporary.close();
      }
    }
  }
}
