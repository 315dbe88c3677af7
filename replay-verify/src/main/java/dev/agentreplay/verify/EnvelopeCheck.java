package dev.agentreplay.verify;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.DsseEnvelope.DsseSignature;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Attribution;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.input.AnsweredCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signatures of the DSSE envelope around a receipt or a public checkpoint. A signature
 * covers only the payload; differences in the rest of the file are reported, because no signature
 * covers it.
 */
final class EnvelopeCheck {

  private static final int MAX_NAMED = 5;

  private final Tally tally;
  private final SignatureVerifier keys;
  private final DsseEnvelope.Limits limits;
  private final String what;

  EnvelopeCheck(Tally tally, SignatureVerifier keys, DsseEnvelope.Limits limits) {
    this(tally, keys, limits, "the envelope");
  }

  /**
   * Creates a check.
   *
   * @param what the name of the file in messages
   */
  EnvelopeCheck(Tally tally, SignatureVerifier keys, DsseEnvelope.Limits limits, String what) {
    this.tally = tally;
    this.keys = keys;
    this.limits = limits;
    this.what = what;
  }

  /**
   * Reads a file with a public checkpoint, and checks its signatures if it has any; null if it is
   * malformed.
   */
  @Nullable
  SignedCheckpoint publicCheckpoint(Path file) throws IOException {
    try {
      byte[] bytes = read(file);
      JsonObject object = StrictObject.parse(bytes);
      PublicCheckpoint checkpoint = PublicCheckpoint.fromJson(object);
      DsseEnvelope signed = checkpoint.envelope();
      if (signed == null) {
        return new SignedCheckpoint(checkpoint, null);
      }
      compareForm(bytes, object, signed);
      return new SignedCheckpoint(checkpoint, signer(signed));
    } catch (DocumentFormatException e) {
      invalid(file + ": " + e.getMessage());
      return null;
    }
  }

  /**
   * A public checkpoint, and the trusted key that signed it.
   *
   * @param signer the id of the key; null when no trusted key did
   */
  record SignedCheckpoint(PublicCheckpoint checkpoint, @Nullable String signer) {}

  private byte[] read(Path file) throws IOException, DocumentFormatException {
    byte[] bytes = RegularFiles.read(file, limits.maxBytes());
    if (bytes == null) {
      throw new DocumentFormatException("has more than %d bytes".formatted(limits.maxBytes()));
    }
    return bytes;
  }

  /**
   * Returns the trusted key that signed this receipt for this log; null when no trusted key did.
   *
   * @param log the hash of the bytes of the log
   * @param receipt the receipt; null when none could be read
   */
  @Nullable
  String signer(Path envelope, ContentHash log, @Nullable PresentedReceipt receipt)
      throws IOException {
    DsseEnvelope signed;
    String fault;
    try {
      byte[] bytes = read(envelope);
      JsonObject object = StrictObject.parse(bytes);
      signed = DsseEnvelope.fromJson(object, limits);
      fault = fault(Statement.in(signed), log, receipt);
      compareForm(bytes, object, signed);
    } catch (DocumentFormatException e) {
      invalid(envelope + ": " + e.getMessage());
      return null;
    }
    if (fault != null) {
      invalid("the envelope does not match this session: " + fault);
    }
    String signer = signer(signed);
    return fault == null ? signer : null;
  }

  /**
   * Reports differences from the bytes that the writer produces for the same payload and
   * signatures.
   */
  private void compareForm(byte[] bytes, JsonObject object, DsseEnvelope signed) {
    byte[] form = (signed + "\n").getBytes(StandardCharsets.UTF_8);
    int end = bytes.length == form.length ? form.length : form.length - 1; // without line feed
    if (bytes.length == end && Arrays.equals(bytes, 0, end, form, 0, end)) {
      return;
    }
    List<String> unknown = DsseEnvelope.unknownMembers(object);
    notCanonical(
        unknown.isEmpty()
            ? "its white space, member order, escapes or Base64 differ from canonical form"
            : "no signature covers its member%s %s"
                .formatted(unknown.size() == 1 ? "" : "s", names(unknown)));
  }

  private static String names(List<String> pointers) {
    List<String> named = pointers.stream().limit(MAX_NAMED).map(Excerpt::of).toList();
    int more = pointers.size() - named.size();
    return String.join(", ", named) + (more == 0 ? "" : " and %d more".formatted(more));
  }

  /** Returns the first trusted key that signed, and reports the other signatures. */
  private @Nullable String signer(DsseEnvelope envelope) {
    List<DsseSignature> signatures = envelope.signatures();
    if (signatures.isEmpty()) {
      unverifiable(what + " is not signed");
      return null;
    }
    List<Attribution> found = envelope.attribute(keys);
    String signer = null;
    for (int i = 0; i < found.size() && signer == null; i++) {
      signer = found.get(i).keyId();
    }
    if (signer == null) {
      reportUnsigned(signatures, found);
      return null;
    }
    tally.count(Counter.SIGNATURES_VERIFIED);
    Map<DsseSignature, Integer> seen = new HashMap<>();
    for (int i = 0; i < found.size(); i++) {
      Integer earlier = seen.putIfAbsent(signatures.get(i), i + 1);
      reportBeside(i + 1, signatures.get(i), found.get(i), earlier);
    }
    return signer;
  }

  /** Reports an envelope without a valid signature. */
  private void reportUnsigned(List<DsseSignature> signatures, List<Attribution> found) {
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).outcome() == Outcome.INVALID) {
        invalid(what + " is not what was signed with " + key(signatures.get(i)));
        return;
      }
    }
    unverifiable(
        signatures.stream().allMatch(signature -> signature.keyid().isEmpty())
            ? what + " is signed, but not with a trusted key; it does not name the key"
            : "%s is signed with %s, which is not trusted".formatted(what, key(signatures.get(0))));
  }

  /** Reports a signature of an envelope that has a valid one. */
  private void reportBeside(
      int number, DsseSignature signature, Attribution found, @Nullable Integer earlier) {
    String which = "signature " + number;
    if (earlier != null) {
      notCanonical("%s repeats signature %d".formatted(which, earlier));
      return;
    }
    switch (found.outcome()) {
      case VALID -> {
        if (!signature.keyid().isEmpty() && !signature.keyid().equals(found.keyId())) {
          notCanonical("%s names %s, but was made with the key %s"
              .formatted(which, key(signature), found.keyId()));
        }
      }
      case INVALID ->
        notCanonical("%s names %s, but was not made with it".formatted(which, key(signature)));
      case UNKNOWN_KEY ->
        unverifiable(
            signature.keyid().isEmpty()
                ? "%s of %s was not made with a trusted key".formatted(which, what)
                : "%s of %s names %s, which is not trusted".formatted(which, what, key(signature)));
    }
  }

  private static String key(DsseSignature signature) {
    return "the key " + AnsweredCall.bounded(signature.keyid());
  }

  private void invalid(String message) {
    tally.report(FindingCode.SIGNATURE_INVALID, null, message);
  }

  private void unverifiable(String message) {
    tally.count(Counter.SIGNATURES_UNVERIFIABLE);
    tally.report(FindingCode.SIGNATURE_UNVERIFIABLE, null, message);
  }

  private void notCanonical(String difference) {
    tally.report(
        FindingCode.ENVELOPE_NOT_CANONICAL,
        null,
        what + " is not as this library writes it: " + difference);
  }

  /** The difference between a statement and the files of the session; null when there is none. */
  private static @Nullable String fault(
      Statement statement, ContentHash log, @Nullable PresentedReceipt receipt) {
    if (!statement.predicateType().equals(Statement.RECEIPT)) {
      return "its predicate type is " + Excerpt.of(statement.predicateType());
    }
    String fault = fault(statement, Statement.LOG_NAME, log);
    if (fault != null || receipt == null) {
      return fault == null ? "there is no receipt" : fault;
    }
    fault = fault(
        statement,
        Statement.RECEIPT_NAME,
        Objects.requireNonNull(receipt.file(), "hashed if the session has an envelope"));
    return fault != null || statement.predicate().equals(receipt.source())
        ? fault
        : "its predicate is a different receipt";
  }

  private static @Nullable String fault(Statement statement, String name, ContentHash found) {
    return statement.subject().contains(new Statement.Subject(name, found))
        ? null
        : ("%s has the hash %s, which it does not state: the file changed after it was signed, or"
                + " the envelope belongs to a different session")
            .formatted(name, found);
  }
}
