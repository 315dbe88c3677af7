package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Differential: events that refer to one blob, against events that hold its value each. */
class RepeatedBlobsTest {

  private static final int TIMES = 4;
  private static final JsonObject OUTPUT = output("2026-01-13T10:00:00Z", 1.0, 1, 2, 3);
  private static final JsonObject OTHER = output("2026-01-14T10:00:00Z", 1.1, 3, 2, 4);

  @TempDir
  private Path directory;

  static List<DiffOptions> options() {
    DiffOptions exact = DiffOptions.defaults();
    return List.of(
        exact,
        exact.plus(Ignore.timestamps()),
        exact.plus(Ignore.at("/output")),
        exact.plus(Ignore.at("/output/at"), Ignore.at("/params/at")),
        exact.plus(Tolerance.at("/output/cost").absolute(new BigDecimal("0.5"))),
        exact.plus(UnorderedArray.at("/output/list")),
        exact.plus(
            UnorderedArray.at("/output/list"),
            Tolerance.at("/output/list/*").absolute(BigDecimal.ONE),
            Ignore.timestamps()),
        exact.plus(FuzzyText.atLeast(0.5)),
        exact.plus(
            SemanticTexts.judgedBy(texts -> new SemanticComparator.Judgment(true, null, "the same"))
                .atMost(2)),
        exact.withLimits(DiffLimits.defaults().withMaxElements(2)));
  }

  @ParameterizedTest
  @MethodSource("options")
  void blobs_are_compared_and_counted_as_values_are(DiffOptions options) throws IOException {
    SessionDiff ofValues = SessionDiff.between(
        record("values", OUTPUT, 1 << 20), record("other-values", OTHER, 1 << 20), options);
    SessionDiff ofBlobs =
        SessionDiff.between(record("blobs", OUTPUT, 50), record("other-blobs", OTHER, 50), options);
    assertThat(values(ofBlobs)).isEqualTo(values(ofValues));
    assertThat(ofBlobs.rules()).isEqualTo(ofValues.rules());
    assertThat(ofBlobs.summary().calls()).isEqualTo(ofValues.summary().calls());
  }

  @ParameterizedTest
  @MethodSource("options")
  void blobs_are_equal_to_their_values(DiffOptions options) throws IOException {
    SessionDiff diff = SessionDiff.between(
        record("blobs", OUTPUT, 50), record("values", OUTPUT, 1 << 20), options);
    assertThat(diff.divergences()).isEmpty();
  }

  @Test
  void events_that_differ_next_to_equal_blobs_keep_their_own_changes() throws IOException {
    SessionDiff diff = SessionDiff.between(
        record("blobs", OUTPUT, 50), record("other-blobs", OTHER, 50), DiffOptions.defaults());
    assertThat(diff.divergences()).hasSize(TIMES);
    assertThat(diff.divergences().stream()
            .map(one -> one.changes().get(0).left().line())
            .distinct())
        .hasSize(TIMES);
    assertThat(diff.divergences().get(2).changes().get(0).values())
        .extracting(ValueChange::pointer)
        .startsWith("/error")
        .contains("/output/at");
  }

  private static List<List<List<ValueChange>>> values(SessionDiff diff) {
    return diff.divergences().stream()
        .map(one -> one.changes().stream().map(EventChange::values).toList())
        .toList();
  }

  private static JsonObject output(String at, double cost, int... list) {
    return JsonObject.of(
        "at",
        at,
        "cost",
        cost,
        "list",
        JsonArray.copyOf(IntStream.of(list).mapToObj(JsonValue::of).toList()),
        "text",
        "a text of some words that is long enough for a blob, made on " + at);
  }

  /** The third call fails in a session that has the other output. */
  private Session record(String name, JsonObject output, long blobThreshold) throws IOException {
    Path session = directory.resolve(name);
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(blobThreshold);
    try (SessionRecorder recorder =
        SessionRecorder.start(session, SessionStart.of("one"), options)) {
      for (int i = 0; i < TIMES; i++) {
        var call = recorder.call("t" + i, JsonObject.of("n", i));
        if (i == 2 && output == OTHER) {
          call.result(output, Outcome.failed("E1", "no"));
        } else {
          call.result(output);
        }
      }
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(session);
  }
}
