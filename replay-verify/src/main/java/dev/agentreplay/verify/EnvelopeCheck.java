package dev.agentreplay.verify;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.DsseEnvelope.DsseSignature;
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
import org.jspecify.annotations.Nullable;

/**
 * What the envelope around a receipt is worth, by the keys that are trusted. Its payload is signed;
 * what else stands in the file is said, because no signature covers it.
 */
final class EnvelopeCheck {

  private static final int MAX_NAMED = 5;

  private final Tally tally;
  private final SignatureVerifier keys;
  private final DsseEnvelope.Limits limits;

  EnvelopeCheck(Tally tally, SignatureVerifier keys, DsseEnvelope.Limits limits) {
    this.tally = tally;
    this.keys = keys;
    this.limits = limits;
  }

  /**
   * The trusted key that has signed that the receipt is that of the log; null when none has.
   *
   * @param log the hash of the log's bytes
   * @param receipt the receipt; null when there is none that could be read
   */
  @Nullable
  String signer(Path envelope, ContentHash log, @Nullable PresentedReceipt receipt)
      throws IOException {
    DsseEnvelope signed;
    String fault;
    try {
      byte[] bytes = RegularFiles.read(envelope, limits.maxBytes());
      if (bytes == null) {
        throw new DocumentFormatException("has more than %d bytes".formatted(limits.maxBytes()));
      }
      JsonObject object = StrictObject.parse(bytes);
      signed = DsseEnvelope.fromJson(object, limits);
      fault = fault(Statement.in(signed), log, receipt);
      compareForm(bytes, object, signed);
    } catch (DocumentFormatException e) {
      invalid(envelope + ": " + e.getMessage());
      return null;
    }
    if (fault != null) {
      invalid("the envelope is of another session: " + fault);
    }
    String signer = signer(signed);
    return fault == null ? signer : null;
  }

  /** Says what differs from the bytes that the writer makes of the same payload and signatures. */
  private void compareForm(byte[] bytes, JsonObject object, DsseEnvelope signed) {
    byte[] form = (signed + "\n").getBytes(StandardCharsets.UTF_8);
    int end = bytes.length == form.length ? form.length : form.length - 1; // without line feed
    if (bytes.length == end && Arrays.equals(bytes, 0, end, form, 0, end)) {
      return;
    }
    List<String> unknown = DsseEnvelope.unknownMembers(object);
    notCanonical(
        unknown.isEmpty()
            ? "it is spelled otherwise than canonical JSON: white space, order, escapes or Base64"
            : "nothing signs its member%s %s"
                .formatted(unknown.size() == 1 ? "" : "s", names(unknown)));
  }

  private static String names(List<String> pointers) {
    List<String> named = pointers.stream().limit(MAX_NAMED).map(Excerpt::of).toList();
    int more = pointers.size() - named.size();
    return String.join(", ", named) + (more == 0 ? "" : " and %d more".formatted(more));
  }

  /** The first trusted key that has signed; says what the other signatures are. */
  private @Nullable String signer(DsseEnvelope envelope) {
    List<DsseSignature> signatures = envelope.signatures();
    if (signatures.isEmpty()) {
      unverifiable("the envelope is not signed");
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

  /** No signature is valid. */
  private void reportUnsigned(List<DsseSignature> signatures, List<Attribution> found) {
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).outcome() == Outcome.INVALID) {
        invalid("the envelope is not what was signed with " + key(signatures.get(i)));
        return;
      }
    }
    unverifiable(
        signatures.stream().allMatch(signature -> signature.keyid().isEmpty())
            ? "the envelope is signed, but with no key that is trusted; it does not name the key"
            : "the envelope is signed with %s, which is not trusted"
                .formatted(key(signatures.get(0))));
  }

  /** A signature of an envelope in which one is valid. */
  private void reportBeside(
      int number, DsseSignature signature, Attribution found, @Nullable Integer earlier) {
    String what = "signature " + number;
    if (earlier != null) {
      notCanonical("%s repeats signature %d".formatted(what, earlier));
      return;
    }
    switch (found.outcome()) {
      case VALID -> {
        if (!signature.keyid().isEmpty() && !signature.keyid().equals(found.keyId())) {
          notCanonical("%s names %s, but was made with the key %s"
              .formatted(what, key(signature), found.keyId()));
        }
      }
      case INVALID ->
        notCanonical("%s names %s, but was not made with it".formatted(what, key(signature)));
      case UNKNOWN_KEY ->
        unverifiable(
            signature.keyid().isEmpty()
                ? what + " of the envelope was made with no key that is trusted"
                : "%s of the envelope names %s, which is not trusted"
                    .formatted(what, key(signature)));
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
        "the envelope is not as its writer makes it: " + difference);
  }

  /** In what a statement differs from what is there; null when in nothing. */
  private static @Nullable String fault(
      Statement statement, ContentHash log, @Nullable PresentedReceipt receipt) {
    if (!statement.predicateType().equals(Statement.RECEIPT)) {
      return "it states " + Excerpt.of(statement.predicateType());
    }
    String fault = fault(statement, Statement.LOG_NAME, log);
    if (fault != null || receipt == null) {
      return fault == null ? "there is no receipt" : fault;
    }
    fault = fault(statement, Statement.RECEIPT_NAME, receipt.file());
    return fault != null || statement.predicate().equals(receipt.source())
        ? fault
        : "its predicate is another receipt";
  }

  private static @Nullable String fault(Statement statement, String name, ContentHash found) {
    return statement.subject().contains(new Statement.Subject(name, found))
        ? null
        : "%s has the hash %s, which it does not state".formatted(name, found);
  }
}
