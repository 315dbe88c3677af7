package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.PreviewText;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import org.jspecify.annotations.Nullable;

/** Compares previews with the values that they were made of, because no hash covers a preview. */
final class PreviewCheck {

  private final Tally tally;
  private final LogCanonicalization canonicalization;

  PreviewCheck(Tally tally, LogCanonicalization canonicalization) {
    this.tally = tally;
    this.canonicalization = canonicalization;
  }

  /**
   * Checks a preview.
   *
   * @param field the name of the member that holds the value, or would hold it
   * @param stated the preview in the log
   * @param value the value in the log; null when it is missing
   * @param blob the preview of the value in the blob; null when there is no sound blob
   */
  void check(
      String field,
      String stated,
      @Nullable JsonValue value,
      @Nullable PreviewText blob,
      ReplayLine line) {
    PreviewText expected = value == null ? blob : preview(value);
    if (expected == null) {
      tally.count(Counter.PREVIEWS_UNVERIFIABLE);
    } else if (expected.is(stated)) {
      tally.count(Counter.PREVIEWS_VERIFIED);
    } else {
      tally.count(Counter.PREVIEWS_MISMATCHED);
      FindingCode code = FindingCode.PREVIEW_MISMATCH;
      tally.report(code, () -> new Finding(
              code,
              line.position(),
              "%s_preview is \"%s\", which does not follow from %s"
                  .formatted(field, Excerpt.of(stated), field))
          .withId(line.event().callId())
          .withValues(stated, expected.start()));
    }
  }

  private @Nullable PreviewText preview(JsonValue value) {
    if (value instanceof JsonString text) {
      return PreviewText.ofText(text.value());
    }
    CanonicalJson canonical = canonicalization.get();
    try {
      return canonical == null ? null : PreviewText.ofJson(canonical.bytes(value));
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }
}
