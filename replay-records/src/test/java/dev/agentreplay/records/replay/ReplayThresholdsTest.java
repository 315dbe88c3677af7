package dev.agentreplay.records.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Divergence;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayThresholdsTest {

  private static RecordReplayReport report(double similarity, double artifact, int major) {
    Divergence divergence =
        new Divergence(0, 0, "Blue", Severity.MAJOR, "", "", false, null, JsonObject.EMPTY);
    return new RecordReplayReport(
        "RS1",
        Mode.VERIFICATION,
        TestSession.START,
        List.of(),
        false,
        new Similarity(similarity, artifact),
        new Progress(1, 1, 1, 1),
        Collections.nCopies(major, divergence),
        "",
        JsonObject.EMPTY);
  }

  @ParameterizedTest
  @CsvSource({
    "90, 0, 80, 0, true",
    "50, 0, 80, 0, false",
    "70, 0, 60, 0, true",
    "70, 0, 80, 0, false",
    "80, 0, 80, 0, true",
    "90, 1, 80, 0, false",
    "90, 1, 80, 1, true",
    "90, 2, 80, 1, false"
  })
  void thresholds_are_those_of_the_origin(
      double similarity, int major, double threshold, long maxMajor, boolean matches) {
    ReplayThresholds thresholds =
        ReplayThresholds.defaults().withSimilarity(threshold).withMaxMajor(maxMajor);

    assertThat(thresholds.matches(report(similarity, 0, major))).isEqualTo(matches);
  }

  @Test
  void defaults_are_80_percent_and_no_major_divergence() {
    assertThat(ReplayThresholds.defaults()).isEqualTo(new ReplayThresholds(80, 0, null));
  }

  @Test
  void artifact_counts_only_if_a_threshold_is_set() {
    ReplayThresholds thresholds = ReplayThresholds.defaults();

    assertThat(thresholds.matches(report(90, 10, 0))).isTrue();
    assertThat(thresholds.withArtifact(50.0).matches(report(90, 10, 0))).isFalse();
    assertThat(thresholds.withArtifact(50.0).matches(report(90, 50, 0))).isTrue();
  }

  @Test
  void thresholds_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayThresholds.defaults().withSimilarity(100.1))
        .withMessage("similarity must be from 0 to 100: 100.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayThresholds.defaults().withSimilarity(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayThresholds.defaults().withArtifact(-1.0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplayThresholds.defaults().withMaxMajor(-1));
  }
}
