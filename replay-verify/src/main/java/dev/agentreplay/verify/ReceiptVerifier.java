package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.DecodedReceipt;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.internal.LogCanonicalization;
import dev.agentreplay.io.ReplayFormatException;
import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Severity;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies sessions: the log against itself, and against its receipt where there is one.
 *
 * <p>It is made from a policy, and tells what it found in a {@link VerificationReport}; an
 * exception means that a file could not be read at all.
 */
public final class ReceiptVerifier {

  private final VerifyPolicy policy;

  private ReceiptVerifier(VerifyPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  /** A verifier with this policy. */
  public static ReceiptVerifier of(VerifyPolicy policy) {
    return new ReceiptVerifier(policy);
  }

  /**
   * Verifies a session.
   *
   * @throws IOException if the log cannot be read from disk, or not be decompressed; a blob that
   *     cannot be read is a finding, and so is a log or receipt that can be, but makes no sense
   */
  public VerificationReport verify(Session session) throws IOException {
    Tally tally = new Tally(policy.maxFindings());
    LogCanonicalization canonicalization = new LogCanonicalization();
    HashHints hints = new HashHints(canonicalization);
    ReceiptMatcher matcher = session.receipt() == null
        ? null
        : matcher(session.receipt(), tally, canonicalization, hints);
    LogVerifier log = new LogVerifier(
        tally,
        canonicalization,
        new ContentVerifier(tally, canonicalization, hints, new Blobs(session)),
        matcher == null ? call -> {} : matcher::accept,
        starts(session));
    Dialect dialect;
    try (ReplayReader reader = session.reader()) {
      boolean whole = readAll(reader, log, matcher, tally);
      dialect = reader.dialect();
      if (whole) {
        log.finish(reader.foreignFormat());
        if (matcher != null) {
          matcher.finish(log.hash());
        }
      }
    }
    CanonicalJson canonical = canonicalization.get();
    return report(session, dialect, canonical == null ? null : canonical.canonicalization(), tally);
  }

  /** Where the files of the log begin in it: each but the last is whole, and stays as it is. */
  private static long[] starts(Session session) throws IOException {
    List<Path> parts = session.parts();
    long[] starts = new long[parts.size()];
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + Files.size(parts.get(i - 1));
    }
    return starts;
  }

  /** Returns whether all lines were read and understood, so that conclusions may be drawn. */
  private static boolean readAll(
      ReplayReader reader, LogVerifier log, @Nullable ReceiptMatcher matcher, Tally tally)
      throws IOException {
    boolean whole = true;
    while (!log.isUnsupported()) {
      try {
        ReplayLine line = reader.read();
        if (line == null) {
          return whole;
        }
        log.accept(line);
        if (matcher != null && whole) {
          matcher.accept(line);
        }
      } catch (ReplayFormatException unreadable) {
        whole = false;
        log.damaged();
        tally.count(Counter.UNREADABLE_LINES);
        tally.report(unreadable.toFinding());
        if (reader.foreignFormat() != null) {
          return false; // its other lines are no better
        }
      }
    }
    return false;
  }

  private static @Nullable ReceiptMatcher matcher(
      Path file, Tally tally, LogCanonicalization canonicalization, HashHints hints)
      throws IOException {
    JsonValue value;
    try {
      value = JsonText.parse(Files.readAllBytes(file));
    } catch (JsonSyntaxException e) {
      tally.report(FindingCode.RECEIPT_UNREADABLE, null, file + ": " + e.getMessage());
      return null;
    }
    DecodedReceipt decoded =
        value instanceof JsonObject object ? ReceiptCodec.decode(object) : null;
    if (decoded == null) {
      tally.report(FindingCode.RECEIPT_UNREADABLE, null, file + ": not a receipt of a known form");
      return null;
    }
    for (Finding finding : decoded.findings()) {
      tally.report(Finding.of(finding.code(), "receipt: " + finding.message()));
    }
    return decoded.receipt() instanceof TrajectoryReceipt trajectory
        ? new TrajectoryReceiptMatcher(value.asObject(), trajectory, tally, canonicalization, hints)
        : new SessionReceiptMatcher((SessionReceipt) decoded.receipt(), tally, canonicalization);
  }

  private VerificationReport report(
      Session session,
      @Nullable Dialect dialect,
      @Nullable Canonicalization canonicalization,
      Tally tally) {
    Set<Requirement> unmet = EnumSet.noneOf(Requirement.class);
    for (Requirement requirement : policy.requirements()) {
      if (!isMet(requirement, session, tally)) {
        unmet.add(requirement);
      }
    }
    List<Finding> findings = tally.findings();
    return new VerificationReport(
        session,
        verdict(tally, unmet),
        unmet,
        dialect,
        canonicalization,
        tally.counts(),
        tally.findingCounts(),
        findings);
  }

  private static boolean isMet(Requirement requirement, Session session, Tally tally) {
    return switch (requirement) {
      case HASHES ->
        tally.get(Counter.PARAMS_HASHES_VERIFIED) + tally.get(Counter.OUTPUT_HASHES_VERIFIED) > 0;
      case RECEIPT -> session.receipt() != null;
      case SESSION_END -> !tally.findingCounts().containsKey(FindingCode.SESSION_END_MISSING);
    };
  }

  private static Verdict verdict(Tally tally, Set<Requirement> unmet) {
    if (tally.hasAny(Severity.UNREADABLE)) {
      return Verdict.UNREADABLE;
    }
    if (tally.hasAny(Severity.ERROR)) {
      return Verdict.INVALID;
    }
    long checked = tally.get(Counter.PARAMS_HASHES_VERIFIED)
        + tally.get(Counter.OUTPUT_HASHES_VERIFIED)
        + tally.get(Counter.PAYLOAD_HASHES_VERIFIED)
        + tally.get(Counter.RECEIPT_CALLS_MATCHED)
        + tally.get(Counter.LOG_DIGESTS_VERIFIED);
    return checked == 0 || !unmet.isEmpty() ? Verdict.UNVERIFIED : Verdict.VALID;
  }
}
