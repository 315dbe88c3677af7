package dev.agentreplay.publish.policy;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Treats the members that follow from other members of a line, when these have been treated: hashes
 * and previews of contents, pieces of streams, notes on texts, and prompts as changes.
 */
final class DerivedMembers {

  private static final String BASE = "base";

  private final ValueTreatment values;
  private final Identifiers ids;
  private final LedgerPlace place;
  private final PromptBases bases = new PromptBases();

  DerivedMembers(ValueTreatment values, Identifiers ids, LedgerPlace place) {
    this.values = values;
    this.ids = ids;
    this.place = place;
  }

  static boolean isDerived(MemberForm form) {
    return switch (form) {
      case CONTENT_HASH, DERIVED, NOTES, DELTA -> true;
      default -> false;
    };
  }

  /** Sets the treatments of the members of these forms. */
  void treat(EventKind kind, Decision root, JsonObject line, Treatment[] treatments) {
    String contentName = kind.contentName();
    boolean isContentShown = false;
    boolean areTextsShown = true;
    boolean isDeltaShown = false;
    for (int i = 0; i < line.size(); i++) {
      Decision decision = root.member(line.name(i));
      if (decision == null || !isDerived(decision.form)) {
        areTextsShown &= treatments[i] == Treatment.SHOW || !hasText(decision);
        isContentShown |= treatments[i] == Treatment.SHOW && line.name(i).equals(contentName);
      } else if (decision.form == MemberForm.DELTA) {
        place.enter(line.name(i));
        treatments[i] = delta(decision, line.value(i));
        isDeltaShown = treatments[i] == Treatment.SHOW;
        areTextsShown &= isDeltaShown;
        place.leave();
      }
    }
    for (int i = 0; i < line.size(); i++) {
      Decision decision = root.member(line.name(i));
      if (decision != null && isDerived(decision.form) && decision.form != MemberForm.DELTA) {
        place.enter(line.name(i));
        JsonValue value = line.value(i);
        treatments[i] = switch (decision.form) {
          case CONTENT_HASH ->
            isDeltaShown
                ? values.withheld(Action.WITHHOLD, RemovalLedger.FORMAT)
                : hash(value, String.valueOf(contentName));
          case DERIVED -> shownIf(isContentShown, decision, value);
          default -> shownIf(areTextsShown, decision, value);
        };
        place.leave();
      }
    }
    if (kind == EventKind.MODEL_CALL && line.get("id") instanceof JsonString id) {
      boolean isWhole = isContentShown != isDeltaShown;
      bases.add(id.value(), isWhole);
    }
  }

  /** Whether a member has texts to which notes may refer. */
  private static boolean hasText(@Nullable Decision decision) {
    if (decision == null) {
      return true;
    }
    return switch (decision.form) {
      case TEXT, TEXTS, CONTENT, OBJECT, EFFECTS, STRUCTURE -> true;
      default -> false;
    };
  }

  /**
   * The hash of a content. It depends on what the published line shows of the content; next to a
   * change of a prompt it is withheld, because the line does not show the content.
   */
  private static Treatment hash(JsonValue value, String content) {
    return value instanceof JsonString ? new Treatment.Hash(content) : Treatment.WITHHOLD;
  }

  private Treatment delta(Decision decision, JsonValue value) {
    boolean isBaseShown = value instanceof JsonObject delta
        && delta.get(BASE) instanceof JsonString base
        && bases.isShown(base.value())
        && ids.isHarmless(base.value());
    return shownIf(isBaseShown, decision, value);
  }

  /** Shows a member if a condition holds and it has no text that the rules would change. */
  private Treatment shownIf(boolean condition, Decision decision, JsonValue value) {
    if (decision.action.isWithheld()) {
      return values.withheld(decision.action, RemovalLedger.POLICY);
    }
    boolean isShown = condition && values.treat(null, Action.TEXT, value, null) == Treatment.SHOW;
    return isShown ? Treatment.SHOW : values.withheld(Action.WITHHOLD, RemovalLedger.FORMAT);
  }
}
