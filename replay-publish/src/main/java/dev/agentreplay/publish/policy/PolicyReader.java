package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads policies, and refuses names and actions that have no meaning. */
final class PolicyReader {

  static final int MAX_BYTES = 1 << 20;

  private static final int MAX_RULES = 1_000;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final JsonLimits LIMITS = new JsonLimits(MAX_BYTES, 20, 10_000, 20);

  private PolicyReader() {}

  static PublicationPolicy read(byte[] utf8) throws DocumentFormatException {
    StrictObject json = StrictObject.of(StrictObject.parse(utf8, LIMITS));
    json.constant("schema", PublicationPolicy.SCHEMA);
    json.only(
        "schema",
        "id",
        "description",
        "base",
        "texts",
        PublicationPolicy.UNKNOWN_MEMBERS,
        Names.UNKNOWN_EVENTS,
        "events",
        "rules");
    String id = json.string("id");
    if (!ID.matcher(id).matches()) {
      throw json.mustBe("1 to 64 letters, digits and . _ -", "id", json.json().get("id"));
    }
    PublicationPolicy base = base(json);
    TextOptions texts = base == null ? TextOptions.DEFAULTS : base.texts();
    Map<String, Map<String, Action>> decisions = new TreeMap<>();
    List<CustomRule> rules = new ArrayList<>();
    if (base != null) {
      base.decisions().forEach((event, members) -> decisions.put(event, new TreeMap<>(members)));
      rules.addAll(base.rules());
    }
    if (json.json().has("events")) {
      events(json.object("events"), decisions);
    }
    if (json.json().has("rules")) {
      rules(json, rules);
    }
    return new PublicationPolicy(
        id,
        json.json().has("description") ? json.string("description") : "",
        json.json().has("texts") ? TextOptions.parse(json.object("texts"), texts) : texts,
        unknown(
            json,
            PublicationPolicy.UNKNOWN_MEMBERS,
            base == null ? Set.of() : base.unknownMembers()),
        unknown(json, Names.UNKNOWN_EVENTS, base == null ? Set.of() : base.unknownEvents()),
        decisions,
        rules);
  }

  private static @Nullable PublicationPolicy base(StrictObject json)
      throws DocumentFormatException {
    if (!json.json().has("base")) {
      return null;
    }
    String id = json.string("base");
    PublicationPolicy base = PublicationPolicy.findPreset(id);
    if (base == null) {
      List<String> presets = PublicationPolicy.presets();
      throw new DocumentFormatException("/base: must be one of %s, found %s%s"
          .formatted(
              String.join(", ", presets), Excerpt.of(id), NearestName.suggestion(id, presets)));
    }
    return base;
  }

  private static void events(StrictObject events, Map<String, Map<String, Action>> decisions)
      throws DocumentFormatException {
    for (String event : events.json().names()) {
      Set<String> known = EventCatalog.eventNames();
      if (!known.contains(event)) {
        throw new DocumentFormatException("%s/%s: no event has this name%s"
            .formatted(events.pointer(), Excerpt.of(event), NearestName.suggestion(event, known)));
      }
      StrictObject members = events.object(event);
      Map<String, Action> decided = decisions.computeIfAbsent(event, e -> new TreeMap<>());
      for (String path : members.json().names()) {
        // a decision on a whole value replaces those of the base on its parts
        decided.keySet().removeIf(other -> other.startsWith(path + "/"));
      }
      for (String path : members.json().names()) {
        decided.put(path, action(members, event, path));
      }
    }
  }

  private static Action action(StrictObject members, String event, String path)
      throws DocumentFormatException {
    MemberForm form = form(members, event, path);
    Action action = Action.tryParse(members.string(path));
    if (action == null || !form.actions().contains(action)) {
      throw members.mustBe(
          form.actions().stream().map(Action::id).collect(Collectors.joining(" or ")),
          path,
          members.json().get(path));
    }
    return action;
  }

  /** The form of the member with a path. Below a content, a path may have any names. */
  private static MemberForm form(StrictObject members, String event, String path)
      throws DocumentFormatException {
    EventKind kind = EventKind.ofTag(event);
    EventCatalog.@Nullable Member member = null;
    boolean isFirst = true;
    for (String name : path.split("/", -1)) {
      if (isFirst) {
        member = event.equals(EventCatalog.EVERY)
            ? EventCatalog.everyEvent().members().get(name)
            : EventCatalog.find(kind, name);
        isFirst = false;
      } else if (member != null && member.form() == MemberForm.CONTENT) {
        return MemberForm.CONTENT;
      } else if (member != null) {
        member = member.member(name);
      }
    }
    if (member == null) {
      Set<String> known = new TreeSet<>(EventCatalog.paths(event).keySet());
      known.addAll(EventCatalog.paths(EventCatalog.EVERY).keySet());
      throw new DocumentFormatException("%s/%s: %s has no member of this name%s"
          .formatted(
              members.pointer(),
              Excerpt.of(path),
              event.equals(EventCatalog.EVERY) ? "not every event" : event,
              NearestName.suggestion(path, known)));
    }
    if (member.form().actions().isEmpty()) {
      throw new DocumentFormatException(
          "%s/%s: the format decides on this member, remove it".formatted(members.pointer(), path));
    }
    return member.form();
  }

  private static void rules(StrictObject json, List<CustomRule> rules)
      throws DocumentFormatException {
    Set<String> ids = new HashSet<>();
    rules.forEach(rule -> ids.add(rule.id()));
    for (StrictObject rule : json.objects("rules")) {
      CustomRule parsed = CustomRule.parse(rules.size() + 1, rule);
      if (!ids.add(parsed.id())) {
        throw new DocumentFormatException(
            "%s/id: a second rule has the id %s".formatted(rule.pointer(), parsed.id()));
      }
      rules.add(parsed);
    }
    if (rules.size() > MAX_RULES) {
      throw new DocumentFormatException(
          "/rules: a policy has at most %d rules, found %d".formatted(MAX_RULES, rules.size()));
    }
  }

  private static SortedSet<String> unknown(StrictObject json, String name, Set<String> base)
      throws DocumentFormatException {
    SortedSet<String> names = new TreeSet<>(base);
    JsonValue value = json.json().get(name);
    if (value == null) {
      return names;
    }
    if (!(value instanceof JsonArray array)) {
      throw json.mustBe("an array of strings", name, value);
    }
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof JsonString text) || text.value().isEmpty()) {
        throw json.mustBe("a name", name + "/" + i, array.get(i));
      }
      boolean isKnown = name.equals(Names.UNKNOWN_EVENTS)
          ? EventKind.ofTag(text.value()) != EventKind.UNKNOWN
          : EventCatalog.everyEvent().members().containsKey(text.value())
              || text.value().equals("salt");
      if (isKnown) {
        throw new DocumentFormatException(
            "/%s/%d: %s is known, decide on it in events".formatted(name, i, text.value()));
      }
      names.add(text.value());
    }
    return names;
  }
}
