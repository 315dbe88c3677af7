package dev.agentreplay.canonical.signature;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the public tree of a session, from which its published copies can be verified,
 * whatever they show. It discloses nothing about the values of the session.
 *
 * <p>A file has one JSON object: a DSSE envelope with an in-toto statement if it is signed, or an
 * object of the schema {@value #SCHEMA} if it is not. docs/receipts.md describes both. The content
 * is only a claim until {@link #verify} returns {@link Outcome#VALID}. Immutable.
 */
public final class PublicCheckpoint {

  /** The member {@code schema} of a checkpoint that is not signed. */
  public static final String SCHEMA = "replay.public-checkpoint/1";

  /** The predicate type of the statement in a signed checkpoint. */
  public static final String PREDICATE = "https://agentreplay.dev/public-checkpoint/v1";

  /** The name of the public tree among the subjects of a statement; its digest is the root. */
  private static final String SUBJECT = "public tree";

  private static final String FORM = "form";
  private static final String ORIGINAL = "original";

  private final PublicForm form;
  private final TreeHead tree;
  private final @Nullable Commitment original;
  private final @Nullable DsseEnvelope envelope;

  private PublicCheckpoint(
      PublicForm form,
      TreeHead tree,
      @Nullable Commitment original,
      @Nullable DsseEnvelope envelope) {
    this.form = Objects.requireNonNull(form, FORM);
    this.tree = Objects.requireNonNull(tree, "tree");
    this.original = original;
    this.envelope = envelope;
  }

  /**
   * Creates a checkpoint that is not signed.
   *
   * @param tree the head of the public tree
   * @param original the commitment to the head of the tree over the lines themselves; null if it is
   *     not known
   */
  public static PublicCheckpoint of(PublicForm form, TreeHead tree, @Nullable Commitment original) {
    return new PublicCheckpoint(form, tree, original, null);
  }

  /**
   * Returns this checkpoint with a signature in place of an existing one.
   *
   * @throws IOException if the key cannot be used now
   */
  public PublicCheckpoint sign(Signer signer) throws IOException {
    Statement statement =
        new Statement(List.of(new Statement.Subject(SUBJECT, tree.root())), PREDICATE, predicate());
    return new PublicCheckpoint(form, tree, original, statement.sign(signer));
  }

  /** The version and the parameters of the public form. */
  public PublicForm form() {
    return form;
  }

  /** The head of the public tree: the number of lines, and the root. */
  public TreeHead tree() {
    return tree;
  }

  /** The commitment to the head of the tree over the lines; null if it is not stated. */
  public @Nullable Commitment original() {
    return original;
  }

  /** Whether the checkpoint is in an envelope, whether or not its signatures are valid. */
  public boolean isSigned() {
    return envelope != null;
  }

  /** The envelope; null if the checkpoint is not signed. */
  public @Nullable DsseEnvelope envelope() {
    return envelope;
  }

  /**
   * Verifies the signatures; returns {@link Outcome#UNKNOWN_KEY} when the checkpoint is not signed.
   */
  public Outcome verify(SignatureVerifier keys) {
    return envelope == null ? Outcome.UNKNOWN_KEY : envelope.verify(keys);
  }

  /** Whether a different checkpoint states the same, signed or not. */
  public boolean statesSameAs(PublicCheckpoint other) {
    return form.equals(other.form)
        && tree.equals(other.tree)
        && Objects.equals(original, other.original);
  }

  private JsonObject predicate() {
    JsonObject json = JsonObject.of(
        FORM, form.id(), Names.PUBLIC_ROOT, tree.root().toString(), Names.TREE_SIZE, tree.size());
    return original == null ? json : json.with(ORIGINAL, original.text());
  }

  /** The JSON form: the envelope, if there is one. */
  public JsonObject toJson() {
    return envelope != null ? envelope.toJson() : predicate().with("schema", SCHEMA);
  }

  /** The content of a file. */
  public byte[] toBytes() {
    return (this + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether a JSON object is a checkpoint of this kind, judged by its schema or the type of its
   * statement.
   */
  public static boolean isOne(JsonObject json) {
    if (json.get("schema") instanceof JsonString schema) {
      return schema.value().equals(SCHEMA);
    }
    try {
      return json.has("payloadType")
          && Statement.in(DsseEnvelope.fromJson(json)).predicateType().equals(PREDICATE);
    } catch (DocumentFormatException e) {
      return false;
    }
  }

  /**
   * Reads the JSON form. Signatures are not verified.
   *
   * @throws DocumentFormatException if the object has neither of the two forms, or a member is
   *     missing or invalid
   */
  public static PublicCheckpoint fromJson(JsonObject json) throws DocumentFormatException {
    if (!json.has("payloadType")) {
      StrictObject members = StrictObject.of(json);
      members.constant("schema", SCHEMA);
      return read(members.only(FORM, ORIGINAL, Names.PUBLIC_ROOT, "schema", Names.TREE_SIZE), null);
    }
    DsseEnvelope envelope = DsseEnvelope.fromJson(json);
    Statement statement = Statement.in(envelope);
    if (!statement.predicateType().equals(PREDICATE)) {
      throw new DocumentFormatException(
          "expected a statement %s, found %s".formatted(PREDICATE, statement.predicateType()));
    }
    PublicCheckpoint read = read(StrictObject.of(statement.predicate()), envelope);
    if (!statement.subject().get(0).sha256().equals(read.tree.root())) {
      throw new DocumentFormatException(
          "/subject/0: must have the digest of the public root, found "
              + statement.subject().get(0).sha256());
    }
    return read;
  }

  private static PublicCheckpoint read(StrictObject members, @Nullable DsseEnvelope envelope)
      throws DocumentFormatException {
    PublicForm form = PublicForm.tryParse(members.string(FORM));
    if (form == null) {
      throw members.mustBe("a known public form", FORM, members.json().get(FORM));
    }
    Commitment original = null;
    if (members.json().has(ORIGINAL)) {
      original = Commitment.tryParse(members.string(ORIGINAL));
      if (original == null) {
        throw members.mustBe("a commitment", ORIGINAL, members.json().get(ORIGINAL));
      }
    }
    return new PublicCheckpoint(
        form,
        new TreeHead(members.integer(Names.TREE_SIZE, 0), members.hash(Names.PUBLIC_ROOT)),
        original,
        envelope);
  }

  /** The JSON form. */
  @Override
  public String toString() {
    return toJson().toString();
  }
}
