package dev.agentreplay.publish.policy;

import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The treatment of a value by a published log: it shows it, withholds it, shows another value in
 * its place, or treats its members or elements one by one. Immutable.
 */
public sealed interface Treatment
    permits Treatment.Show,
        Treatment.Withhold,
        Treatment.Replace,
        Treatment.Hash,
        Treatment.Members,
        Treatment.Elements {

  /** The value is shown unchanged, with everything in it. */
  Treatment SHOW = new Show();

  /** The value is withheld; the name of the member is shown. */
  Treatment WITHHOLD = new Withhold(true);

  /** The value is withheld, and so is the name of the member. */
  Treatment HIDE = new Withhold(false);

  /** The value is shown unchanged. */
  record Show() implements Treatment {}

  /**
   * The value is withheld. A published line has no such member; an element of an array is null.
   *
   * @param isNamed whether the name of the member is shown; without effect on an element
   */
  record Withhold(boolean isNamed) implements Treatment {}

  /**
   * The value is withheld, and a different one is shown in its place.
   *
   * @param shown the value that is shown; it is not covered by a proof
   * @param rule the rule that replaced it, an id of letters, digits and {@code . _ -}
   */
  record Replace(JsonValue shown, String rule) implements Treatment {

    /** Checks for null. */
    public Replace {
      Objects.requireNonNull(shown, "shown");
      Objects.requireNonNull(rule, "rule");
    }
  }

  /**
   * The member is the hash of a different member of the line. It is shown if that value is shown
   * unchanged, recomputed if a part of it is shown, and otherwise replaced by a commitment.
   *
   * @param member the member whose hash this is; of itself, if a log has no such member
   */
  record Hash(String member) implements Treatment {

    /** Checks for null. */
    public Hash {
      Objects.requireNonNull(member, "member");
    }
  }

  /**
   * Members of an object are treated one by one.
   *
   * @param members the treatment of each member by its name; a member that is missing here is
   *     hidden
   */
  record Members(Map<String, Treatment> members) implements Treatment {

    /** Copies the map, whose order is kept. */
    public Members {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }
  }

  /**
   * Elements of an array are treated one by one.
   *
   * @param elements the treatment of each element
   */
  record Elements(List<Treatment> elements) implements Treatment {

    /** Copies the list. */
    public Elements {
      elements = List.copyOf(elements);
    }
  }
}
