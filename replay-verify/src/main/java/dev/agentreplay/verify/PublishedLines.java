package dev.agentreplay.verify;

import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the openings of the lines of a published log, and computes the tree over the commitments
 * that they lead to. Does nothing for a log that is not published.
 */
final class PublishedLines {

  /** The rules whose replacements are not of a text that was redacted. */
  private static final Set<String> OF_FORMAT =
      Set.of(Opening.Withheld.COMMITMENT, Opening.Withheld.POLICY, Opening.Withheld.RECOMPUTED);

  private static final String SUFFIX = "_hash";
  private static final String REFERENCE = "_ref";
  private static final String PROMPT = "prompt";

  private final Tally tally;
  private final MerkleTree tree = new MerkleTree();
  private boolean isPublished;
  private boolean isBroken;
  private @Nullable PublishedHeader header;
  private @Nullable Committer committer;

  /** The opening of the line that was accepted last; null if it has none that is valid. */
  private @Nullable Opening opening;

  PublishedLines(Tally tally) {
    this.tally = tally;
  }

  /** Accepts the first line of the log if it is a header. */
  void begin(ReplayLine line) {
    JsonValue stated = line.json().get(Names.PUBLISHED);
    if (stated == null) {
      return;
    }
    isPublished = true;
    isBroken = true;
    try {
      if (!(stated instanceof JsonObject object)) {
        throw new DocumentFormatException(": must be an object, found " + excerpt(stated));
      }
      header = PublishedHeader.fromJson(object);
    } catch (DocumentFormatException e) {
      report(line, "/" + Names.PUBLISHED + e.getMessage(), null);
      return;
    }
    PublicForm form = header.publicForm();
    if (form != null) {
      committer = new Committer(form);
      isBroken = false;
    } else if (!header.isPlain()) {
      report(
          line,
          "/%s/form: %s is not known, and no opening is checked: verify with a version of this"
                  .formatted(Names.PUBLISHED, Excerpt.of(header.form()))
              + " library that knows it",
          null);
    }
  }

  /**
   * Accepts the next line.
   *
   * @param dialect the dialect of the log; null when its first line has no event tag
   */
  void accept(ReplayLine line, @Nullable Dialect dialect) {
    if (isPublished) {
      tally.count(Counter.PUBLISHED_LINES);
    }
    opening = null;
    if (committer == null) {
      return;
    }
    PublishedLine published;
    Commitment commitment;
    try {
      published = PublishedLine.of(line.json(), line.position().line() == 1);
      commitment = committer.verify(published.shown(), published.opening());
    } catch (DocumentFormatException e) {
      isBroken = true;
      report(line, "the opening of the line does not fit it: " + e.getMessage(), null);
      return;
    }
    opening = published.opening();
    tree.add(commitment.toBytes());
    count(opening);
    String fault = dialect == null
        ? null
        : new ReplacementRules(dialect.tagName()).fault(published.shown(), opening);
    if (fault != null) {
      report(line, fault, null);
    }
    hashes(published.shown(), opening, JsonPointer.ROOT, line);
  }

  /** Records that a line could not be read, so that the tree is not known. */
  void damaged() {
    isBroken = true;
  }

  /** Whether the log states that it is published. */
  boolean isPublished() {
    return isPublished;
  }

  /** The description of the publication; null when there is none, or it is malformed. */
  @Nullable
  PublishedHeader header() {
    return header;
  }

  /** Whether the log has commitments, valid or not. */
  boolean hasCommitments() {
    return isPublished && (header == null || !header.isPlain());
  }

  /** The head of the tree over the commitments of the lines so far; null if it is not known. */
  @Nullable
  TreeHead tree() {
    return committer == null || isBroken ? null : tree.head();
  }

  /** Whether the line that was accepted last shows a hash that was computed of what is shown. */
  boolean isRecomputed(String field) {
    return opening instanceof Opening.Members members
        && members.members().get(field + SUFFIX) instanceof Opening.Withheld withheld
        && Opening.Withheld.RECOMPUTED.equals(withheld.rule());
  }

  /**
   * Whether the line that was accepted last does not show a value as it is, and the hash next to it
   * is not that of what is shown.
   */
  boolean isPartial(String field) {
    return opening instanceof Opening.Members && !isUnchanged(field) && !isRecomputed(field);
  }

  /**
   * Whether the line that was accepted last shows a member as the session has it. True for a log
   * that is not published with commitments.
   */
  boolean isUnchanged(String name) {
    return !hasCommitments()
        || opening instanceof Opening.Complete
        || (opening instanceof Opening.Members members
            && members.members().get(name) instanceof Opening.Complete);
  }

  /** Whether the line that was accepted last does not show the type of its event. */
  boolean hasWithheldType(@Nullable Dialect dialect) {
    return opening != null && dialect != null && !isUnchanged(dialect.tagName());
  }

  /**
   * The reason that the line that was accepted last does not show a value as the session has it;
   * null if it does, or the session has no such value, or the opening of the line is not valid.
   *
   * @param line the line as it is in the log
   */
  @Nullable
  String reasonNotShown(JsonPointer pointer, ReplayLine line) {
    if (!hasCommitments()) {
      return isPublished ? "cannot be verified in a copy with plain hashes" : null;
    }
    String elsewhere = reasonElsewhere(pointer, line.event().kind().contentName());
    if (elsewhere != null) {
      return elsewhere;
    }
    Opening part = opening;
    JsonValue value = line.json();
    for (String name : pointer.tokens()) {
      if (part instanceof Opening.Members members) {
        part = members.members().get(name);
        if (part == null && !members.others().isEmpty()) {
          return "is not shown, and may be a hidden member";
        }
      } else if (part instanceof Opening.Elements elements) {
        int index = JsonPointer.arrayIndex(name);
        boolean isElement = index >= 0 && index < elements.elements().size();
        part = isElement ? elements.elements().get(index) : null;
        boolean isShown = value instanceof JsonArray array && index < array.size();
        if (part instanceof Opening.Withheld && !isShown) {
          return "is not shown, and may be a withheld element";
        }
      }
      value = value == null ? null : JsonPointer.child(value, name);
    }
    if (part == null || isWhole(part)) {
      return null;
    } else if (part instanceof Opening.Withheld withheld) {
      return withheld.isReplaced() ? "is replaced (%s)".formatted(withheld.rule()) : "is withheld";
    }
    return "is shown in part";
  }

  /** The reason that the content of an event, which is not in its member, is not shown. */
  private @Nullable String reasonElsewhere(JsonPointer pointer, @Nullable String content) {
    if (content == null
        || pointer.tokens().isEmpty()
        || !pointer.tokens().get(0).equals(content)
        || !(opening instanceof Opening.Members members)
        || members.members().containsKey(content)) {
      return null;
    } else if (members.members().containsKey(content + REFERENCE)) {
      return "is in a blob, which is not published";
    }
    Opening delta = content.equals(PROMPT) ? members.members().get(Names.PROMPT_DELTA) : null;
    return delta == null || isWhole(delta) ? null : "is not shown (prompt_delta)";
  }

  private static boolean isWhole(Opening part) {
    if (part instanceof Opening.Members members) {
      return members.others().isEmpty()
          && members.members().values().stream().allMatch(PublishedLines::isWhole);
    } else if (part instanceof Opening.Elements elements) {
      return elements.elements().stream().allMatch(PublishedLines::isWhole);
    }
    return part instanceof Opening.Complete;
  }

  private void count(Opening part) {
    if (part instanceof Opening.Members members) {
      members.members().values().forEach(this::count);
      tally.add(Counter.VALUES_WITHHELD, members.others().size());
    } else if (part instanceof Opening.Elements elements) {
      elements.elements().forEach(this::count);
    } else if (part instanceof Opening.Withheld withheld) {
      boolean isRedacted = withheld.rule() != null && !OF_FORMAT.contains(withheld.rule());
      tally.count(isRedacted ? Counter.VALUES_REDACTED : Counter.VALUES_WITHHELD);
    } else {
      tally.count(Counter.VALUES_SHOWN);
    }
  }

  /** Checks that the texts in place of hashes are those of commitments. */
  private void hashes(JsonValue shown, Opening part, JsonPointer at, ReplayLine line) {
    if (part instanceof Opening.Elements elements && shown instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        hashes(array.get(i), elements.elements().get(i), at.append(i), line);
      }
    } else if (part instanceof Opening.Members members && shown instanceof JsonObject object) {
      object.forEach((name, value) -> {
        Opening member = members.members().get(name);
        if (member instanceof Opening.Withheld hash
            && Opening.Withheld.COMMITMENT.equals(hash.rule())) {
          hash(name, value, hash, members, at.append(name), line);
        } else if (member != null) {
          hashes(value, member, at.append(name), line);
        }
      });
    }
  }

  private void hash(
      String name,
      JsonValue shown,
      Opening.Withheld own,
      Opening.Members members,
      JsonPointer at,
      ReplayLine line) {
    Opening content = name.endsWith(SUFFIX)
        ? members.members().get(name.substring(0, name.length() - SUFFIX.length()))
        : null;
    boolean isOfContent = content instanceof Opening.Withheld value && !value.isReplaced();
    Commitment commitment = content instanceof Opening.Withheld value && isOfContent
        ? value.commitment()
        : own.commitment();
    String expected = commitment.toHash().toString();
    if (!JsonString.of(expected).equals(shown)) {
      report(
          line,
          "%s: must be the commitment of the %s, found %s"
              .formatted(at, isOfContent ? "withheld value" : "hash", excerpt(shown)),
          expected);
    }
  }

  private void report(ReplayLine line, String message, @Nullable String expected) {
    FindingCode code = FindingCode.DISCLOSURE_INVALID;
    tally.report(code, () -> new Finding(code, line.position(), message)
        .withId(line.event().callId())
        .withValues(expected, null));
  }

  private static String excerpt(JsonValue value) {
    return Excerpt.of(value.toString());
  }
}
