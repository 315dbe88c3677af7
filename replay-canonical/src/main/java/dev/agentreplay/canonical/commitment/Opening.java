package dev.agentreplay.canonical.commitment;

import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a commitment that a published line opens: with the values that the line shows, it
 * suffices to compute the commitment. Immutable.
 */
public sealed interface Opening
    permits Opening.Complete, Opening.Withheld, Opening.Members, Opening.Elements {

  /**
   * The value is shown, unchanged and with everything in it.
   *
   * @param seed the seed of the value
   */
  record Complete(Seed seed) implements Opening {

    /** Checks for null. */
    public Complete {
      Objects.requireNonNull(seed, "seed");
    }
  }

  /**
   * The value is not shown. If a rule is named, a different value is shown in its place, which the
   * commitment does not cover.
   *
   * @param commitment the commitment of the value
   * @param rule the rule that replaced the value; null if nothing is shown
   */
  record Withheld(Commitment commitment, @Nullable String rule) implements Opening {

    /** The rule of a placeholder of a member that every line must have, and of a rounded time. */
    public static final String POLICY = "policy";

    /** The rule of a hash in whose place the text of a commitment is shown. */
    public static final String COMMITMENT = "commitment";

    /** The rule of a hash, root or offset that is computed from what is shown. */
    public static final String RECOMPUTED = "recomputed";

    /**
     * Checks for null and the form of the rule.
     *
     * @throws IllegalArgumentException unless the rule has 1 to 100 letters, digits and {@code . _
     *     : -}
     */
    public Withheld {
      Objects.requireNonNull(commitment, "commitment");
      if (rule != null && !OpeningJson.isRule(rule)) {
        throw new IllegalArgumentException("the id of a rule has 1 to 100 letters, digits and"
            + " . _ : -, found \"" + rule + '"');
      }
    }

    /** Whether a different value is shown in the place of the value. */
    public boolean isReplaced() {
      return rule != null;
    }
  }

  /**
   * An object, of which a part may be shown.
   *
   * @param blinding the random value that hides the commitments of the members
   * @param members the openings of the members whose names are shown, in the order of the names
   * @param others the commitments of the other members, and decoys, in ascending order
   */
  record Members(Seed blinding, Map<String, Opening> members, List<Commitment> others)
      implements Opening {

    /** Copies the members and the list. */
    public Members {
      Objects.requireNonNull(blinding, "blinding");
      members = Collections.unmodifiableMap(new TreeMap<>(members));
      others = List.copyOf(others);
    }
  }

  /**
   * An array, of which a part may be shown.
   *
   * @param blinding the random value that hides the commitments of the elements
   * @param elements the openings of the elements, and of decoys after them
   */
  record Elements(Seed blinding, List<Opening> elements) implements Opening {

    /** Copies the list. */
    public Elements {
      Objects.requireNonNull(blinding, "blinding");
      elements = List.copyOf(elements);
    }
  }

  /** The JSON form. */
  default JsonValue toJson() {
    return OpeningJson.encode(this);
  }

  /**
   * Reads the JSON form.
   *
   * @throws DocumentFormatException if it is malformed; the message has the JSON Pointer
   */
  static Opening fromJson(JsonValue json) throws DocumentFormatException {
    return OpeningJson.decode(json, "");
  }

  /** Whether the value, or a different one in its place, is shown. */
  default boolean isShown() {
    return !(this instanceof Withheld withheld) || withheld.isReplaced();
  }
}
