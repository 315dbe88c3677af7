package dev.agentreplay.publish;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.policy.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the published form of lines: shows the parts of a line that its treatment shows, and
 * replaces the openings of the others by commitments. Starts from the seed of a line, or from the
 * opening that an earlier publication has left; a part that is withheld there stays withheld. Not
 * safe for use by several threads.
 */
final class LineRedaction {

  /** A value as it is published: what is shown of it, if anything, and its opening. */
  private record Part(@Nullable JsonValue shown, Opening opening) {}

  private final Committer committer;
  private final CanonicalJson canonical;

  LineRedaction(Committer committer, CanonicalJson canonical) {
    this.committer = committer;
    this.canonical = canonical.withRoundedIntegers();
  }

  /**
   * Returns the published form of a line.
   *
   * @param line the line, without the members that a publication adds
   * @param opening the opening of the line: its seed, or that of an earlier publication
   */
  PublishedLine redact(JsonObject line, Opening opening, Treatment treatment) {
    Treatment.Members members =
        treatment instanceof Treatment.Members some ? some : new Treatment.Members(Map.of());
    if (treatment instanceof Treatment.Show) {
      return new PublishedLine(line, opening);
    }
    Part part = members(line, opening, members, true);
    return withHashes(
        (JsonObject) Objects.requireNonNull(part.shown()),
        (Opening.Members) part.opening(),
        members);
  }

  private Part part(@Nullable JsonValue value, Opening opening, Treatment treatment) {
    if (opening instanceof Opening.Withheld withheld) {
      return withheld(value, withheld, treatment);
    } else if (value == null) {
      throw new IllegalArgumentException("a value is missing that its opening shows");
    }
    if (treatment instanceof Treatment.Show) {
      return new Part(value, opening);
    } else if (treatment instanceof Treatment.Hash) {
      Opening.Withheld own = commitment(value, opening, Opening.Withheld.COMMITMENT);
      return new Part(JsonString.of(own.commitment().toHash().toString()), own);
    } else if (treatment instanceof Treatment.Replace replace) {
      return new Part(replace.shown(), commitment(value, opening, replace.rule()));
    } else if (treatment instanceof Treatment.Members members && value instanceof JsonObject json) {
      return members(json, opening, members, false);
    } else if (treatment instanceof Treatment.Elements elements
        && value instanceof JsonArray array) {
      return elements(array, opening, elements);
    }
    return new Part(null, commitment(value, opening, null));
  }

  /** A value that is withheld already: it may still be replaced, or its replacement dropped. */
  private static Part withheld(
      @Nullable JsonValue replacement, Opening.Withheld opening, Treatment treatment) {
    if (treatment instanceof Treatment.Replace replace) {
      return new Part(replace.shown(), new Opening.Withheld(opening.commitment(), replace.rule()));
    } else if (treatment instanceof Treatment.Withhold) {
      return new Part(null, new Opening.Withheld(opening.commitment(), null));
    }
    return new Part(opening.isReplaced() ? replacement : null, opening);
  }

  private Opening.Withheld commitment(JsonValue value, Opening opening, @Nullable String rule) {
    return new Opening.Withheld(committer.commit(value, opening), rule);
  }

  /**
   * Publishes the members of an object.
   *
   * @param isLine whether it is the line, whose hashes are decided on when their values have been
   */
  private Part members(
      JsonObject value, Opening opening, Treatment.Members treatment, boolean isLine) {
    Opening.Members open = (Opening.Members) committer.expand(value, opening);
    Map<String, Opening> members = new TreeMap<>();
    List<Commitment> hidden = new ArrayList<>(open.others());
    JsonObject.Builder shown = JsonObject.builder();
    open.members().forEach((name, member) -> {
      // a policy does not see the name of a member that was withheld before
      Treatment unnamed = value.has(name) ? Treatment.HIDE : Treatment.WITHHOLD;
      Treatment chosen = treatment.members().getOrDefault(name, unnamed);
      boolean isLater = isLine && chosen instanceof Treatment.Hash;
      Part part = part(value.get(name), member, isLater ? Treatment.SHOW : chosen);
      if (part.shown() != null) {
        shown.add(name, part.shown());
      }
      if (part.shown() == null && chosen.equals(Treatment.HIDE)) {
        Commitment commitment = ((Opening.Withheld) part.opening()).commitment();
        hidden.add(committer.memberDigest(name, commitment));
      } else {
        members.put(name, part.opening());
      }
    });
    hidden.sort(null);
    return new Part(shown.build(), new Opening.Members(open.blinding(), members, hidden));
  }

  private Part elements(JsonArray value, Opening opening, Treatment.Elements treatment) {
    Opening.Elements open = (Opening.Elements) committer.expand(value, opening);
    List<Opening> elements = new ArrayList<>(open.elements().size());
    List<JsonValue> shown = new ArrayList<>();
    for (int i = 0; i < open.elements().size(); i++) {
      Treatment chosen =
          i < treatment.elements().size() ? treatment.elements().get(i) : Treatment.WITHHOLD;
      Part part = part(i < value.size() ? value.get(i) : null, open.elements().get(i), chosen);
      elements.add(part.opening());
      if (part.shown() != null) {
        while (shown.size() < i) {
          shown.add(JsonNull.NULL); // in the place of a withheld element
        }
        shown.add(part.shown());
      }
    }
    return new Part(JsonArray.copyOf(shown), new Opening.Elements(open.blinding(), elements));
  }

  /** Replaces the hashes of values that are not shown unchanged. */
  private PublishedLine withHashes(
      JsonObject shown, Opening.Members opening, Treatment.Members treatment) {
    JsonObject line = shown;
    Map<String, Opening> members = new TreeMap<>(opening.members());
    for (var member : treatment.members().entrySet()) {
      String name = member.getKey();
      JsonValue stated = shown.get(name);
      if (member.getValue() instanceof Treatment.Hash hash && stated != null) {
        Opening own = Objects.requireNonNull(members.get(name));
        Opening content = hash.member().equals(name) ? null : opening.members().get(hash.member());
        JsonValue value = hash.member().equals(name) ? null : shown.get(hash.member());
        String computed = value == null ? null : canonical.hash(value).toString();
        if (computed != null
            && content instanceof Opening.Complete
            && own instanceof Opening.Complete
            && JsonString.of(computed).equals(stated)) {
          continue;
        }
        Commitment commitment = committer.commit(stated, own);
        Commitment ofValue =
            content instanceof Opening.Withheld withheld ? withheld.commitment() : commitment;
        line = line.with(name, computed == null ? ofValue.toHash().toString() : computed);
        members.put(
            name,
            new Opening.Withheld(
                commitment,
                computed == null ? Opening.Withheld.COMMITMENT : Opening.Withheld.RECOMPUTED));
      }
    }
    return new PublishedLine(
        line, new Opening.Members(opening.blinding(), members, opening.others()));
  }
}
