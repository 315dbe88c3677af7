package dev.agentreplay.engine.published;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A published copy of a session, as the first line of its log describes it. What it states is the
 * claim of its publisher; {@code replay verify} verifies a copy. Immutable.
 */
public final class PublishedCopy {

  private static final String UNKNOWN = "unknown";

  private final String form;
  private final String policy;

  private PublishedCopy(String form, String policy) {
    this.form = form;
    this.policy = policy;
  }

  /**
   * Returns the description of a session; null if it is not a published copy.
   *
   * @throws IOException if the first line of its log cannot be read
   */
  public static @Nullable PublishedCopy find(Session session) throws IOException {
    ReplayLine first = session.firstLine();
    return first == null ? null : of(first.json());
  }

  /** Returns the description in the first line of a log; null if it has none. */
  public static @Nullable PublishedCopy of(JsonObject firstLine) {
    if (!(firstLine.get(Names.PUBLISHED) instanceof JsonObject published)
        || !(published.get("form") instanceof JsonString form)) {
      return null;
    }
    return new PublishedCopy(form.value(), policy(published));
  }

  private static String policy(JsonObject published) {
    return published.get("policy") instanceof JsonObject policy
            && policy.get("id") instanceof JsonString id
        ? id.value()
        : UNKNOWN;
  }

  /** The id of the policy that decided on what is shown; {@code custom} if it is not a preset. */
  public String policy() {
    return policy;
  }

  /** The id of the public form, such as {@code replay.public/1}. */
  public String form() {
    return form;
  }

  /**
   * Whether its lines state what they withhold. Otherwise a member that is missing may never have
   * been recorded.
   */
  public boolean hasOpenings() {
    return form.startsWith("replay.public/");
  }

  /** Whether the numbers of members and elements that lines state are those of the original. */
  public boolean isPadded() {
    PublicForm known = PublicForm.tryParse(form);
    return known == null || known.padding() > 1;
  }

  /**
   * The members of a line that are those of the original, without the ones that publication adds.
   */
  public JsonObject shown(JsonObject line, boolean isFirst) {
    if (!line.has(Names.DISCLOSURE)) {
      return isFirst ? line.without(Names.PUBLISHED) : line;
    }
    return isFirst
        ? line.without(Names.DISCLOSURE, Names.PUBLISHED)
        : line.without(Names.DISCLOSURE);
  }

  /**
   * Returns the opening of a line; null if the copy has none.
   *
   * @throws DocumentFormatException if the opening is missing or malformed
   */
  public @Nullable Opening opening(JsonObject line) throws DocumentFormatException {
    if (!hasOpenings()) {
      return null;
    }
    JsonValue json = line.get(Names.DISCLOSURE);
    if (json == null) {
      throw new DocumentFormatException("the line has no member " + Names.DISCLOSURE);
    }
    return Opening.fromJson(json);
  }

  /**
   * Returns the values that a line withholds under their names, or shows a replacement of, in the
   * order of the names. Members whose names are hidden, too, are not among them. Empty for a copy
   * that does not state what it withholds, and for a line with a malformed opening.
   */
  public List<WithheldValue> withheld(JsonObject line) {
    List<WithheldValue> withheld = new ArrayList<>();
    try {
      Opening opening = opening(line);
      if (opening != null) {
        add(opening, JsonPointer.ROOT, withheld);
      }
    } catch (DocumentFormatException malformed) {
      return List.of(); // the verifier reports it
    }
    return List.copyOf(withheld);
  }

  private static void add(Opening opening, JsonPointer at, List<WithheldValue> withheld) {
    if (opening instanceof Opening.Withheld value) {
      withheld.add(new WithheldValue(at, value.rule()));
    } else if (opening instanceof Opening.Members members) {
      members.members().forEach((name, member) -> add(member, at.append(name), withheld));
    } else if (opening instanceof Opening.Elements elements) {
      for (int i = 0; i < elements.elements().size(); i++) {
        add(elements.elements().get(i), at.append(i), withheld);
      }
    }
  }
}
