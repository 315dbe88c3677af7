package dev.agentreplay.engine.lines;

import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of two lines that were reduced to what both show. A line has it as a value, as the
 * hash of one, in a blob, or as the change of an earlier one: what one line withholds in one form,
 * the other may have in a different one.
 */
final class Contents {

  private final @Nullable String name;
  private final List<Unshared> unshared;
  private JsonObject left;
  private JsonObject right;

  Contents(EventKind kind, LineMask.Result lines) {
    this.name = kind.contentName();
    this.unshared = new ArrayList<>(lines.unshared());
    this.left = lines.left();
    this.right = lines.right();
  }

  /** The members of the left line that are compared. */
  JsonObject left() {
    return left;
  }

  /** The members of the right line that are compared. */
  JsonObject right() {
    return right;
  }

  /** The values that are not shared. */
  List<Unshared> unshared() {
    return unshared;
  }

  /**
   * Removes a content from both lines if one of them withholds it, or they have different forms.
   */
  void dropIncomparable(@Nullable PublishedCopy ofLeft, @Nullable PublishedCopy ofRight) {
    if (name == null) {
      return;
    }
    String ref = name + "_ref";
    boolean isWithheld = unshared.stream()
        .anyMatch(value -> value.pointer().tokens().size() == 1
            && (value.pointer().tokens().get(0).equals(name)
                || value.pointer().tokens().get(0).equals(ref)));
    boolean isChange = left.has(Names.PROMPT_DELTA) != right.has(Names.PROMPT_DELTA);
    String hash = name + "_hash";
    if (isChange && !isWithheld && left.has(hash) && right.has(hash)) {
      left = left.without(name, ref, Names.PROMPT_DELTA); // the hashes are compared
      right = right.without(name, ref, Names.PROMPT_DELTA);
      return;
    }
    if (isChange) {
      unshared.add(new Unshared(
          JsonPointer.ROOT.append(name),
          left.get(name),
          right.get(name),
          reason(ofLeft, left),
          reason(ofRight, right)));
    }
    if (isWithheld || isChange) {
      left = left.without(name, hash, ref, Names.PROMPT_DELTA);
      right = right.without(name, hash, ref, Names.PROMPT_DELTA);
    }
  }

  private static Unshared.@Nullable Reason reason(@Nullable PublishedCopy copy, JsonObject line) {
    return copy == null || !line.has(Names.PROMPT_DELTA)
        ? null
        : new Unshared.Reason(copy.policy(), null);
  }
}
