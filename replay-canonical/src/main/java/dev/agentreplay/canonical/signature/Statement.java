package dev.agentreplay.canonical.signature;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signer;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A claim about files that are identified by their hashes: a Statement of the in-toto Attestation
 * Framework, version 1 ({@code github.com/in-toto/attestation}). Immutable.
 *
 * @param subject the files; at least one
 * @param predicateType the type of the predicate: a URI
 * @param predicate the claim
 */
public record Statement(List<Subject> subject, String predicateType, JsonObject predicate) {

  /** The payload type of an envelope that contains a statement. */
  public static final String PAYLOAD_TYPE = "application/vnd.in-toto+json";

  /** The value of the member {@code _type}. */
  public static final String TYPE = "https://in-toto.io/Statement/v1";

  /** The predicate type of a receipt. */
  public static final String RECEIPT = "https://agentreplay.dev/receipt/v1";

  /** The predicate type of a checkpoint: the state of a log at some point. */
  public static final String CHECKPOINT = "https://agentreplay.dev/checkpoint/v1";

  /** The name of the log among the subjects, regardless of its location. */
  public static final String LOG_NAME = "REPLAY.jsonl";

  /** The name of the receipt file among the subjects, regardless of its location. */
  public static final String RECEIPT_NAME = "RECEIPT.json";

  private static final String NO_SUBJECT = "/subject: must have a subject, found none";

  /**
   * A file.
   *
   * @param name its name in the statement
   * @param sha256 the hash of its bytes
   */
  public record Subject(String name, ContentHash sha256) {

    /** Checks for null. */
    public Subject {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(sha256, "sha256");
    }
  }

  /**
   * Checks for null and copies the list.
   *
   * @throws IllegalArgumentException if there is no subject
   */
  public Statement {
    subject = List.copyOf(subject);
    if (subject.isEmpty()) {
      throw new IllegalArgumentException(NO_SUBJECT);
    }
    Objects.requireNonNull(predicateType, "predicateType");
    Objects.requireNonNull(predicate, "predicate");
  }

  /**
   * Creates the statement that a receipt belongs to a log.
   *
   * @param log the hash of the bytes of the log
   * @param file the hash of the bytes of the receipt file
   * @param receipt the receipt
   */
  public static Statement ofReceipt(ContentHash log, ContentHash file, JsonObject receipt) {
    return new Statement(
        List.of(new Subject(LOG_NAME, log), new Subject(RECEIPT_NAME, file)), RECEIPT, receipt);
  }

  /**
   * Creates a statement of the state of a log at some point. Once signed, it is the counterpart of
   * the signed tree head of RFC 6962.
   *
   * @param log the hash of the bytes of the log up to that point, including the last line feed
   * @param bytes the number of those bytes
   * @param tree the head of the tree over those lines
   * @param sessionId the id of the session; null if the log has none
   */
  public static Statement ofCheckpoint(
      ContentHash log, long bytes, TreeHead tree, @Nullable String sessionId) {
    JsonObject predicate = JsonObject.of(
        "bytes",
        bytes,
        Names.SESSION_ID,
        sessionId,
        Names.TREE_ROOT,
        tree.root().toString(),
        Names.TREE_SIZE,
        tree.size());
    return new Statement(List.of(new Subject(LOG_NAME, log)), CHECKPOINT, predicate);
  }

  /**
   * Returns a signed envelope with this statement in canonical JSON ({@link CanonicalJson#SERDE}).
   *
   * @throws IOException if the key cannot be used now
   */
  public DsseEnvelope sign(Signer signer) throws IOException {
    return new DsseEnvelope(PAYLOAD_TYPE, CanonicalJson.SERDE.bytes(toJson()), List.of())
        .sign(signer);
  }

  /**
   * Reads the statement in an envelope. Does not verify the signatures.
   *
   * @throws DocumentFormatException if the payload is of a different type or not a valid statement
   */
  public static Statement in(DsseEnvelope envelope) throws DocumentFormatException {
    if (!envelope.payloadType().equals(PAYLOAD_TYPE)) {
      throw new DocumentFormatException("the payload type must be %s, found %s"
          .formatted(PAYLOAD_TYPE, Excerpt.of(envelope.payloadType())));
    }
    return fromJson(StrictObject.parse(envelope.payload()));
  }

  /** The JSON form. */
  public JsonObject toJson() {
    List<JsonObject> subjects = subject.stream()
        .map(file ->
            JsonObject.of("digest", JsonObject.of("sha256", file.sha256.hex()), "name", file.name))
        .toList();
    return JsonObject.of(
        "_type",
        TYPE,
        "predicate",
        predicate,
        "predicateType",
        predicateType,
        "subject",
        JsonArray.copyOf(subjects));
  }

  /**
   * Reads the JSON form. As in-toto requires, unknown members are ignored, and so are digests other
   * than SHA-256. A missing predicate is read as an empty one.
   *
   * @throws DocumentFormatException if a known member is missing or invalid, there is no subject,
   *     or a subject has no name or no SHA-256 digest
   */
  public static Statement fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    members.constant("_type", TYPE);
    List<Subject> subjects = new ArrayList<>();
    for (StrictObject subject : members.objects("subject")) {
      subjects.add(subject(subject));
    }
    if (subjects.isEmpty()) {
      throw new DocumentFormatException(NO_SUBJECT);
    }
    return new Statement(
        subjects,
        members.string("predicateType"),
        json.has("predicate") ? members.object("predicate").json() : JsonObject.EMPTY);
  }

  private static Subject subject(StrictObject members) throws DocumentFormatException {
    StrictObject digest = members.object("digest");
    ContentHash sha256 = ContentHash.tryParseHex(digest.string("sha256"));
    if (sha256 == null) {
      throw digest.mustBe(
          "64 lower-case hexadecimal digits", "sha256", digest.json().get("sha256"));
    }
    return new Subject(members.string("name"), sha256);
  }
}
