package dev.agentreplay.publish;

import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.tree.AuditPath;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Discloses single values of a session to a reader who has its public checkpoint: with a
 * {@link Disclosure} the reader verifies that the session has the value at its place, without
 * learning anything about other values.
 *
 * <pre>{@code
 * SessionDiscloser discloser = SessionDiscloser.open(Session.open(directory), null);
 * long line = discloser.lineOf("tc_001", JsonPointer.parse("/params/path"));
 * Disclosure path = discloser.disclose(line, JsonPointer.parse("/params/path"));
 * path.holds(); // true; path.tree() is to be compared with the public checkpoint
 * }</pre>
 *
 * <p>The log is read when it is opened, and again for each disclosure. Immutable, and safe for use
 * by several threads.
 */
public final class SessionDiscloser {

  private final PublicationSource source;
  private final @Nullable Salt salt;
  private final PublicForm form;
  private final TreeHead tree;

  private SessionDiscloser(
      PublicationSource source, @Nullable Salt salt, PublicForm form, TreeHead tree) {
    this.source = source;
    this.salt = salt;
    this.form = form;
    this.tree = tree;
  }

  /**
   * Reads a session, or a published copy, of which only values that it shows can be disclosed.
   *
   * @param salt the salt with which the session was published, if its log has none of its own; null
   *     if it has
   * @throws PublicationRefusedException if the session has no salt, does not verify, or cannot be
   *     published for another reason
   * @throws IOException if the log cannot be read, or the public checkpoint of the session states a
   *     different public tree
   */
  public static SessionDiscloser open(Session session, @Nullable Salt salt) throws IOException {
    PublicationSource source = PublicationSource.open(session, false);
    PublicCheckpoint stated = PublicationSource.statedCheckpoint(session);
    PublicForm form = source.isPublished()
        ? source.publishedForm()
        : stated == null ? PublicForm.DEFAULT : stated.form();
    Salt used = source.isPublished() ? null : source.salt(salt);
    MerkleTree tree = new MerkleTree();
    readLines(source, used, form, (line, whole, commitment) -> tree.add(commitment));
    if (stated != null && !stated.tree().equals(tree.head())) {
      throw new IOException("%s: its public checkpoint states a different public tree: %s"
          .formatted(session.log(), stated.tree()));
    }
    return new SessionDiscloser(source, used, form, tree.head());
  }

  /** The head of the public tree, which the public checkpoint states. */
  public TreeHead tree() {
    return tree;
  }

  /** The version and the parameters of the public form. */
  public PublicForm form() {
    return form;
  }

  /**
   * Finds the line with a value of a call: of the call itself, or of its result.
   *
   * @param callId the id of a tool call or a model call
   * @return the number of the line, from 1
   * @throws PublicationRefusedException if no line of such a call has the value, or several have
   */
  public long lineOf(String callId, JsonPointer field) throws IOException {
    List<Long> found = new ArrayList<>();
    try (ReplayReader reader = source.session().reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (callId.equals(line.event().callId()) && field.find(line.json()) != null) {
          found.add(line.position().line());
        }
      }
    }
    if (found.size() != 1) {
      throw refused(
          Reason.NO_VALUE,
          found.isEmpty()
              ? "no call with the id \"%s\" has a value at %s in the log".formatted(callId, field)
              : "several lines of calls with the id \"%s\" have a value at %s: %s; name the line"
                  .formatted(callId, field, found));
    }
    return found.get(0);
  }

  /**
   * Discloses a value, and with it the type of the event, the id of the call and the name of the
   * tool, without which a reader cannot tell what the value is.
   *
   * @param line the number of the line, from 1
   * @param pointer the place of the value in the line
   * @throws PublicationRefusedException if the line has no such value, the copy does not show it,
   *     or a reader could use it to guess others
   */
  public Disclosure disclose(long line, JsonPointer pointer) throws IOException {
    return disclose(line, pointer, true);
  }

  /**
   * Discloses a value.
   *
   * @param hasContext whether the type of the event, the id of the call and the name of the tool
   *     are disclosed with it
   * @throws PublicationRefusedException as {@link #disclose(long, JsonPointer)} throws it
   */
  public Disclosure disclose(long line, JsonPointer pointer, boolean hasContext)
      throws IOException {
    if (line < 1 || line > tree.size()) {
      throw refused(
          Reason.NO_VALUE, "expected a line from 1 to %d, found %d".formatted(tree.size(), line));
    }
    AuditPath path = new AuditPath(line - 1, tree.size());
    List<PublishedLine> target = new ArrayList<>(1);
    readLines(source, salt, form, (read, whole, commitment) -> {
      path.add(commitment);
      if (read.position().line() == line) {
        target.add(whole);
        requireNoOracle(read, pointer);
      }
    });
    LineRedaction redaction = new LineRedaction(new Committer(form), source.canonical());
    PublishedLine whole = target.get(0);
    PublishedLine part = redaction.redact(
        whole.shown(),
        whole.opening(),
        DisclosedPlace.treatment(
            whole.shown(),
            whole.opening(),
            pointer,
            hasContext ? source.dialect().tagName() : null));
    Disclosure disclosure =
        new Disclosure(line, pointer, part.shown(), part.opening(), form, tree, path.toList());
    String fault = disclosure.fault();
    if (fault != null) {
      throw refused(Reason.NO_VALUE, "the value cannot be disclosed: " + fault);
    }
    return disclosure;
  }

  private void requireNoOracle(ReplayLine line, JsonPointer pointer) throws IOException {
    JsonValue value = pointer.find(line.json());
    String fault = value == null
        ? DisclosedPlace.missing(line, pointer)
        : DisclosedPlace.oracle(line, pointer);
    if (fault != null) {
      throw refused(value == null ? Reason.NO_VALUE : Reason.DISCLOSES_MORE, fault);
    }
  }

  /** Receives the lines of the log, with the commitment of each. */
  @FunctionalInterface
  private interface LineReceiver {
    void accept(ReplayLine line, PublishedLine whole, byte[] commitment) throws IOException;
  }

  /** Reads each line with an opening of all that is known of it. */
  private static void readLines(
      PublicationSource source, @Nullable Salt salt, PublicForm form, LineReceiver receiver)
      throws IOException {
    Committer committer = new Committer(form);
    try (ReplayReader reader = source.session().reader()) {
      long number = 0;
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        number++;
        PublishedLine whole = source.whole(committer, salt, line, number);
        byte[] commitment = committer.commit(whole.shown(), whole.opening()).toBytes();
        receiver.accept(line, whole, commitment);
      }
    }
  }

  private PublicationRefusedException refused(Reason reason, String message) {
    return PublicationSource.refused(source.session(), reason, message);
  }
}
