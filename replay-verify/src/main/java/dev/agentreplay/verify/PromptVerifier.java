package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.prompt.FullPrompt;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.HashCheck.Outcome;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the prompts of model calls against their hashes, also those that the log holds as changes
 * of earlier prompts. Messages that a prompt shares with the beginning of its base are not hashed
 * again. Keeps the last prompts in memory.
 */
final class PromptVerifier {

  private final Tally tally;
  private final LogCanonicalization canonicalization;
  private final ContentVerifier contents;
  private final PromptHistory history;
  private boolean damaged;

  PromptVerifier(
      Tally tally,
      LogCanonicalization canonicalization,
      ContentVerifier contents,
      Session session) {
    this.tally = tally;
    this.canonicalization = canonicalization;
    this.contents = contents;
    this.history = new PromptHistory(session::resolve);
  }

  /** Records that a line could not be read: it may have been the base of a later prompt. */
  void damaged() {
    damaged = true;
  }

  HashCheck check(ModelCall call, ReplayLine line) {
    if (contents.isPartial(line)) {
      read(call);
      history.lastDiffers();
      return contents.check(FindingCode.PAYLOAD_HASH_MISMATCH, line);
    }
    boolean isWritten = call.promptDelta() == null
        || call.prompt().value() != null
        || call.prompt().blob() != null;
    HashCheck check =
        isWritten ? contents.check(FindingCode.PAYLOAD_HASH_MISMATCH, line) : HashCheck.NONE;
    FullPrompt prompt = read(call);
    if (call.promptDelta() != null && check.isSound()) {
      check = checkDelta(call, line, prompt);
    }
    if (!check.isSound()) {
      history.lastDiffers();
    }
    return check;
  }

  private FullPrompt read(ModelCall call) {
    try {
      return history.read(call);
    } catch (IOException e) { // the check of the blob reports it, too
      return new FullPrompt.Unknown(
          "the prompt is a change of one whose blob cannot be read: " + e.getMessage(), false);
    }
  }

  private HashCheck checkDelta(ModelCall call, ReplayLine line, FullPrompt prompt) {
    if (prompt instanceof FullPrompt.Known known) {
      return checkHash(call, line, known);
    }
    FullPrompt.Unknown unknown = (FullPrompt.Unknown) prompt;
    if (!unknown.isInvalid()) {
      return unverifiable(call, line, unknown.reason());
    } else if (damaged) {
      String reason = "the prompt is a change of one that may have been in an unreadable line";
      return unverifiable(call, line, reason);
    }
    tally.report(new Finding(
            FindingCode.PROMPT_DELTA_INVALID, line.position(), "prompt_delta: " + unknown.reason())
        .withId(call.id()));
    return new HashCheck(Outcome.MISMATCHED, null);
  }

  private HashCheck checkHash(ModelCall call, ReplayLine line, FullPrompt.Known prompt) {
    ContentHash stated = call.prompt().hash();
    CanonicalJson canonical = canonicalization.get();
    if (stated == null || canonical == null) {
      return new HashCheck(stated == null ? Outcome.MISSING : Outcome.UNVERIFIABLE, null);
    }
    HashCheck check = HashCheck.of(hash(canonical), stated);
    if (check.isSound()) {
      return check;
    }
    if (!prompt.isBaseSound()) {
      history.lastDiffers();
      return unverifiable(call, line, "the prompt is a change of one that differs from its hash");
    }
    tally.report(new Finding(
            FindingCode.PAYLOAD_HASH_MISMATCH,
            line.position(),
            ContentVerifier.mismatch(check, "prompt", stated))
        .withId(call.id())
        .withValues(stated.toString(), ContentVerifier.text(check.computed())));
    return check;
  }

  private @Nullable ContentHash hash(CanonicalJson canonical) {
    try {
      return history.lastHash(canonical);
    } catch (IllegalArgumentException wouldBeRounded) {
      return null;
    }
  }

  private HashCheck unverifiable(ModelCall call, ReplayLine line, String reason) {
    ContentHash stated = call.prompt().hash();
    if (stated != null) {
      contents.unverifiable(stated, line, () -> reason);
    }
    return new HashCheck(stated == null ? Outcome.MISSING : Outcome.UNVERIFIABLE, null);
  }
}
