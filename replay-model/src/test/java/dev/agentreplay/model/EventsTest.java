package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventsTest {

  private static final Timestamp TIME = Timestamp.parse("2026-01-13T10:00:00Z");

  static List<ReplayEvent> events() {
    return List.of(
        ReplayHeader.of("test@1"),
        SessionStart.of("s").withPolicy(PolicyId.version("v1")).withIssueNumber(42L),
        PlanStart.of(ContentHash.sha256(new byte[0]), 3),
        ToolCall.of("c", "t", JsonObject.of("a", 1)).withStepId("step"),
        ToolResult.of("c", "x")
            .withOutcome(Outcome.exit(1))
            .withStepUtility(0.5)
            .withLatencyMillis(7L)
            .withSideEffects(List.of(SideEffect.of("fs_read"))),
        StepComplete.of("step", Status.SUCCESS, 1),
        Verification.of(CommandRun.of("true", 0)).withDelta(3L),
        new Payment("r", "a", 1L, JsonString.of("p"), "j", Status.SUCCESS, Meta.NONE),
        new RuntimeEvent(1L, "t", Content.of(JsonNull.NULL), "k", Meta.NONE),
        ModelCall.of("m", "model", Prompt.of("hello"))
            .withParameters(Parameters.NONE.withTemperature(0.5)),
        ModelResult.of("m", "hi")
            .withFinish(Completion.of("stop"))
            .withTokens(TokenCounts.of(1, 2)),
        Settings.of(Map.of("a", new Settings.Setting(JsonNull.NULL, Settings.ENV))),
        FileState.created("a", ContentHash.sha256(new byte[0]), 0),
        RecordedValue.of(RecordedValue.CLOCK, 0, JsonNull.NULL),
        Checkpoint.of(new TreeHead(1, ContentHash.sha256(new byte[0]))),
        RecordingGap.of(2).withSince(TIME).withReason("no space"),
        LogSegment.of(2, 3, 4, ContentHash.sha256(new byte[0])),
        SessionEnd.of(Status.FAILED).withConfidence(0.5).withTotals(1, 7),
        new UnknownEvent("x", Meta.NONE));
  }

  @ParameterizedTest
  @MethodSource("events")
  void other_meta_data_changes_nothing_else(ReplayEvent event) {
    Meta meta = Meta.at(TIME).withSessionId("other").withExtra(JsonObject.of("a", 1));

    ReplayEvent changed = event.withMeta(meta);

    assertThat(changed.meta()).isEqualTo(meta);
    assertThat(changed.time()).isEqualTo(TIME);
    assertThat(changed.kind()).isEqualTo(event.kind());
    assertThat(changed).isNotEqualTo(event);
    assertThat(changed.withMeta(event.meta())).isEqualTo(event);
  }

  @Test
  void every_kind_is_that_of_one_event() {
    Set<EventKind> kinds = new HashSet<>();
    events().forEach(event -> assertThat(kinds.add(event.kind())).isTrue());

    assertThat(kinds).containsExactlyInAnyOrder(EventKind.values());
  }

  @ParameterizedTest
  @MethodSource("events")
  void tag_of_a_kind_is_the_name_of_its_event(ReplayEvent event) {
    String tag = event.kind().id();

    assertThat(tag)
        .isEqualTo(event instanceof UnknownEvent ? "" : event.getClass().getSimpleName());
  }

  @Test
  void facts_of_any_event_are_those_of_its_own_components() {
    List<String> facts = events().stream()
        .filter(event -> event.name() != null || event.succeeded() != null)
        .map(event -> "%s %s %s %s %s"
            .formatted(
                event.kind().id(),
                event.name(),
                event.callId(),
                event.succeeded(),
                event.latencyMillis()))
        .toList();

    assertThat(facts)
        .containsExactly(
            "ToolCall t c null null",
            "ToolResult null c false 7",
            "StepComplete step null true null",
            "Verification null null true null",
            "Payment null null true null",
            "RuntimeEvent t null null null",
            "ModelCall model m null null",
            "ModelResult null m true null",
            "FileState a null null null",
            "RecordedValue clock null null null",
            "SessionEnd null null false null",
            " x null null null");
    assertThat(new UnknownEvent("", Meta.NONE).name()).isNull();
    assertThat(
            ModelResult.of("m", "hi").withFinish(Completion.failed("E", "lost")).succeeded())
        .isFalse();
  }

  @Test
  void success_that_no_event_states_is_not_known() {
    assertThat(new StepComplete("s", null, null, Meta.NONE).succeeded()).isNull();
    assertThat(new Payment(null, null, null, null, null, null, Meta.NONE).succeeded())
        .isNull();
    assertThat(Verification.of(CommandRun.of("a", 0), CommandRun.of("b", 1)).succeeded())
        .isFalse();
  }

  @Test
  void latency_of_a_verification_is_that_of_its_only_command() {
    CommandRun run = new CommandRun("true", 0, null, 5L);

    assertThat(Verification.of(run).latencyMillis()).isEqualTo(5);
    assertThat(Verification.of(run, run).latencyMillis()).isNull();
  }

  @ParameterizedTest
  @MethodSource("events")
  void content_has_a_name_where_an_event_has_one(ReplayEvent event) {
    assertThat(event.content() == Content.NONE).isEqualTo(event.kind().contentName() == null);
  }

  @Test
  void lists_are_copied() {
    List<SideEffect> effects = new ArrayList<>(List.of(SideEffect.of("fs_read")));
    ToolResult result = ToolResult.of("c", "x").withSideEffects(effects);
    List<CommandRun> commands = new ArrayList<>(List.of(CommandRun.of("true", 0)));
    Verification verification = new Verification(commands, null, null, null, Meta.NONE);

    effects.clear();
    commands.clear();

    assertThat(result.sideEffects()).hasSize(1);
    assertThat(verification.commands()).hasSize(1);
    assertThatThrownBy(() -> result.sideEffects().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void null_is_refused_where_it_means_nothing() {
    for (Runnable made : List.<Runnable>of(
        () -> ReplayHeader.of(null),
        () -> new ReplayHeader(null, null, null, null, null, null, Meta.NONE),
        () -> new ReplayOrigin(null, null, "mock"),
        () -> new ReplayOrigin(null, new TreeHead(1, ContentHash.sha256(new byte[0])), null),
        () -> new Provenance(null, null, null),
        () -> SessionStart.of(null),
        () -> new SessionStart(null, null, null, null, Task.NONE, Labels.NONE, null),
        () -> new SessionStart(null, null, null, null, Task.NONE, null, Meta.NONE),
        () -> new SessionStart(null, null, null, null, null, Labels.NONE, Meta.NONE),
        () -> new PlanStart(null, null, null),
        () -> ToolCall.of(null, "t", JsonNull.NULL),
        () -> ToolCall.of("c", null, JsonNull.NULL),
        () -> ToolCall.of("c", "t", null),
        () -> ToolResult.of(null, "x"),
        () -> ToolResult.of("c", "x").withOutcome(null),
        () -> ToolResult.of("c", "x").withSideEffects(null),
        () -> ToolResult.of("c", "x").withSideEffects(Arrays.asList((SideEffect) null)),
        () -> StepComplete.of(null, Status.SUCCESS, 1),
        () -> Verification.of((CommandRun) null),
        () -> CommandRun.of(null, 0),
        () -> new Payment(null, null, null, null, null, null, null),
        () -> new RuntimeEvent(null, null, null, null, Meta.NONE),
        () -> SessionEnd.of(null),
        () -> new UnknownEvent(null, Meta.NONE),
        () -> Meta.NONE.withExtra(null),
        () -> Content.of(null),
        () -> Content.ofHash(null),
        () -> BlobRef.of(null, 1),
        () -> ModelCall.of("m", null, Prompt.of("x")),
        () -> ModelCall.of("m", "model", Prompt.of("x")).withParameters(null),
        () -> ModelResult.of("m", "x").withFinish(null),
        () -> ModelResult.of("m", "x").withTokens(null),
        () -> new Prompt(null),
        () -> new Settings(null, Meta.NONE),
        () -> new Settings.Setting(null, null),
        () -> FileState.created("a", null, 0),
        () -> FileState.deleted("a", null),
        () -> RecordedValue.of("clock", 0, null),
        () -> Checkpoint.of(null),
        () -> new RecordingGap(1, null, null, null),
        () -> LogSegment.of(2, 0, 0, null),
        () -> PolicyId.version(null),
        () -> new PolicyId("x", null))) {
      assertThatThrownBy(made::run).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void result_of_null_is_the_json_null() {
    assertThat(ToolResult.of("c", null).output()).isEqualTo(Content.of(JsonNull.NULL));
  }

  @Test
  void each_label_of_a_session_is_set_by_itself() {
    SessionStart start =
        SessionStart.of("s").withTags("a", "b").withUser("kim").withEnvironment("ci");
    assertThat(start.labels()).isEqualTo(new Labels(List.of("a", "b"), "kim", "ci"));
    assertThat(start.withTags().withUser(null).withEnvironment(null))
        .isEqualTo(SessionStart.of("s"));
    assertThatThrownBy(() -> SessionStart.of("s").withTags("a", null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void service_and_method_are_those_of_the_first_tags_that_name_one() {
    Labels labels = SessionStart.of("s")
        .withTags("nightly", "service:", "service:a:b", "service:c", "method:m")
        .labels();
    assertThat(labels.service()).isEqualTo("a:b");
    assertThat(labels.method()).isEqualTo("m");
    assertThat(labels.otherTags()).containsExactly("nightly", "service:", "service:c", "method:m");
    assertThat(Labels.NONE.otherTags()).isEmpty();
    assertThat(Labels.NONE.service()).isNull();
    assertThat(Labels.NONE.method()).isNull();
  }

  @Test
  void commit_is_a_member_of_the_repository() {
    SessionStart start = SessionStart.of("s").withCommit("c0ffee");
    assertThat(start.repository()).isEqualTo(JsonObject.of("commit", "c0ffee"));
    assertThat(start
            .withRepository(JsonObject.of("branch", "main", "commit", "old"))
            .withCommit("new")
            .repository())
        .isEqualTo(JsonObject.of("branch", "main", "commit", "new"));
  }
}
