package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.BlobCheck;
import dev.agentreplay.io.session.PreviewText;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.Blobs;
import org.jspecify.annotations.Nullable;

/** Compares previews with the values that they were made of, because no hash covers a preview. */
final class PreviewCheck {

  private final Tally tally;
  private final LogCanonicalization canonicalization;

  PreviewCheck(Tally tally, LogCanonicalization canonicalization) {
    this.tally = tally;
    this.canonicalization = canonicalization;
  }

  /** Counts the previews of a value that is not known. */
  void leave(ReplayLine line) {
    ReplayEvent event = line.event();
    StreamPreviews streams =
        event instanceof ToolResult result ? result.outcome().streams() : StreamPreviews.NONE;
    int previews = (event.content().preview() == null ? 0 : 1)
        + (streams.stdout() == null ? 0 : 1)
        + (streams.stderr() == null ? 0 : 1);
    tally.add(Counter.PREVIEWS_UNVERIFIABLE, previews);
  }

  /** Checks the previews that an event states, after the blob of its value was checked. */
  void check(String field, Blobs blobs, ReplayLine line) {
    ReplayEvent event = line.event();
    Content content = event.content();
    StreamPreviews streams =
        event instanceof ToolResult result ? result.outcome().streams() : StreamPreviews.NONE;
    if (content.preview() == null && streams.isEmpty()) {
      return;
    }
    JsonValue value = content.value();
    BlobCheck.Sound blob =
        value == null && content.blob() != null ? blobs.sound(content.blob()) : null;
    if (content.preview() != null) {
      PreviewText expected = value != null ? preview(value) : blob == null ? null : blob.preview();
      check(field, content.preview(), expected, line);
    }
    StreamPreviews inLog = StreamPreviews.of(value);
    if (streams.stdout() != null) {
      PreviewText expected = blob == null ? stream(inLog.stdout()) : blob.stdout();
      check(field + "/" + StreamPreviews.STDOUT, streams.stdout(), expected, line);
    }
    if (streams.stderr() != null) {
      PreviewText expected = blob == null ? stream(inLog.stderr()) : blob.stderr();
      check(field + "/" + StreamPreviews.STDERR, streams.stderr(), expected, line);
    }
  }

  private static @Nullable PreviewText stream(@Nullable String preview) {
    return preview == null ? null : PreviewText.ofPreview(preview);
  }

  /**
   * Checks a preview.
   *
   * @param field the name of the member that holds the value, or would hold it
   * @param stated the preview in the log
   * @param expected the preview of the value; null when the value is not known
   */
  private void check(String field, String stated, @Nullable PreviewText expected, ReplayLine line) {
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
                  .formatted(
                      field.substring(field.lastIndexOf('/') + 1), Excerpt.of(stated), field))
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
