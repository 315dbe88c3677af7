package dev.agentreplay.engine.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.execution.ToolExecutor;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.testkit.ReportSchemas;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts, causes and limits of attributions, for an agent that reads five files. */
class AttributionTest {

  private static final int FILES = 5;

  @TempDir
  Path directory;

  private static ReplayAgent agent(Predicate<List<String>> fails) {
    return scope -> {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        texts.add(scope.call("read", JsonObject.of("file", i)).asString());
      }
      String answer = scope.ask("m", String.join(",", texts)).answer().value().asString();
      texts.add(answer);
      scope.end(SessionEnd.of(fails.test(texts) ? Status.FAILED : Status.SUCCESS));
    };
  }

  /** The world of a run: the texts of its files begin with a letter. */
  private static Executors world(String letter) {
    return Executors.none()
        .withTool("read", ToolExecutor.of(params -> letter + params.at("/file")))
        .withModel(echo());
  }

  private static ModelExecutor echo() {
    return (call, pieces) ->
        ModelResult.of(call.id(), call.prompt().value().at("/messages/0/content"));
  }

  private Session record(String name, ReplayAgent agent, Executors executors) throws Exception {
    Path path = directory.resolve(name);
    try (SessionRecorder recorder =
        SessionRecorder.start(path, String.valueOf(path.getFileName()))) {
      agent.run(AgentScope.recording(recorder, executors));
    }
    return Session.open(path);
  }

  private Attribution attribution(ReplayAgent agent) throws Exception {
    return Attribution.between(
            record("first", agent, world("a")), record("second", agent, world("b")))
        .replay(replay -> replay.executors(Executors.none().withModel(echo())));
  }

  private static List<List<Integer>> numbers(AttributionReport report) {
    return report.causes().stream()
        .map(cause -> cause.differences().stream().map(Difference::number).toList())
        .toList();
  }

  @Test
  void two_sufficient_differences_are_two_causes_of_which_none_is_necessary() throws Exception {
    ReplayAgent agent =
        agent(texts -> texts.get(1).startsWith("b") || texts.get(3).startsWith("b"));

    AttributionReport report = attribution(agent).run(agent);

    assertThat(numbers(report)).containsExactly(List.of(2), List.of(4));
    assertThat(report.causes()).extracting(Cause::isNecessary).containsOnly(false);
  }

  @Test
  void three_differences_that_are_needed_together_are_one_cause() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b")
        && texts.get(2).startsWith("b")
        && texts.get(4).startsWith("b"));

    assertThat(numbers(attribution(agent).run(agent))).containsExactly(List.of(1, 3, 5));
  }

  /** So many files that halves are tried first, whose answer is that of the later trials. */
  @Test
  void a_cause_that_rests_on_an_answer_of_an_earlier_trial_is_a_candidate() throws Exception {
    int last = 17;
    ReplayAgent agent = scope -> {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i <= last; i++) {
        texts.add(scope.call("read", JsonObject.of("file", i)).asString());
      }
      ModelResult result = scope.ask("m", texts.get(0) + "," + texts.get(last));
      boolean fails = result.answer().value().asString().startsWith("b");
      scope.end(SessionEnd.of(fails ? Status.FAILED : Status.SUCCESS));
    };

    AttributionReport report = attribution(agent).run(agent);

    assertThat(numbers(report)).containsExactly(List.of(1));
    assertThat(report.executed()).isEqualTo(2);
    Cause cause = report.causes().get(0);
    Trial alone = report.trials().stream()
        .filter(trial -> trial.differences().equals(List.of(1)))
        .findFirst()
        .orElseThrow();
    assertThat(alone.executed()).isZero();
    assertThat(cause.with().isCertain()).isFalse();
    assertThat(cause.isCertain()).isFalse();
    assertThat(AttributionText.render(report)).contains("candidate 1", "only repetitions tell");
  }

  @Test
  void sessions_with_the_same_outcome_need_no_trial() throws Exception {
    ReplayAgent agent = agent(texts -> false);

    AttributionReport report =
        attribution(agent).outcome(SessionOutcome.status()).run(agent);

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.EQUAL);
    assertThat(report.trials()).isEmpty();
  }

  @Test
  void the_last_answer_is_the_outcome_if_the_status_is_the_same() throws Exception {
    ReplayAgent agent = agent(texts -> false);

    AttributionReport report = attribution(agent).run(agent);

    assertThat(report.outcome()).isEqualTo("answer");
    assertThat(report.firstOutcome()).isEqualTo(JsonString.of("a0,a1,a2,a3,a4"));
    assertThat(numbers(report)).containsExactly(List.of(1, 2, 3, 4, 5));
  }

  @Test
  void a_reason_that_is_not_in_the_recordings_is_not_explained() throws Exception {
    Session first = record("first", agent(texts -> false), world("a"));
    Session second = record("second", agent(texts -> true), world("b"));

    AttributionReport report = Attribution.between(first, second).run(agent(texts -> false));

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.UNEXPLAINED);
    assertThat(report.causes()).isEmpty();
    assertThat(report.reason()).contains("what made it differ is not among them");
    assertThat(report.trials()).hasSize(2);
  }

  @Test
  void a_different_agent_does_not_reproduce_the_first_recording() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));

    AttributionReport report = attribution(agent).run(agent(texts -> true));

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.NOT_REPRODUCED);
    assertThat(report.trials()).hasSize(1);
  }

  @Test
  void an_answer_that_nothing_has_leaves_it_undecided() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(1).startsWith("b") && texts.size() > FILES);
    Session first = record("first", agent, world("a"));
    Session second = record("second", agent, world("b"));

    AttributionReport report = Attribution.between(first, second).run(agent);

    assertThat(report.trials()).anySatisfy(trial -> {
      assertThat(trial.result()).isEqualTo(Trial.Result.NONE);
      assertThat(trial.reason()).contains("model call m cannot be answered");
    });
    // all five together are the only set whose answer is recorded: it cannot be made smaller
    assertThat(numbers(report)).containsExactly(List.of(1, 2, 3, 4, 5));
    assertThat(report.causes().get(0).isMinimal()).isFalse();
    assertThat(report.verdict()).isEqualTo(AttributionVerdict.UNDECIDED);
    assertThat(report.reason()).isEqualTo("not all smaller sets could be decided");
  }

  @Test
  void the_limits_end_it_with_the_smallest_set_so_far() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(4).startsWith("b"));

    AttributionReport report = attribution(agent).maxTrials(4).run(agent);

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.UNDECIDED);
    assertThat(report.reason()).isEqualTo("the limit of 4 trials was reached");
    assertThat(report.remaining()).hasSize(FILES);
    assertThat(report.differences()).hasSize(FILES);
    assertThat(report.notTried())
        .containsExactly("prompt /messages/0 on line 13, which follows from results before it");
    AttributionReport calls = Attribution.between(
            Session.open(directory.resolve("first")), Session.open(directory.resolve("second")))
        .replay(replay -> replay.executors(Executors.none().withModel(echo())))
        .maxCalls(1)
        .run(agent);
    assertThat(calls.reason()).contains("the limit of 1 executed calls was reached");
    assertThat(calls.executed()).isEqualTo(1);
  }

  @Test
  void each_trial_is_a_fork_that_is_kept_on_request() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(2).startsWith("b"));
    Path out = directory.resolve("trials");
    List<Integer> reported = new ArrayList<>();

    AttributionReport report = attribution(agent)
        .directory(out)
        .listener(trial -> reported.add(trial.number()))
        .run(agent);

    assertThat(reported).hasSize(report.trials().size());
    for (Trial trial : report.trials()) {
      Session session = Session.open(Objects.requireNonNull(trial.directory()));
      ReplayHeader header =
          (ReplayHeader) Objects.requireNonNull(session.firstLine()).event();
      assertThat(ForkOrigin.of(header).changes().size())
          .isEqualTo(trial.differences().size());
    }
    assertThat(Files.list(out)).hasSameSizeAs(report.trials());
  }

  @Test
  void answers_of_earlier_trials_are_not_asked_for_again() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));

    AttributionReport report = attribution(agent)
        .replay(replay -> replay.executors(Executors.none().withModel((call, pieces) -> {
          asked.incrementAndGet();
          return echo().call(call, pieces);
        })))
        .run(agent);

    assertThat(report.executed()).isEqualTo(asked.get());
    assertThat(asked.get()).isLessThan(report.trials().size());
  }

  @Test
  void a_model_that_decides_by_chance_is_not_a_cause_without_enough_repetitions() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ModelExecutor random = (call, pieces) ->
        ModelResult.of(call.id(), calls.incrementAndGet() % 2 == 0 ? "bad" : "good");
    ReplayAgent agent = agent(texts -> texts.get(FILES).equals("bad"));
    Session first = record("first", agent, world("a").withModel(random));
    Session second = record("second", agent, world("b").withModel(random));

    AttributionReport report = Attribution.between(first, second)
        .replay(replay -> replay.executors(Executors.none().withModel(random)))
        .repeats(6)
        .run(agent);

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.UNDECIDED);
    assertThat(report.reason()).contains("more repetitions may tell them apart");
    assertThat(report.causes()).isEmpty();
  }

  @Test
  @Tag("slow")
  void a_probable_cause_has_counts_and_an_interval() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ModelExecutor mostly = (call, pieces) -> {
      boolean isBad = call.prompt().value().at("/messages/0/content").asString().contains("b2");
      return ModelResult.of(call.id(), isBad && calls.incrementAndGet() % 8 != 0 ? "bad" : "good");
    };
    ReplayAgent agent = agent(texts -> texts.get(FILES).equals("bad"));
    Session first = record("first", agent, world("a").withModel(mostly));
    Session second = record("second", agent, world("b").withModel(mostly));

    AttributionReport report = Attribution.between(first, second)
        .replay(replay -> replay.executors(Executors.none().withModel(mostly)))
        .repeats(8)
        .run(agent);

    assertThat(numbers(report)).containsExactly(List.of(3));
    Proportion with = report.causes().get(0).with();
    assertThat(with.of()).isEqualTo(8);
    assertThat(with.count()).isEqualTo(7);
    assertThat(with.isCertain()).isFalse();
    assertThat(with.lower()).isBetween(0.52, 0.54);
    assertThat(with.upper()).isBetween(0.97, 0.98);
  }

  @Test
  void wrong_limits_are_refused() throws Exception {
    Attribution attribution = attribution(agent(texts -> false));
    assertThatThrownBy(() -> attribution.maxTrials(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> attribution.repeats(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> attribution.maxCalls(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void directory_with_files_is_refused_before_the_first_trial() throws Exception {
    Path out = Files.createDirectories(directory.resolve("used"));
    Files.writeString(out.resolve("notes.txt"), "notes");
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));

    assertThatThrownBy(() -> attribution(agent).directory(out).run(agent))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("expected a new or empty directory");
    assertThat(out).isDirectoryContaining("glob:**notes.txt");
  }

  @Test
  void reports_fit_their_schema() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));
    Attribution attribution = attribution(agent);
    List<AttributionReport> reports = List.of(
        attribution.directory(directory.resolve("out")).run(agent),
        attribution.directory(null).maxTrials(2).run(agent),
        attribution.run(agent(texts -> true)),
        attribution
            .outcome(SessionOutcome.of("constant", session -> JsonString.of("x")))
            .run(agent));

    assertThat(reports)
        .extracting(AttributionReport::verdict)
        .containsExactly(
            AttributionVerdict.EXPLAINED,
            AttributionVerdict.UNDECIDED,
            AttributionVerdict.NOT_REPRODUCED,
            AttributionVerdict.EQUAL);
    for (AttributionReport report : reports) {
      assertThat(ReportSchemas.faults(AttributionJson.render(report)))
          .as(report.verdict().id())
          .isEmpty();
    }
  }

  @Test
  void text_says_candidate_where_trials_do_not_decide() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(1).startsWith("b") && texts.size() > FILES);
    Session first = record("first", agent, world("a"));
    Session second = record("second", agent, world("b"));

    String text = AttributionText.render(Attribution.between(first, second).run(agent));

    assertThat(text)
        .contains("candidate 1 sufficient, but not all smaller sets could be decided")
        .doesNotContain("cause");
  }

  @Test
  @Tag("slow")
  void a_set_that_was_found_before_a_limit_is_kept() throws Exception {
    ReplayAgent agent =
        agent(texts -> texts.get(1).startsWith("b") && texts.get(3).startsWith("b"));
    Attribution attribution = attribution(agent);
    int found = 0;
    for (int most = 2; most < 20; most++) {
      AttributionReport report = attribution.maxTrials(most).run(agent);
      assertThat(report.causes().isEmpty() && report.remaining().isEmpty())
          .as("%d trials", most)
          .isFalse();
      boolean isFound = report.verdict() == AttributionVerdict.EXPLAINED;
      assertThat(isFound || found == 0).as("%d trials", most).isTrue();
      found += isFound ? 1 : 0;
    }
    assertThat(found).isGreaterThan(3);
  }

  @Test
  void an_execution_that_fails_has_neither_outcome_nor_answer() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ReplayAgent agent = agent(texts -> texts.get(1).startsWith("b"));

    AttributionReport report = attribution(agent)
        .replay(replay -> replay.executors(Executors.none().withModel((call, pieces) -> {
          if (calls.incrementAndGet() == 1) {
            throw new java.io.IOException("429");
          }
          return echo().call(call, pieces);
        })))
        .run(agent);

    assertThat(report.trials())
        .filteredOn(trial -> trial.result() == Trial.Result.NONE)
        .singleElement()
        .satisfies(trial -> assertThat(trial.reason()).isEqualTo("m was executed and failed: 429"));
    assertThat(numbers(report)).containsExactly(List.of(2));
  }

  @Test
  void a_request_that_is_made_again_has_the_result_of_the_same_recording() throws Exception {
    ReplayAgent agent = scope -> {
      int times = (int) scope.call("times", JsonObject.EMPTY).asLong();
      String text = "";
      for (int i = 0; i < times; i++) {
        text = scope.call("read", JsonObject.EMPTY).asString();
      }
      scope.end(SessionEnd.of(text.equals("bad") ? Status.FAILED : Status.SUCCESS));
    };
    Session first = record("first", agent, reading(1, "good"));
    Session second = record("second", agent, reading(2, "bad"));

    AttributionReport report = Attribution.between(first, second).run(agent);

    assertThat(report.verdict()).as(report.reason()).isEqualTo(AttributionVerdict.EXPLAINED);
    assertThat(numbers(report)).containsExactly(List.of(2));
    assertThat(report.causes().get(0).isNecessary()).isTrue();
  }

  private static Executors reading(int times, String text) {
    return Executors.none()
        .withTool("times", ToolExecutor.of(params -> times))
        .withTool("read", ToolExecutor.of(params -> text));
  }

  @Test
  void an_agent_that_throws_is_named_in_the_reason() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));

    AttributionReport report = attribution(agent).run(scope -> {
      throw new IllegalStateException("a bug");
    });

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.NOT_REPRODUCED);
    assertThat(report.reason()).endsWith(": the agent failed: a bug");
  }

  @Test
  void an_abort_ends_it_with_what_is_known() throws Exception {
    ReplayAgent agent = agent(texts -> texts.get(0).startsWith("b"));
    Attribution attribution = attribution(agent);
    attribution.listener(trial -> {
      if (trial.number() == 2) {
        attribution.abort("enough");
      }
    });

    AttributionReport report = attribution.run(agent);

    assertThat(report.verdict()).isEqualTo(AttributionVerdict.UNDECIDED);
    assertThat(report.reason()).isEqualTo("aborted: enough");
    assertThat(report.trials()).hasSize(2);
  }
}
