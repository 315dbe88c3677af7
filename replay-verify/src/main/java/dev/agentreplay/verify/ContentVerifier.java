package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.BlobCheck;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.verify.input.Blobs;
import dev.agentreplay.verify.input.HashHints;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks the values in events against their hashes, previews, pieces and blobs. */
final class ContentVerifier {

  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final HashHints hints;
  private final Blobs blobs;
  private final PreviewCheck previews;
  private final PublishedLines published;

  /**
   * Creates a verifier of the values of one log.
   *
   * @param blobs the blobs of the session
   * @param published the openings of the lines, if the log is published
   */
  ContentVerifier(
      Tally tally,
      LogCanonicalization canonicalization,
      HashHints hints,
      Blobs blobs,
      PublishedLines published) {
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.hints = hints;
    this.blobs = blobs;
    this.previews = new PreviewCheck(tally, canonicalization);
    this.published = published;
  }

  /**
   * Checks a recorded value, which is in the log, in a blob or in both, its preview, and the pieces
   * in which it was streamed. Log and blob must match the hash.
   */
  HashCheck check(FindingCode mismatch, ReplayLine line) {
    Content content = line.event().content();
    String field = String.valueOf(line.event().kind().contentName());
    if (published.isPartial(field)) {
      previews.leave(line);
      return HashCheck.unverifiable(content.hash());
    }
    HashCheck check = checkValue(field, mismatch, content, line);
    if (check.outcome() == HashCheck.Outcome.VERIFIED && published.isRecomputed(field)) {
      check = HashCheck.unverifiable(content.hash()); // no commitment covers what is shown
    }
    previews.check(field, blobs, line);
    textLength(content, line);
    return check;
  }

  /** Checks the pieces of a streamed text that is in the blob only, after the blob was checked. */
  private void textLength(Content content, ReplayLine line) {
    BlobRef ref = content.value() == null ? content.blob() : null;
    BlobCheck.Sound blob = ref == null ? null : blobs.sound(ref);
    if (blob != null && blob.textLength() != null) {
      for (Finding finding : EventRules.checkTextLength(line.event(), blob.textLength())) {
        tally.report(finding.at(line.position()));
      }
    }
  }

  private HashCheck checkValue(
      String field, FindingCode mismatch, Content content, ReplayLine line) {
    BlobRef ref = content.blob();
    HashCheck check = check(content.value(), content.hash(), line);
    if (content.value() != null || ref == null) {
      report(check, mismatch, field, content.value(), content.hash(), line);
    }
    if (ref == null) {
      return check;
    }
    BlobCheck blob = blob(field, ref, content.hash(), check, line);
    if (blob instanceof BlobCheck.Faulty) {
      return new HashCheck(HashCheck.Outcome.MISMATCHED, null);
    }
    if (content.value() != null || canonicalization.get() == null) {
      return check;
    }
    if (blob instanceof BlobCheck.Sound) {
      return HashCheck.of(ref.blob(), content.hash());
    }
    if (content.hash() != null) {
      unverifiable(
          content.hash(),
          line,
          () -> blob instanceof BlobCheck.Unparsed unparsed
              ? unparsed.detail()
              : "the log does not hold the %1$s of its %1$s_hash, and the blob %2$s is missing"
                  .formatted(field, ref.blob()));
    }
    return check;
  }

  /**
   * Checks a blob, and its name against the stated hash, or the hash of the value if none is
   * stated.
   */
  private BlobCheck blob(
      String field, BlobRef ref, @Nullable ContentHash stated, HashCheck value, ReplayLine line) {
    ContentHash expected = stated == null ? value.computed() : stated;
    boolean isNamed = expected == null || expected.equals(ref.blob());
    BlobCheck check = isNamed
        ? blobs.check(ref, canonicalization.get())
        : BlobCheck.faulty("%s_ref names the blob %s, but %s is %s"
            .formatted(
                field,
                ref.blob(),
                stated == null ? "the hash of the value next to it" : field + "_hash",
                expected));
    if (check instanceof BlobCheck.Faulty faulty) {
      ContentHash found = isNamed ? faulty.found() : ref.blob();
      tally.report(new Finding(FindingCode.BLOB_MISMATCH, line.position(), faulty.detail())
          .withId(line.event().callId())
          .withValues(text(isNamed ? ref.blob() : expected), text(found)));
    }
    return check;
  }

  private HashCheck check(
      @Nullable JsonValue value, @Nullable ContentHash stated, ReplayLine line) {
    CanonicalJson canonical = canonicalization.get();
    if (value == null || canonical == null) {
      return HashCheck.unverifiable(stated);
    }
    return HashCheck.of(hash(value, canonical, line), stated);
  }

  /** The hash of a value of a line, or null where the canonicalization would round an integer. */
  private static @Nullable ContentHash hash(
      JsonValue value, CanonicalJson canonical, ReplayLine line) {
    try {
      return line.hash(value, canonical);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }

  private void report(
      HashCheck check,
      FindingCode mismatch,
      String field,
      @Nullable JsonValue value,
      @Nullable ContentHash stated,
      ReplayLine line) {
    if (check.outcome() == HashCheck.Outcome.MISMATCHED) {
      tally.report(
          new Finding(mismatch, line.position(), mismatch(check, field, stated))
              .withId(line.event().callId())
              .withValues(text(stated), text(check.computed())),
          () ->
              value == null || stated == null ? null : hints.explain(value, stated, line.length()));
    } else if (check.outcome() == HashCheck.Outcome.UNVERIFIABLE
        && canonicalization.get() != null) {
      unverifiable(stated, line, () -> "the log does not hold the %s of its %s_hash"
          .formatted(field, field));
    }
  }

  /** Whether the line that was accepted last does not show its value as it is. */
  boolean isPartial(ReplayLine line) {
    return published.isPartial(String.valueOf(line.event().kind().contentName()));
  }

  /** Reports a hash that cannot be checked, unless it is usual in a published log. */
  void unverifiable(@Nullable ContentHash stated, ReplayLine line, Supplier<String> message) {
    if (published.isPublished()) {
      return;
    }
    FindingCode code = FindingCode.HASH_UNVERIFIABLE;
    tally.report(code, () -> new Finding(code, line.position(), message.get())
        .withId(line.event().callId())
        .withValues(text(stated), null));
  }

  static @Nullable String text(@Nullable ContentHash hash) {
    return hash == null ? null : hash.toString();
  }

  static String mismatch(HashCheck check, String field, @Nullable ContentHash stated) {
    return check.computed() == null
        ? "%s_hash is %s, but %s has none: jcs would change the digits of an integer"
            .formatted(field, stated, field)
        : "%s_hash is %s, but %s has %s".formatted(field, stated, field, check.computed());
  }
}
