package dev.agentreplay.verify.proof;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.Statement;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of a log: the tree head at some time, kept where the writer of the log cannot change
 * it. A later verification with it shows that lines were only appended since.
 * {@link LogProver#checkpoint} creates one.
 *
 * <p>A file contains one JSON object: a DSSE envelope with an in-toto statement if it is signed, or
 * an object of the schema {@value #SCHEMA} if it is not. docs/receipts.md describes both. The
 * content of a checkpoint is only a claim until {@link #verify} returns {@link Outcome#VALID}.
 *
 * <p>Immutable.
 */
public final class LogCheckpoint {

  /** The member {@code schema} of a checkpoint that is not signed. */
  public static final String SCHEMA = "replay.checkpoint/1";

  /** The maximum length of a file; a signed checkpoint has about a thousand bytes. */
  private static final int MAX_BYTES = 1 << 20;

  private static final String WHAT = "a checkpoint";
  private static final String BYTES = "bytes";
  private static final String SESSION_ID = Names.SESSION_ID;
  private static final String TREE_ROOT = Names.TREE_ROOT;
  private static final String TREE_SIZE = Names.TREE_SIZE;

  private final long bytes;
  private final @Nullable String sessionId;
  private final TreeHead tree;
  private final @Nullable DsseEnvelope envelope;

  private LogCheckpoint(
      long bytes, @Nullable String sessionId, TreeHead tree, @Nullable DsseEnvelope envelope) {
    this.bytes = bytes;
    this.sessionId = sessionId;
    this.tree = tree;
    this.envelope = envelope;
  }

  /** Returns a checkpoint that is not signed. */
  static LogCheckpoint of(long bytes, @Nullable String sessionId, TreeHead tree) {
    return new LogCheckpoint(bytes, sessionId, tree, null);
  }

  /**
   * Returns this checkpoint with a signature.
   *
   * @param log the hash of the bytes of the log up to the checkpoint
   */
  LogCheckpoint sign(ContentHash log, Signer signer) throws IOException {
    DsseEnvelope signed = Statement.ofCheckpoint(log, bytes, tree, sessionId).sign(signer);
    return new LogCheckpoint(bytes, sessionId, tree, signed);
  }

  /** The number of bytes of the lines, including their line feeds. */
  public long bytes() {
    return bytes;
  }

  /** The session id; null when the log states none. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The tree head: the number of lines, and the root of the tree over them. */
  public TreeHead tree() {
    return tree;
  }

  /** Whether the checkpoint is in an envelope, whether or not its signatures are valid. */
  public boolean isSigned() {
    return envelope != null;
  }

  /**
   * Verifies the signatures; returns {@link Outcome#UNKNOWN_KEY} when the checkpoint is not signed.
   */
  public Outcome verify(SignatureVerifier keys) {
    return envelope == null ? Outcome.UNKNOWN_KEY : envelope.verify(keys);
  }

  /** The JSON form: the envelope, if there is one. */
  public JsonObject toJson() {
    return envelope != null
        ? envelope.toJson()
        : JsonObject.of(
            BYTES,
            bytes,
            "schema",
            SCHEMA,
            SESSION_ID,
            sessionId,
            TREE_ROOT,
            tree.root().toString(),
            TREE_SIZE,
            tree.size());
  }

  /**
   * Reads the JSON form. Signatures are not verified.
   *
   * @throws DocumentFormatException if the object has neither of the two forms, or a member is
   *     missing or invalid
   */
  public static LogCheckpoint fromJson(JsonObject json) throws DocumentFormatException {
    if (json.has("payloadType")) {
      DsseEnvelope envelope = DsseEnvelope.fromJson(json);
      Statement statement = Statement.in(envelope);
      if (!statement.predicateType().equals(Statement.CHECKPOINT)) {
        throw new DocumentFormatException("expected a statement %s, found %s"
            .formatted(Statement.CHECKPOINT, statement.predicateType()));
      }
      return read(StrictObject.of(statement.predicate()), envelope);
    }
    StrictObject members = StrictObject.of(json);
    members.constant("schema", SCHEMA);
    return read(members.only(BYTES, "schema", SESSION_ID, TREE_ROOT, TREE_SIZE), null);
  }

  private static LogCheckpoint read(StrictObject members, @Nullable DsseEnvelope envelope)
      throws DocumentFormatException {
    return new LogCheckpoint(
        members.integer(BYTES, 0),
        members.json().get(SESSION_ID) == JsonNull.NULL ? null : members.string(SESSION_ID),
        new TreeHead(members.integer(TREE_SIZE, 0), members.hash(TREE_ROOT)),
        envelope);
  }

  /**
   * Reads a file. Signatures are not verified.
   *
   * @throws IOException if the file cannot be read, or does not contain a checkpoint
   */
  public static LogCheckpoint read(Path file) throws IOException {
    try {
      return fromJson(DocumentFile.read(file, WHAT, MAX_BYTES));
    } catch (DocumentFormatException e) {
      throw DocumentFile.refused(file, WHAT, e);
    }
  }

  /**
   * Reads a file, and requires the signature of a trusted key.
   *
   * @throws IOException also if it is not signed, is not signed with a trusted key, or does not
   *     match its signature
   */
  public static LogCheckpoint read(Path file, SignatureVerifier keys) throws IOException {
    LogCheckpoint checkpoint = read(file);
    DocumentFile.requireSigned(file, "checkpoint", checkpoint.isSigned(), checkpoint.verify(keys));
    return checkpoint;
  }

  /**
   * Writes a new file atomically.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  public void create(Path file) throws IOException {
    WholeFile.create(file, toBytes());
  }

  /** Writes a file atomically, and replaces an existing one. */
  public void replace(Path file) throws IOException {
    WholeFile.replace(file, toBytes());
  }

  private byte[] toBytes() {
    return (this + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogCheckpoint that
        && bytes == that.bytes
        && Objects.equals(sessionId, that.sessionId)
        && tree.equals(that.tree)
        && Objects.equals(envelope, that.envelope);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bytes, sessionId, tree, envelope);
  }

  /** The JSON form. */
  @Override
  public String toString() {
    return toJson().toString();
  }
}
