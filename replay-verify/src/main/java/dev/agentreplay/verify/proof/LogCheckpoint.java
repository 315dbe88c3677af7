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
 * The head of a log's tree at some point, to be kept where the log's writer cannot change it: shows
 * later that lines were only appended since. {@link LogProver#checkpoint} makes one.
 *
 * <p>In a file it is one JSON object: a DSSE envelope with an in-toto statement when it is signed,
 * an object of the schema {@value #SCHEMA} when it is not. docs/receipts.md describes both. What a
 * checkpoint says is what somebody claims, until {@link #verify} says otherwise.
 *
 * <p>Immutable.
 */
public final class LogCheckpoint {

  /** The member {@code schema} of a checkpoint that is not signed. */
  public static final String SCHEMA = "replay.checkpoint/1";

  /** No file is longer: one with a signature has about a thousand bytes. */
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

  /** One that is not signed. */
  static LogCheckpoint of(long bytes, @Nullable String sessionId, TreeHead tree) {
    return new LogCheckpoint(bytes, sessionId, tree, null);
  }

  /**
   * The same, signed.
   *
   * @param log the hash of the log's bytes up to here
   */
  LogCheckpoint sign(ContentHash log, Signer signer) throws IOException {
    DsseEnvelope signed = Statement.ofCheckpoint(log, bytes, tree, sessionId).sign(signer);
    return new LogCheckpoint(bytes, sessionId, tree, signed);
  }

  /** The number of bytes of the lines, with their line feeds. */
  public long bytes() {
    return bytes;
  }

  /** The session; null when the log named none. */
  public @Nullable String sessionId() {
    return sessionId;
  }

  /** The number of lines, and the root of the tree over them. */
  public TreeHead tree() {
    return tree;
  }

  /** Whether there is an envelope around it, whatever its signatures are worth. */
  public boolean isSigned() {
    return envelope != null;
  }

  /** The outcome of checking its signatures; {@link Outcome#UNKNOWN_KEY} when it is not signed. */
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
   * Reads the JSON form. Signatures are not looked at.
   *
   * @throws DocumentFormatException if it is neither of the two, or a member is missing or not as
   *     it should be
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
   * Reads a file. Signatures are not looked at.
   *
   * @throws IOException if it cannot be read, or is no checkpoint
   */
  public static LogCheckpoint read(Path file) throws IOException {
    try {
      return fromJson(DocumentFile.read(file, WHAT, MAX_BYTES));
    } catch (DocumentFormatException e) {
      throw DocumentFile.refused(file, WHAT, e);
    }
  }

  /**
   * Reads a file, and refuses it unless a trusted key has signed it.
   *
   * @throws IOException also if it is not signed, or by no trusted key, or something else was
   */
  public static LogCheckpoint read(Path file, SignatureVerifier keys) throws IOException {
    LogCheckpoint checkpoint = read(file);
    DocumentFile.requireSigned(file, "checkpoint", checkpoint.isSigned(), checkpoint.verify(keys));
    return checkpoint;
  }

  /**
   * Writes a new file, whole or not at all.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  public void create(Path file) throws IOException {
    WholeFile.create(file, toBytes());
  }

  /** Writes a file, whole or not at all, in place of the one that is there, if there is one. */
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
