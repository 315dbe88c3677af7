package dev.agentreplay.records.replay;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.internal.TextLookup;
import dev.agentreplay.records.replay.MeasuredTexts.Measured;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.replay.MessagePair.Placed;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares the messages of pairs, and states their divergences. */
final class MessageComparison {

  /**
   * The share of its similarity that a message has which a different agent sent, or that was sent
   * in a different round: a session that has only such messages does not match.
   */
  private static final double ELSEWHERE = 0.5;

  private final TextLookup originalTexts;
  private final TextLookup replayedTexts;
  private final MeasuredTexts measured;

  MessageComparison(TextLookup originalTexts, TextLookup replayedTexts, MeasuredTexts measured) {
    this.originalTexts = originalTexts;
    this.replayedTexts = replayedTexts;
    this.measured = measured;
  }

  /**
   * A pair with what was measured.
   *
   * @param pair the pair
   * @param measure the measure that decided
   * @param similarity the similarity, from 0.0 to 1.0
   * @param isMatched whether both messages are known to have the same meaning
   */
  record Compared(MessagePair pair, MessageMeasure measure, double similarity, boolean isMatched) {}

  /**
   * Compares a pair.
   *
   * @throws IOException if a text cannot be read
   * @throws InterruptedException if this thread is interrupted; the judge is then, too
   */
  Compared compare(AlignedMessages aligned) throws IOException, InterruptedException {
    Placed original = aligned.original() == null ? null : aligned.original().placed();
    Placed replayed = aligned.replayed() == null ? null : aligned.replayed().placed();
    if (aligned.isInput()) {
      MessagePair pair = new MessagePair(original, replayed, true, null);
      return new Compared(pair, MessageMeasure.NONE, 0, false);
    }
    Measured texts = original == null || replayed == null
        ? alone(aligned.kind())
        : texts(original.message(), replayed.message());
    Kind kind = aligned.kind() == Kind.TEXT && isUndecided(texts) ? Kind.UNDECIDED : aligned.kind();
    Measured result = withKind(kind, original, replayed, texts);
    MessageDivergence divergence = result.severity() == Severity.NONE
        ? null
        : new MessageDivergence(
            kind,
            result.measure(),
            result.similarity(),
            reported(kind, original, replayed, result));
    return new Compared(
        new MessagePair(original, replayed, false, divergence),
        result.measure(),
        result.similarity(),
        result.hasSameMeaning());
  }

  private static boolean isUndecided(Measured measured) {
    return measured.measure() == MessageMeasure.NONE;
  }

  private static Measured alone(Kind kind) {
    return new Measured(
        MessageMeasure.NONE,
        0,
        Severity.MAJOR,
        false,
        switch (kind) {
          case MISSING -> "missing: the replay does not have this message";
          case NOT_REPLAYED -> "not replayed: the replay does not have this round";
          default -> "added: the recorded session does not have this message";
        });
  }

  private Measured texts(TraceMessage original, TraceMessage replayed)
      throws IOException, InterruptedException {
    if (original.contentHash().digest() != null
        && original.contentHash().equals(replayed.contentHash())) {
      return MeasuredTexts.equal();
    }
    String left = originalTexts.text(original.contentHash());
    String right = replayedTexts.text(replayed.contentHash());
    if (left == null || right == null) {
      String hashes =
          original.contentHash().digest() == null || replayed.contentHash().digest() == null
              ? "a hash is not a SHA-256"
              : "the hashes differ";
      String which = left != null
          ? "the replayed text is"
          : right != null ? "the original text is" : "both texts are";
      return MeasuredTexts.undecided("%s, and %s missing".formatted(hashes, which));
    }
    return measured.measure(original.from() + " " + original.type(), left, right);
  }

  /** The measured texts, with what the way of pairing adds. */
  private static Measured withKind(
      Kind kind, @Nullable Placed original, @Nullable Placed replayed, Measured texts) {
    if (original == null || replayed == null) {
      return texts;
    }
    return switch (kind) {
      case TEXT, UNDECIDED, MISSING, NOT_REPLAYED, ADDED -> texts;
      case ORDER ->
        as(Severity.MINOR, texts, 1, "order: the same message at index " + replayed.index());
      case ROUND ->
        as(
            Severity.MODERATE,
            texts,
            ELSEWHERE,
            "round: the same message in round " + replayed.round());
      case SENDER ->
        as(
            Severity.MODERATE,
            texts,
            ELSEWHERE,
            "sender: the same message from " + Excerpt.of(replayed.message().from()));
      case TYPE ->
        new Measured(
            texts.measure(),
            texts.similarity(),
            Severity.MAJOR,
            false,
            "type: %s instead of %s%s"
                .formatted(
                    replayed.message().type(),
                    original.message().type(),
                    texts.explanation() == null ? ", the same text" : "; " + texts.explanation()));
    };
  }

  private static Measured as(Severity severity, Measured texts, double share, String explanation) {
    return new Measured(
        texts.measure(), share * texts.similarity(), severity, texts.hasSameMeaning(), explanation);
  }

  private RecordReplayReport.Divergence reported(
      Kind kind, @Nullable Placed original, @Nullable Placed replayed, Measured result)
      throws IOException {
    Placed place = original == null ? Objects.requireNonNull(replayed, "replayed") : original;
    JsonObject extra = JsonObject.of(
        "kind", kind.id(), "measure", result.measure().id(), "similarity", result.similarity());
    Summaries summaries = Summaries.of(
        original == null ? null : original.message(),
        originalTexts,
        replayed == null ? null : replayed.message(),
        replayedTexts);
    return new RecordReplayReport.Divergence(
        place.round(),
        place.index(),
        place.message().from(),
        result.severity(),
        summaries.original(),
        summaries.replayed(),
        result.hasSameMeaning(),
        result.explanation(),
        original == null ? extra.with("side", "replayed") : extra);
  }
}
