package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.attribution.RecordedRun.Asked;
import dev.agentreplay.engine.attribution.RecordedRun.Call;
import dev.agentreplay.engine.attribution.Trial.Result;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkChange;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.ReplayControl;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.file.FileTree;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Runs trials, each set of differences once or as often as it is to be repeated. */
final class Trials implements Closeable {

  /**
   * A trial that was made.
   *
   * @param isCertain whether no result was executed, by it or an earlier one whose result it took
   *     over, so that each repetition would be the same
   */
  private record Made(Trial trial, boolean isCertain) {}

  /** Thrown when no further trial may be made. */
  static final class LimitException extends Exception {
    private static final long serialVersionUID = 1L;

    LimitException(String message) {
      super(message);
    }
  }

  private final Attribution attribution;
  private final ReplayAgent agent;
  private final SessionOutcome outcome;
  private final JsonValue first;
  private final JsonValue second;
  private final RecordedRun firstRun;
  private final RecordedRun secondRun;

  /** The results that trials executed, by their number among those of the same request. */
  private final Map<Asked, Map<Integer, ReplayEvent>> results = new HashMap<>();

  private final long point;
  private final @Nullable TemporaryDirectory temporary;
  private final Path directory;
  private final List<Trial> all = new ArrayList<>();
  private final Map<Set<Integer>, Proportion> tested = new HashMap<>();

  private long executed;

  Trials(
      Attribution attribution,
      ReplayAgent agent,
      SessionOutcome outcome,
      JsonValue first,
      JsonValue second)
      throws IOException {
    this.attribution = attribution;
    this.agent = agent;
    this.outcome = outcome;
    this.first = first;
    this.second = second;
    this.point = point(attribution.first);
    this.firstRun = RecordedRun.read(attribution.first);
    this.secondRun = RecordedRun.read(attribution.second);
    Path given = attribution.directory;
    if (given == null) {
      TemporaryDirectory created = TemporaryDirectory.createWithoutExitHook();
      this.temporary = created;
      this.directory = created.path();
    } else {
      if (!FileTree.isNewOrEmpty(given)) {
        throw new FileAlreadyExistsException(
            given.toString(), null, "expected a new or empty directory");
      }
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

  RecordedRun firstRun() {
    return firstRun;
  }

  RecordedRun secondRun() {
    return secondRun;
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
   * @return the trials with an outcome, and those with the outcome of the second recording
   * @throws LimitException if no further trial may be made
   */
  Proportion test(List<Difference> differences)
      throws IOException, InterruptedException, LimitException {
    Set<Integer> numbers = numbers(differences);
    Proportion known = tested.get(numbers);
    if (known != null) {
      return known;
    }
    int had = 0;
    int of = 0;
    boolean isCertain = true;
    for (int i = 0; i < attribution.repeats; i++) {
      Made made = make(differences, List.copyOf(numbers));
      Result result = made.trial().result();
      of += result == Result.NONE ? 0 : 1;
      had += result == Result.SECOND ? 1 : 0;
      if (made.isCertain()) {
        break;
      }
      isCertain = false;
    }
    Proportion found = new Proportion(had, of, isCertain);
    tested.put(numbers, found);
    return found;
  }

  /**
   * Reads the first trial of a set of differences, which is tested if it was not.
   *
   * @throws LimitException if no further trial may be made
   */
  RecordedRun run(List<Difference> differences)
      throws IOException, InterruptedException, LimitException {
    Proportion unused = test(differences);
    List<Integer> numbers = List.copyOf(numbers(differences));
    Trial trial = all.stream()
        .filter(each -> each.differences().equals(numbers))
        .findFirst()
        .orElseThrow();
    return RecordedRun.read(Session.open(out(trial.number())));
  }

  private Path out(int number) {
    return directory.resolve("trial-" + number);
  }

  private static Set<Integer> numbers(List<Difference> differences) {
    Set<Integer> numbers = new TreeSet<>();
    differences.forEach(each -> numbers.add(each.number()));
    return numbers;
  }

  private Made make(List<Difference> differences, List<Integer> numbers)
      throws IOException, InterruptedException, LimitException {
    requireWithinLimits();
    Fork fork = attribution.repeats == 1 ? Fork.at(point) : Fork.at(point).withModel();
    Set<Long> taken = new HashSet<>();
    for (Difference difference : differences) {
      fork = fork.with(difference.change());
      if (difference.change() instanceof ForkChange.Result result) {
        taken.add(result.line());
      }
    }
    int number = all.size() + 1;
    Path out = out(number);
    TrialAnswers answers = new TrialAnswers(firstRun, secondRun, results, taken);
    ReplayControl control = new ReplayControl();
    Replay replay = attribution
        .configuration
        .apply(Replay.of(attribution.first).mode(ReplayMode.MOCK))
        .fork(fork)
        .answers(answers)
        .control(control)
        .directory(out);
    if (attribution.maxCalls < Long.MAX_VALUE) {
      replay.budget(ReplayBudget.unlimited().withCalls(attribution.maxCalls - executed));
    }
    attribution.running(control);
    ReplayReport report = replay.run(agent);
    Session session = Session.open(out);
    long calls = report.budget().get("calls") instanceof JsonNumber count ? count.asLong() : 0;
    executed += calls;
    String reason = reason(report);
    if (calls > 0 && reason == null) {
      RecordedRun run = RecordedRun.read(session);
      reason = failure(run);
      if (attribution.repeats == 1 && reason == null) {
        keepResults(run);
      }
    }
    Result result = reason == null ? result(session) : Result.NONE;
    if (result == Result.OTHER && report.failure() != null) {
      reason = "the agent failed: " + Failure.message(report.failure());
    }
    Path kept = temporary == null ? out : null;
    Trial trial = new Trial(number, numbers, result, calls, kept, reason);
    all.add(trial);
    attribution.listener.accept(trial);
    return new Made(trial, calls == 0 && !answers.hasServedExecuted());
  }

  private void requireWithinLimits() throws LimitException {
    String aborted = attribution.aborted();
    if (aborted != null) {
      throw new LimitException("aborted: " + aborted);
    } else if (all.size() == attribution.maxTrials) {
      throw new LimitException("the limit of %d trials was reached".formatted(all.size()));
    } else if (executed >= attribution.maxCalls && attribution.maxCalls > 0) {
      throw new LimitException("the limit of %d executed calls was reached".formatted(executed));
    }
  }

  /** Keeps what a trial executed, for later ones. */
  private void keepResults(RecordedRun run) {
    run.lanes()
        .forEach((agent, lane) -> lane.same.forEach((key, calls) -> {
          for (int i = 0; i < calls.size(); i++) {
            ReplayEvent result = calls.get(i).result;
            if (result != null && isExecuted(result)) {
              results
                  .computeIfAbsent(new Asked(agent, key), asked -> new HashMap<>())
                  .putIfAbsent(i, result);
            }
          }
        }));
  }

  private static boolean isExecuted(ReplayEvent result) {
    Provenance provenance = Provenance.of(result);
    return provenance != null && provenance.action().equals(Provenance.EXECUTED);
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
    } else if (report.divergencesByKind().containsKey("REFUSED")) {
      return "a call was refused, or there is no executor for it";
    } else if (report.isStopped() || report.isAborted()) {
      return String.join("; ", report.incomplete());
    }
    return null;
  }

  private static @Nullable String failure(RecordedRun run) {
    return run.lanes().values().stream()
        .flatMap(lane -> lane.same.values().stream())
        .flatMap(List::stream)
        .map(Trials::failure)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * The failure of a call that was executed, such as one of the network, which does not follow from
   * the differences; null if it did not fail. An exit code other than 0 is not such a failure.
   */
  private static @Nullable String failure(Call call) {
    ReplayEvent result = call.result;
    if (result == null || !isExecuted(result)) {
      return null;
    }
    Failure failure = result instanceof ToolResult tool
        ? tool.outcome().error()
        : ((ModelResult) result).finish().error();
    return failure == null
        ? null
        : "%s was executed and failed: %s".formatted(call.call.name(), failure.message());
  }

  @Override
  public void close() throws IOException {
    if (temporary != null) {
      temporary.close();
    }
  }
}
