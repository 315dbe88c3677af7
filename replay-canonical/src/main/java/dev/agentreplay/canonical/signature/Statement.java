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
 * What somebody states of some files: a Statement of the in-toto Attestation Framework, version 1
 * ({@code github.com/in-toto/attestation}). Immutable.
 *
 * @param subject the files, by their hashes
 * @param predicateType what the predicate is: a URI
 * @param predicate what is stated
 */
public record Statement(List<Subject> subject, String predicateType, JsonObject predicate) {

  /** The payload type of an envelope with a statement. */
  public static final String PAYLOAD_TYPE = "application/vnd.in-toto+json";

  /** The member {@code _type}. */
  public static final String TYPE = "https://in-toto.io/Statement/v1";

  /** The predicate is a receipt. */
  public static final String RECEIPT = "https://agentreplay.dev/receipt/v1";

  /** The predicate says what a log was at some point. */
  public static final String CHECKPOINT = "https://agentreplay.dev/checkpoint/v1";

  /** What the log is called among the subjects, wherever it lies. */
  public static final String LOG_NAME = "REPLAY.jsonl";

  /** What the receipt's file is called among the subjects, wherever it lies. */
  public static final String RECEIPT_NAME = "RECEIPT.json";

  private static final String NO_SUBJECT = "/subject: must have a subject, found none";

  /**
   * A file.
   *
   * @param name what it is called in the statement
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
   * Copies, and checks for null.
   *
   * @throws IllegalArgumentException if there is no subject: nothing would be stated of anything
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
   * States that a receipt is that of a log.
   *
   * @param log the hash of the log's bytes
   * @param file the hash of the bytes of the receipt's file
   * @param receipt the receipt
   */
  public static Statement ofReceipt(ContentHash log, ContentHash file, JsonObject receipt) {
    return new Statement(
        List.of(new Subject(LOG_NAME, log), new Subject(RECEIPT_NAME, file)), RECEIPT, receipt);
  }

  /**
   * States what a log was at some point.
   *
   * @param log the hash of the log's bytes up to there, the last line feed included
   * @param bytes how many bytes those are
   * @param tree the head of the tree over those lines
   * @param sessionId the session's id; null when the log has none
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
   * This statement in canonical JSON ({@link CanonicalJson#SERDE}), in an envelope, signed.
   *
   * @throws IOException if the key cannot be used now
   */
  public DsseEnvelope sign(Signer signer) throws IOException {
    return new DsseEnvelope(PAYLOAD_TYPE, CanonicalJson.SERDE.bytes(toJson()), List.of())
        .sign(signer);
  }

  /**
   * Reads the statement in an envelope, whose signatures are not looked at.
   *
   * @throws DocumentFormatException if there is another payload in it, or the statement is not one
   */
  public static Statement in(DsseEnvelope envelope) throws DocumentFormatException {
    if (!envelope.payloadType().equals(PAYLOAD_TYPE)) {
      throw new DocumentFormatException("the payload is not %s but %s"
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
   * Reads the JSON form. Members that in-toto does not know are ignored, as it demands, and so are
   * other digests beside the SHA-256; a missing predicate is an empty one.
   *
   * @throws DocumentFormatException if another member is missing or not as it should be, or there
   *     is no subject, or one has no name or no SHA-256
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
