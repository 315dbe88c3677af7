package dev.agentreplay.publish.policy;

import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.policy.RemovalLedger.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Treats values by the decisions on them. Results are in normal form: a value that is shown in full
 * is {@link Treatment#SHOW}, hidden members are not listed.
 */
final class ValueTreatment {

  /** The name of no member of a line that is shown: the hash is that of data elsewhere. */
  static final String NO_MEMBER = "";

  /** A status or a version: a text that is longer or has spaces may be any text. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.+-]{1,40}");

  private final TextRules texts;

  /** The name of the member that is treated, or in which the value is that is treated. */
  private String name = "";

  private final Identifiers ids;
  private final LedgerPlace place;
  private final Set<String> unknownMembers;
  private CustomRules custom = CustomRules.NONE;

  ValueTreatment(TextRules texts, Identifiers ids, LedgerPlace place, Set<String> unknownMembers) {
    this.texts = texts;
    this.ids = ids;
    this.place = place;
    this.unknownMembers = unknownMembers;
  }

  /** Begins a line. */
  void begin(CustomRules rules) {
    custom = rules;
  }

  /**
   * Treats a value.
   *
   * @param decision the decision on the value; null if only the action of a whole is known
   * @param action the action on the value
   * @param states the states of the custom rules
   */
  Treatment treat(
      @Nullable Decision decision, Action action, JsonValue value, long @Nullable [] states) {
    MemberForm form = decision == null ? MemberForm.CONTENT : decision.form;
    CustomRule rule = custom.at(states);
    if (rule != null && isOpen(form)) {
      switch (rule.action()) {
        case WITHHOLD -> {
          return withheld(Action.WITHHOLD, rule.rule());
        }
        case REDACT -> {
          return value instanceof JsonString text && isText(form)
              ? redacted(text, rule)
              : withheld(Action.WITHHOLD, rule.rule());
        }
        case SHOW -> {
          if (action.isWithheld()) {
            return opened(decision, value, states);
          }
        }
      }
    }
    boolean isClosed = action.isWithheld()
        && (decision == null || !decision.opens)
        && !(custom.mayOpen(states) && isOpen(form));
    if (isClosed) {
      return withheld(action, RemovalLedger.POLICY);
    }
    return switch (form) {
      case ID -> id(value, action);
      case NUMBER, BOOLEAN, TIME, FILE_MODE, HASH ->
        decision != null && decision.hasMembers() && value instanceof JsonObject
            ? nested(decision, action, value, states) // numbers, or objects of numbers
            : exact(form, action, value);
      case EFFECTS -> effects(decision, action, value, states);
      default -> nested(decision, action, value, states);
    };
  }

  /** Whether custom rules may decide on a member of a form. */
  private static boolean isOpen(MemberForm form) {
    return switch (form) {
      case TEXT, TEXTS, CONTENT, OBJECT, EFFECTS, NUMBER, BOOLEAN, TIME, FILE_MODE -> true;
      default -> false;
    };
  }

  private static boolean isText(MemberForm form) {
    return switch (form) {
      case TEXT, CONTENT, OBJECT -> true;
      default -> false;
    };
  }

  /** Treats a value that the policy withholds, and a custom rule shows. */
  private Treatment opened(@Nullable Decision decision, JsonValue value, long @Nullable [] states) {
    Decision opened = decision == null ? null : decision.opened();
    return treat(opened, opened == null ? Action.TEXT : opened.action, value, states);
  }

  private Treatment redacted(JsonString text, CustomRule rule) {
    if (text.value().equals(rule.replacement())) {
      return Treatment.SHOW;
    }
    place.add(Kind.REPLACED, rule.rule());
    return new Treatment.Replace(JsonString.of(rule.replacement()), rule.rule());
  }

  /** Treats a value whose form excludes texts. */
  private Treatment exact(MemberForm form, Action action, JsonValue value) {
    if (!form.fits(value)) {
      if (form == MemberForm.HASH && action == Action.HASH && value instanceof JsonString) {
        return commitment();
      }
      return withheld(action.isWithheld() ? action : Action.WITHHOLD, RemovalLedger.POLICY);
    }
    if (value.isNull()) {
      return action.isWithheld() ? withheld(action, RemovalLedger.POLICY) : Treatment.SHOW;
    }
    return switch (action) {
      case DAY -> day(value);
      case HASH -> commitment();
      case WITHHOLD, HIDE -> withheld(action, RemovalLedger.POLICY);
      default -> Treatment.SHOW;
    };
  }

  /** Sets the name of the member that is treated next. Returns the previous one. */
  String named(String newName) {
    String before = name;
    name = newName;
    return before;
  }

  /** A commitment in place of a hash of data that the log does not contain. */
  Treatment commitment() {
    place.add(Kind.REPLACED, RemovalLedger.POLICY);
    return new Treatment.Hash(NO_MEMBER);
  }

  /** Treats a value that is shown unchanged, because readers depend on it; or else withheld. */
  Treatment structure(JsonValue value) {
    boolean isShown;
    if (value instanceof JsonString text) {
      isShown = WORD.matcher(text.value()).matches()
          && texts.apply(name, text.value(), List.of()) == null;
    } else if (value instanceof JsonArray array) {
      isShown = array.stream().allMatch(element -> element instanceof JsonNumber);
    } else {
      isShown = !(value instanceof JsonObject);
    }
    return isShown ? Treatment.SHOW : withheld(Action.WITHHOLD, RemovalLedger.FORMAT);
  }

  /** The day of a time that has been checked. */
  Treatment day(JsonValue value) {
    String time = value.asString();
    String day = time.substring(0, Math.max(0, time.indexOf('T'))) + "T00:00:00Z";
    if (day.equals(time)) {
      return Treatment.SHOW;
    }
    JsonString shown = JsonString.of(day);
    if (!MemberForm.TIME.fits(shown)) {
      return withheld(Action.WITHHOLD, RemovalLedger.POLICY);
    }
    place.add(Kind.REPLACED, RemovalLedger.POLICY);
    return new Treatment.Replace(shown, RemovalLedger.POLICY);
  }

  /** Treats an id: shown, or mapped if the policy decides so, or it has a secret. */
  Treatment id(JsonValue value, Action action) {
    if (!(value instanceof JsonString text)) {
      return value.isNull() ? Treatment.SHOW : withheld(Action.HIDE, RemovalLedger.POLICY);
    }
    String id = text.value();
    if (action == Action.SHOW && ids.isHarmless(id)) {
      return Treatment.SHOW;
    }
    String mapped = ids.map(id);
    if (mapped.equals(id)) {
      return Treatment.SHOW;
    }
    place.add(Kind.REPLACED, "id");
    return new Treatment.Replace(JsonString.of(mapped), "id");
  }

  private Treatment nested(
      @Nullable Decision decision, Action action, JsonValue value, long @Nullable [] states) {
    if (value instanceof JsonString text) {
      return text(decision, action, text, states);
    }
    if (value instanceof JsonObject object) {
      return object(decision, action, object, states);
    }
    if (value instanceof JsonArray array) {
      return array(decision, action, array, states);
    }
    boolean isShown = action == Action.TEXT || action == Action.SHOW;
    return isShown ? Treatment.SHOW : withheld(action, RemovalLedger.POLICY);
  }

  /** Treats a text. */
  private Treatment text(
      @Nullable Decision decision, Action action, JsonString text, long @Nullable [] states) {
    if (action == Action.ID) {
      return id(text, action);
    }
    boolean isObject = decision != null
        && decision.form == MemberForm.OBJECT
        && action != Action.TEXT; // only the members of an object are decided
    if ((action.isWithheld() || isObject) && !custom.opens(states, text.value())) {
      return withheld(action.isWithheld() ? action : Action.WITHHOLD, RemovalLedger.POLICY);
    }
    TextRules.Edited edited = texts.apply(name, text.value(), custom.texts(states));
    if (edited == null) {
      return Treatment.SHOW;
    }
    if (edited.text() == null) {
      return withheld(Action.WITHHOLD, edited.rule());
    }
    for (int i = 0; i < edited.rules().size(); i++) {
      place.add(Kind.REPLACED, edited.rules().get(i));
    }
    return new Treatment.Replace(JsonString.of(edited.text()), edited.rule());
  }

  private Treatment object(
      @Nullable Decision decision, Action action, JsonObject object, long @Nullable [] states) {
    Map<String, Treatment> members = null;
    for (int i = 0; i < object.size(); i++) {
      Treatment treatment = member(decision, action, object.name(i), object.value(i), states);
      if (treatment != Treatment.SHOW && members == null) {
        members = new LinkedHashMap<>();
        for (int j = 0; j < i; j++) {
          members.put(object.name(j), Treatment.SHOW);
        }
      }
      if (members != null && !isHidden(treatment)) {
        members.put(object.name(i), treatment);
      }
    }
    boolean isWhole = decision == null || decision.form != MemberForm.OBJECT || decision.isStated;
    if (members == null) {
      return object.isEmpty() && action.isWithheld() && isWhole
          ? withheld(action, RemovalLedger.POLICY)
          : Treatment.SHOW;
    }
    boolean isClosed = members.isEmpty() && action.isWithheld() && isWhole;
    return isClosed ? hidden(action) : new Treatment.Members(members);
  }

  private Treatment member(
      @Nullable Decision decision,
      Action action,
      String name,
      JsonValue value,
      long @Nullable [] states) {
    Decision member = decision == null ? null : decision.member(name);
    boolean isNamed = decision != null && decision.names(name);
    boolean isOfObject =
        decision != null && decision.form == MemberForm.OBJECT && action != Action.TEXT;
    Action ofMember;
    if (member != null) {
      ofMember = member.action;
    } else if (isOfObject) {
      ofMember = unknownMembers.contains(name) ? Action.TEXT : Action.HIDE;
    } else {
      ofMember = action.isWithheld() ? Action.HIDE : action;
    }
    place.enter(isNamed ? name : LedgerPlace.ANY);
    try {
      if (!isNamed && ofMember != Action.HIDE && !texts.isHarmless(name)) {
        return withheld(Action.HIDE, RemovalLedger.NAME);
      }
      String outer = named(name);
      Treatment treatment = treat(member, ofMember, value, custom.next(states, name));
      named(outer);
      boolean isSecret = !isNamed && !isHidden(treatment) && !texts.isHarmless(name);
      return isSecret ? withheld(Action.HIDE, RemovalLedger.NAME) : treatment;
    } finally {
      place.leave();
    }
  }

  private Treatment array(
      @Nullable Decision decision, Action action, JsonArray array, long @Nullable [] states) {
    Decision element = decision == null ? null : decision.member(LedgerPlace.ANY);
    boolean isOfObject =
        decision != null && decision.form == MemberForm.OBJECT && action != Action.TEXT;
    Action ofElement = element != null ? element.action : isOfObject ? Action.WITHHOLD : action;
    Treatment[] elements = null;
    boolean isAnyShown = false;
    place.enter(LedgerPlace.ANY);
    try {
      for (int i = 0; i < array.size(); i++) {
        long[] next = states == null ? null : custom.next(states, Integer.toString(i));
        Treatment treatment = treat(element, ofElement, array.get(i), next);
        treatment = treatment instanceof Treatment.Withhold ? Treatment.WITHHOLD : treatment;
        isAnyShown |= treatment != Treatment.WITHHOLD;
        if (treatment != Treatment.SHOW && elements == null) {
          elements = new Treatment[array.size()];
          Arrays.fill(elements, 0, i, Treatment.SHOW);
        }
        if (elements != null) {
          elements[i] = treatment;
        }
      }
    } finally {
      place.leave();
    }
    if (action.isWithheld() && !isAnyShown) {
      return hidden(action);
    }
    return elements == null ? Treatment.SHOW : new Treatment.Elements(List.of(elements));
  }

  /**
   * Treats side effects (docs/format.md, "ToolResult"). An element must be a string or an object,
   * so that one that is withheld has a placeholder.
   */
  private Treatment effects(
      @Nullable Decision decision, Action action, JsonValue value, long @Nullable [] states) {
    Decision element = decision == null ? null : decision.member(LedgerPlace.ANY);
    if (element == null || !(value instanceof JsonArray array)) {
      return nested(decision, action, value, states);
    }
    List<Treatment> elements = new ArrayList<>(array.size());
    boolean isAllShown = true;
    place.enter(LedgerPlace.ANY);
    for (int i = 0; i < array.size(); i++) {
      long[] next = states == null ? null : custom.next(states, Integer.toString(i));
      Treatment treatment = effect(element, array.get(i), next);
      if (treatment instanceof Treatment.Withhold) {
        treatment = new Treatment.Replace(Placeholders.TEXT, RemovalLedger.POLICY);
      }
      isAllShown &= treatment == Treatment.SHOW;
      elements.add(treatment);
    }
    place.leave();
    return isAllShown ? Treatment.SHOW : new Treatment.Elements(elements);
  }

  private Treatment effect(Decision element, JsonValue value, long @Nullable [] states) {
    Decision type = element.member("type");
    Decision path = element.member("path");
    if (type == null || path == null) {
      return withheld(Action.WITHHOLD, RemovalLedger.POLICY);
    }
    if (value instanceof JsonString) {
      place.enter("type");
      Treatment treatment = treat(type, type.action, value, states);
      place.leave();
      return treatment;
    }
    if (!(value instanceof JsonObject object)) {
      return withheld(Action.WITHHOLD, RemovalLedger.POLICY);
    }
    boolean isNamedByType = object.size() == 1
        && !object.has("type")
        && !object.has(Names.EFFECT_TYPE)
        && !object.has("path");
    if (!isNamedByType) {
      JsonValue other = object.get(Names.EFFECT_TYPE);
      if (other == null) {
        return object(element, Action.HIDE, object, states);
      }
      Map<String, Treatment> members = new LinkedHashMap<>();
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        String known = name.equals(Names.EFFECT_TYPE) ? "type" : name;
        Treatment treatment =
            member(element, Action.HIDE, known, object.value(i), custom.next(states, name));
        if (!isHidden(treatment)) {
          members.put(name, treatment);
        }
      }
      boolean isWhole = members.size() == object.size()
          && members.values().stream().allMatch(Treatment.SHOW::equals);
      return isWhole ? Treatment.SHOW : new Treatment.Members(members);
    }
    return ofType(element, type, path, object, states);
  }

  /** Treats an effect in the form of a Rust enum, whose only name is the type. */
  private Treatment ofType(
      Decision element, Decision type, Decision path, JsonObject object, long @Nullable [] states) {
    String name = object.name(0);
    if (type.action != Action.TEXT
        || texts.apply("", name, custom.texts(null)) != null
        || !texts.isHarmless(name)) {
      return withheld(Action.WITHHOLD, RemovalLedger.POLICY);
    }
    place.enter("path");
    long[] next = custom.next(states, name);
    Treatment treatment = object.value(0) instanceof JsonObject details
        ? object(element, Action.HIDE, details, next)
        : treat(path, path.action, object.value(0), next);
    place.leave();
    if (treatment == Treatment.SHOW) {
      return Treatment.SHOW;
    }
    return new Treatment.Members(Map.of(
        name,
        treatment instanceof Treatment.Withhold
            ? new Treatment.Replace(Placeholders.TEXT, RemovalLedger.POLICY)
            : treatment));
  }

  /** Treats a member of a line that no dialect knows. */
  Treatment unknown(String name, Action action, JsonValue value, long @Nullable [] states) {
    if (action == Action.HIDE && !custom.mayOpen(states)) {
      return withheld(action, RemovalLedger.POLICY);
    }
    return texts.isHarmless(name)
        ? treat(null, action, value, states)
        : withheld(Action.HIDE, RemovalLedger.NAME);
  }

  /** Replaces the elements that are withheld, because each element of the array must be a text. */
  Treatment withPlaceholders(Treatment treatment) {
    if (!(treatment instanceof Treatment.Elements array)) {
      return treatment;
    }
    List<Treatment> elements = new ArrayList<>();
    for (Treatment element : array.elements()) {
      elements.add(
          element instanceof Treatment.Withhold
              ? new Treatment.Replace(Placeholders.TEXT, RemovalLedger.POLICY)
              : element);
    }
    return new Treatment.Elements(elements);
  }

  /** The treatment of a required member that is withheld. */
  Treatment placeholder(Decision decision, JsonValue value, JsonValue placeholder) {
    return switch (decision.form) {
      case ID -> id(value, Action.ID);
      case HASH -> value instanceof JsonString ? commitment() : Treatment.SHOW;
      case TIME -> decision.form.fits(value) && !value.isNull() ? day(value) : Treatment.WITHHOLD;
      case TEXTS -> elements(value, placeholder);
      default -> replaced(value, placeholder);
    };
  }

  private static Treatment elements(JsonValue value, JsonValue placeholder) {
    if (!(value instanceof JsonArray array)) {
      return replaced(value, JsonArray.EMPTY);
    }
    List<Treatment> elements = new ArrayList<>(array.size());
    for (JsonValue element : array) {
      elements.add(replaced(element, placeholder));
    }
    return elements.stream().allMatch(Treatment.SHOW::equals)
        ? Treatment.SHOW
        : new Treatment.Elements(elements);
  }

  private static Treatment replaced(JsonValue value, JsonValue placeholder) {
    return value.equals(placeholder)
        ? Treatment.SHOW
        : new Treatment.Replace(placeholder, RemovalLedger.POLICY);
  }

  /** Withholds a value, with an entry in the ledger. */
  Treatment withheld(Action action, String reason) {
    boolean isHidden = action == Action.HIDE;
    place.add(isHidden ? Kind.HIDDEN : Kind.WITHHELD, reason);
    return hidden(action);
  }

  private static Treatment hidden(Action action) {
    return action == Action.HIDE ? Treatment.HIDE : Treatment.WITHHOLD;
  }

  static boolean isHidden(Treatment treatment) {
    return treatment instanceof Treatment.Withhold withhold && !withhold.isNamed();
  }
}
