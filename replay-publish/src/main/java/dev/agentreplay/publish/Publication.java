package dev.agentreplay.publish;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.commitment.CommittedLine;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import dev.agentreplay.publish.PublicationSource.PublicStatement;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.publish.policy.LinePolicy;
import dev.agentreplay.publish.policy.Treatment;
import dev.agentreplay.publish.secret.IncrementalScan;
import dev.agentreplay.publish.secret.TextScan;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the lines of one published log, and computes its public tree. */
final class Publication {

  private static final JsonLimits LIMITS = JsonLimits.defaults();

  private final PublicationSource source;
  private final PublishOptions options;
  private final @Nullable PublicCheckpoint stated;
  private final PublicStatement receiptStatement;
  private final @Nullable Salt salt;
  private final Committer committer;
  private final LineRedaction redaction;
  private final LinePolicy policy;
  private final PublishedPolicy identity;
  private final OnceScan onceScan;
  private final IncrementalScan lastScan;
  private final MerkleTree publicTree = new MerkleTree();
  private final MerkleTree rawTree = new MerkleTree();

  /**
   * Prepares a publication.
   *
   * @throws PublicationRefusedException if the session cannot be published with these options
   */
  Publication(PublicationSource source, PublishOptions options, TextScan scan) throws IOException {
    this.source = source;
    this.options = options;
    stated = isPlain() || !source.isSound()
        ? null
        : PublicationSource.statedCheckpoint(source.session());
    receiptStatement = isPlain() ? PublicStatement.NONE : source.receiptStatement();
    PublicForm form = options.form();
    if (isPlain()) {
      salt = source.header().salt();
    } else if (source.isPublished()) {
      salt = null;
      form = source.publishedForm();
    } else {
      salt = source.salt(options.salt());
      PublicForm fixed = stated == null ? receiptStatement.form() : stated.form();
      form = fixed == null ? form : fixed;
    }
    if (!isPlain() && options.form().padding() != 1 && !options.form().equals(form)) {
      throw PublicationSource.refused(
          source.session(),
          Reason.FORM,
          "the session was signed or published in the form %s, which cannot be changed to %s"
              .formatted(form.id(), options.form().id()));
    }
    committer = new Committer(form);
    redaction = new LineRedaction(committer, source.canonical());
    identity = new PublishedPolicy(options.policy(), committer, salt);
    onceScan = new OnceScan(scan);
    lastScan = new IncrementalScan(onceScan);
    policy = new LinePolicy(
        options.policy(),
        new SaltScan(onceScan, salt),
        source.dialect(),
        identifierKey(committer, salt));
  }

  private boolean isPlain() {
    return options.hashes() == Hashes.PLAIN;
  }

  /** The key by which identifiers are replaced; random if there is no salt to derive it from. */
  private static byte[] identifierKey(Committer committer, @Nullable Salt salt) {
    if (salt != null) {
      return committer.identifiers(salt).toBytes();
    }
    byte[] key = new byte[Salt.BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /** Writes the log. Returns the ledger of what was removed, without values. */
  LinePolicy write(Path file) throws IOException {
    try (WholeFile whole = WholeFile.creating(file);
        ReplayReader reader = source.session().reader()) {
      PublishedLog log = new PublishedLog(whole.out(), source.canonical());
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        write(line, log);
      }
      onceScan.end();
      whole.commit();
    }
    requireUnchanged();
    return policy;
  }

  private void write(ReplayLine line, PublishedLog log) throws IOException {
    rawTree.add(line.bytes());
    onceScan.begin();
    try {
      log.write(
          isPlain()
              ? plain(line, CommittedLine.of(line.json(), source.canonical()), log)
              : salted(line, source.whole(committer, salt, line, rawTree.size()), log));
    } catch (IllegalArgumentException wouldBeRounded) {
      throw PublicationSource.refused(
          source.session(),
          Reason.CANONICALIZATION,
          "line %d has an integer that the canonicalization of the log would round: %s"
              .formatted(rawTree.size(), wouldBeRounded.getMessage()));
    }
  }

  private byte[] salted(ReplayLine line, PublishedLine whole, PublishedLog log) {
    JsonObject shown = whole.shown();
    boolean isFirst = rawTree.size() == 1;
    Treatment treatment = withoutReserved(
        shown, log.withOwnStatements(line.event(), shown, policy.treat(shown)), isFirst);
    PublishedLine published = redaction.redact(shown, whole.opening(), treatment);
    byte[] bytes = bytes(published, isFirst, log);
    if (isTooLarge(bytes, published)) {
      published = redaction.redact(shown, whole.opening(), coarse(treatment));
      bytes = bytes(published, isFirst, log);
    }
    lastScan.line(Session.LOG_NAME, published.shown());
    publicTree.add(committer.commit(published.shown(), published.opening()).toBytes());
    return bytes;
  }

  private byte[] bytes(PublishedLine line, boolean isFirst, PublishedLog log) {
    JsonObject json = line.toJson();
    return log.bytes(isFirst ? json.with(Names.PUBLISHED, statement()) : json);
  }

  /** Whether a line exceeds the limits of a reader because of its opening. */
  private static boolean isTooLarge(byte[] bytes, PublishedLine line) {
    return bytes.length > LIMITS.maxBytes() || line.toJson().depth() > LIMITS.maxDepth();
  }

  /** A treatment that withholds each member of which it shows a part. */
  private static Treatment coarse(Treatment treatment) {
    if (!(treatment instanceof Treatment.Members members)) {
      return treatment;
    }
    Map<String, Treatment> all = new LinkedHashMap<>(members.members());
    all.replaceAll((name, member) ->
        member instanceof Treatment.Members || member instanceof Treatment.Elements
            ? Treatment.WITHHOLD
            : member);
    return new Treatment.Members(all);
  }

  /** Hides members of the log whose names are those that a publication adds. */
  private static Treatment withoutReserved(JsonObject line, Treatment treatment, boolean isFirst) {
    boolean isReserved = line.has(Names.DISCLOSURE) || (isFirst && line.has(Names.PUBLISHED));
    if (!isReserved) {
      return treatment;
    }
    Map<String, Treatment> members = new LinkedHashMap<>();
    if (treatment instanceof Treatment.Members some) {
      members.putAll(some.members());
    } else {
      line.names().forEach(name -> members.put(name, treatment));
    }
    members.put(Names.DISCLOSURE, Treatment.HIDE);
    if (isFirst) {
      members.put(Names.PUBLISHED, Treatment.HIDE);
    }
    return new Treatment.Members(members);
  }

  private byte[] plain(ReplayLine line, JsonObject json, PublishedLog log) {
    JsonObject shown =
        PlainRedaction.redact(json, log.withOwnStatements(line.event(), json, policy.treat(json)));
    lastScan.line(Session.LOG_NAME, shown);
    boolean isFirst = rawTree.size() == 1;
    return log.bytes(isFirst ? shown.with(Names.PUBLISHED, statement()) : shown);
  }

  /** The member {@code published} of the header. */
  private JsonObject statement() {
    return identity
        .header(
            isPlain() ? PublishedHeader.PLAIN : committer.form().id(),
            source.report().verdict().id())
        .toJson();
  }

  /** The scan of the lines as they are shown. */
  IncrementalScan lastScan() {
    return lastScan;
  }

  /** The number of lines. */
  long lines() {
    return rawTree.size();
  }

  private void requireUnchanged() throws IOException {
    if (!rawTree.head().root().equals(source.report().root())) {
      throw new IOException(source.session().log() + ": changed while it was read");
    }
  }

  /**
   * The checkpoint of the public tree: the one that the session has, or a new one. Null if the
   * hashes are plain.
   *
   * @throws IOException if the session has one that states a different tree, or the key cannot be
   *     used
   */
  @Nullable
  PublicCheckpoint checkpoint() throws IOException {
    if (isPlain()) {
      return null;
    }
    PublicCheckpoint made = PublicCheckpoint.of(
        committer.form(),
        publicTree.head(),
        salt == null
            ? (stated == null ? null : stated.original())
            : committer.original(salt, rawTree.head()));
    if (stated != null && !stated.statesSameAs(made)) {
      throw new IOException("%s: it states a different public tree than the lines have: %s"
          .formatted(Objects.requireNonNull(source.session().publicCheckpoint()), made.tree()));
    }
    if (receiptStatement.root() != null
        && !receiptStatement.root().equals(made.tree().root())) {
      throw new IOException("%s: the receipt states the public root %s, but the lines have %s"
          .formatted(
              source.session().log(), receiptStatement.root(), made.tree().root()));
    }
    boolean isSigned = stated != null && stated.isSigned();
    if (isSigned || options.signer() == null) {
      return stated == null ? made : stated;
    }
    return made.sign(options.signer());
  }
}
