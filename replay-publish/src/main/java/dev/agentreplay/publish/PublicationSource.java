package dev.agentreplay.publish;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.commitment.CommittedLine;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session that is to be published, after it was verified.
 *
 * @param report the result of the verification
 * @param header its header
 * @param published the member {@code published} of the header, if it is a published copy itself
 */
record PublicationSource(
    Session session,
    VerificationReport report,
    ReplayHeader header,
    Dialect dialect,
    CanonicalJson canonical,
    @Nullable JsonObject published) {

  static final String FORM = "form";

  /** The maximum length of a public checkpoint; one has about a thousand bytes. */
  private static final int MAX_CHECKPOINT_BYTES = 1 << 20;

  /**
   * Verifies a session.
   *
   * @param force whether a session that does not verify is accepted
   * @throws PublicationRefusedException if it cannot be published
   */
  static PublicationSource open(Session session, boolean force) throws IOException {
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    requirePublishable(report, force);
    ReplayLine first;
    Dialect dialect;
    try (ReplayReader reader = session.reader()) {
      first = reader.read();
      dialect = reader.dialect();
    }
    if (first == null || dialect == null || !(first.event() instanceof ReplayHeader header)) {
      throw refused(report, Reason.HEADER_MISSING, "the log does not begin with a ReplayHeader");
    }
    if (dialect == Dialect.DRAFT) {
      throw refused(
          report,
          Reason.DRAFT,
          "the dialect draft requires the values that a publication withholds; convert the session"
              + " first: replay convert IN OUT --to event");
    }
    CanonicalJson canonical = CanonicalJson.namedBy(header);
    if (canonical == null) {
      throw refused(
          report,
          Reason.CANONICALIZATION,
          "the canonicalization of the log is unknown: " + header.canonicalization());
    }
    JsonValue published = first.json().get(Names.PUBLISHED);
    return new PublicationSource(
        session,
        report,
        header,
        dialect,
        canonical,
        published instanceof JsonObject object ? object : null);
  }

  private static void requirePublishable(VerificationReport report, boolean force)
      throws IOException {
    if (report.count(FindingCode.BEING_WRITTEN) > 0) {
      throw refused(
          report, Reason.BEING_WRITTEN, "a writer has the log open; wait until it is closed");
    } else if (report.verdict() == Verdict.UNREADABLE) {
      throw refused(
          report,
          Reason.UNREADABLE,
          "not all of it can be read: %s; repair it with replay recover"
              .formatted(report.findingCounts()));
    } else if (report.verdict() == Verdict.INVALID && !force) {
      throw refused(
          report,
          Reason.NOT_VALID,
          "it does not verify: %s; see replay verify, or publish it with --force, which the copy"
                  .formatted(report.findingCounts())
              + " states");
    }
  }

  /** The public checkpoint in the directory of a session; null if there is none. */
  static @Nullable PublicCheckpoint statedCheckpoint(Session session) throws IOException {
    Path file = session.publicCheckpoint();
    if (file == null) {
      return null;
    }
    byte[] bytes = RegularFiles.read(file, MAX_CHECKPOINT_BYTES);
    try {
      return bytes == null ? null : PublicCheckpoint.fromJson(StrictObject.parse(bytes));
    } catch (DocumentFormatException e) {
      throw new IOException(file + ": not a public checkpoint: " + e.getMessage(), e);
    }
  }

  static PublicationRefusedException refused(
      VerificationReport report, Reason reason, String message) {
    return refused(report.session(), reason, message);
  }

  static PublicationRefusedException refused(Session session, Reason reason, String message) {
    return new PublicationRefusedException(
        reason, PlainText.escaped(session.log().toString()) + ": " + message);
  }

  /** Whether the session verifies; the statements of one that does not are not of its lines. */
  boolean isSound() {
    return report.verdict() != Verdict.INVALID;
  }

  /**
   * The public tree that the receipt of a signed session states.
   *
   * @param form the form of the tree; null if the receipt states none
   * @param root its root; null if the receipt states none
   */
  record PublicStatement(@Nullable PublicForm form, @Nullable ContentHash root) {

    static final PublicStatement NONE = new PublicStatement(null, null);
  }

  /**
   * The public tree that the receipt states; none if the session is a published copy or does not
   * verify.
   */
  PublicStatement receiptStatement() {
    Path receipt = session.receipt();
    if (receipt == null || isPublished() || !isSound()) {
      return PublicStatement.NONE;
    }
    try {
      JsonObject json = JsonText.parse(Files.readAllBytes(receipt)).asObject();
      return new PublicStatement(
          json.get(Names.PUBLIC_FORM) instanceof JsonString form
              ? PublicForm.tryParse(form.value())
              : null,
          json.get(Names.PUBLIC_ROOT) instanceof JsonString root
              ? ContentHash.tryParse(root.value())
              : null);
    } catch (IOException | IllegalArgumentException | IllegalStateException unreadable) {
      return PublicStatement.NONE; // the report on the session says so
    }
  }

  /** Whether the session is a published copy, from whose openings it is published again. */
  boolean isPublished() {
    return published != null;
  }

  /**
   * The form of the commitments of a published copy.
   *
   * @throws PublicationRefusedException if it has none, or the form is unknown
   */
  PublicForm publishedForm() throws IOException {
    JsonValue id = Objects.requireNonNull(published).get(FORM);
    PublicForm form = id instanceof JsonString text ? PublicForm.tryParse(text.value()) : null;
    if (form == null) {
      throw refused(
          report,
          Reason.PUBLISHED,
          "it is a published copy of the form %s, which cannot be published again; publish the"
                  .formatted(id)
              + " original");
    }
    return form;
  }

  /**
   * A line with the opening of all that is known of it: its seed, or what a published copy opens.
   *
   * @param salt the salt of the log; null for a published copy
   * @param number the number of the line, from 1
   * @throws PublicationRefusedException if the copy has no opening that fits the line
   */
  PublishedLine whole(Committer committer, @Nullable Salt salt, ReplayLine line, long number)
      throws IOException {
    JsonObject json = CommittedLine.of(line.json(), canonical);
    if (salt != null) {
      return new PublishedLine(
          json, new Opening.Complete(committer.line(salt, number, line.bytes())));
    }
    try {
      PublishedLine whole = PublishedLine.of(json, number == 1);
      committer.verify(whole.shown(), whole.opening());
      return whole;
    } catch (DocumentFormatException e) {
      throw refused(report, Reason.PUBLISHED, line.position() + ": " + e.getMessage());
    }
  }

  /**
   * The salt of the log, or else the one that is given.
   *
   * @throws PublicationRefusedException if there is none
   */
  Salt salt(@Nullable Salt given) throws IOException {
    Salt salt = header.salt() == null ? given : header.salt();
    if (salt == null) {
      throw refused(
          report,
          Reason.SALT_MISSING,
          "the log has no salt of its own; give one, which you keep: values can be disclosed later"
              + " only with it");
    }
    return salt;
  }
}
