package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.canonical.tree.AuditPath;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value of a log, with the proof that the log has it at this place: verifiable with the public
 * root alone, without the log, and without any other value of it. Immutable.
 *
 * <p>A disclosure may come from an attacker: {@link #holds} never throws, whatever it contains. It
 * does not authenticate the root: compare {@link #tree}, root and size, with a trusted one.
 *
 * @param line the number of the line, from 1
 * @param pointer the place of the value in the line
 * @param shown the line, with that value, and possibly others that are disclosed with it
 * @param opening the opening of the line
 * @param form the form of the public tree
 * @param tree the head of the public tree
 * @param path the audit path of the line in the public tree
 */
public record Disclosure(
    long line,
    JsonPointer pointer,
    JsonObject shown,
    Opening opening,
    PublicForm form,
    TreeHead tree,
    List<ContentHash> path) {

  /** The member {@code schema} of the JSON form. */
  public static final String SCHEMA = "replay.disclosure/1";

  private static final String LINE = "line";
  private static final String POINTER = "pointer";
  private static final String SHOWN = "shown";
  private static final String OPENING = "opening";
  private static final String FORM = "form";
  private static final String PATH = "path";

  /** Checks for null and copies the path. */
  public Disclosure {
    Objects.requireNonNull(pointer, POINTER);
    Objects.requireNonNull(shown, SHOWN);
    Objects.requireNonNull(opening, OPENING);
    Objects.requireNonNull(form, FORM);
    Objects.requireNonNull(tree, "tree");
    path = List.copyOf(path);
  }

  /** The value; null if the line that is shown has none at the place. */
  public @Nullable JsonValue value() {
    return pointer.find(shown);
  }

  /**
   * Whether the value at the place is complete and unchanged, everything else that is shown is
   * unchanged, too, and the line leads to the stated root.
   */
  public boolean holds() {
    return fault() == null;
  }

  /** The reason why the disclosure does not hold; null if it holds. */
  public @Nullable String fault() {
    if (value() == null || !isComplete(opening, pointer.tokens())) {
      return "it does not show the value at %s unchanged".formatted(pointer);
    }
    if (hasReplacement(opening)) {
      return "it shows a replacement, which no commitment covers, next to the value";
    }
    Commitment commitment;
    try {
      commitment = new Committer(form).verify(shown, opening);
    } catch (DocumentFormatException e) {
      return e.getMessage();
    }
    ContentHash leaf = MerkleTree.leafHash(commitment.array());
    return tree.root().equals(AuditPath.root(line - 1, tree.size(), leaf, path))
        ? null
        : "line, value, seeds and path do not lead to the public root";
  }

  /** Whether everything at and below a place is complete. */
  private static boolean isComplete(Opening opening, List<String> tokens) {
    Opening found = opening;
    for (String token : tokens) {
      if (found instanceof Opening.Complete) {
        return true;
      }
      Opening next = found instanceof Opening.Members members
          ? members.members().get(token)
          : ((found instanceof Opening.Elements elements) ? element(elements, token) : null);
      if (next == null) {
        return false;
      }
      found = next;
    }
    return found instanceof Opening.Complete;
  }

  /** Whether something is shown that the line does not have. */
  private static boolean hasReplacement(Opening opening) {
    if (opening instanceof Opening.Members members) {
      return members.members().values().stream().anyMatch(Disclosure::hasReplacement);
    } else if (opening instanceof Opening.Elements elements) {
      return elements.elements().stream().anyMatch(Disclosure::hasReplacement);
    }
    return opening instanceof Opening.Withheld withheld && withheld.isReplaced();
  }

  private static @Nullable Opening element(Opening.Elements elements, String token) {
    for (int i = 0; i < elements.elements().size(); i++) {
      if (Integer.toString(i).equals(token)) {
        return elements.elements().get(i);
      }
    }
    return null;
  }

  /** The JSON form. */
  public JsonObject toJson() {
    return JsonObject.of(
        FORM,
        form.id(),
        LINE,
        line,
        OPENING,
        opening.toJson(),
        PATH,
        JsonArray.copyOf(
            path.stream().map(hash -> JsonString.of(hash.toString())).toList()),
        POINTER,
        pointer.toString(),
        Names.PUBLIC_ROOT,
        tree.root().toString(),
        "schema",
        SCHEMA,
        SHOWN,
        shown,
        Names.TREE_SIZE,
        tree.size());
  }

  /**
   * Reads the JSON form. Does not check whether the disclosure holds.
   *
   * @throws DocumentFormatException if a member is missing, invalid or unknown
   */
  public static Disclosure fromJson(JsonObject json) throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    members.constant("schema", SCHEMA);
    members.only(
        FORM, LINE, OPENING, PATH, POINTER, Names.PUBLIC_ROOT, "schema", SHOWN, Names.TREE_SIZE);
    PublicForm form = PublicForm.tryParse(members.string(FORM));
    if (form == null) {
      throw members.mustBe(PublicForm.VERSION, FORM, json.get(FORM));
    }
    JsonValue opening = json.get(OPENING);
    if (opening == null) {
      throw members.mustBe("an opening", OPENING, null);
    }
    return new Disclosure(
        members.integer(LINE, 1),
        pointer(members),
        members.object(SHOWN).json(),
        OpeningJson.decode(opening, "/" + OPENING),
        form,
        new TreeHead(members.integer(Names.TREE_SIZE, 0), members.hash(Names.PUBLIC_ROOT)),
        members.hashes(PATH));
  }

  private static JsonPointer pointer(StrictObject members) throws DocumentFormatException {
    String text = members.string(POINTER);
    try {
      return JsonPointer.parse(text);
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(
          "/%s: must be a JSON Pointer, found %s".formatted(POINTER, Excerpt.of(text)), e);
    }
  }
}
