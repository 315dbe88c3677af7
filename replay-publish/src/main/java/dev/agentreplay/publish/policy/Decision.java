package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.model.EventKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a member, and on the members of its value: a tree that is made of the catalog and
 * a policy for the events of one kind in one dialect.
 */
final class Decision {

  private static final String ANY = EventCatalog.EVERY;

  /** The name of the member in the ledger; {@code *} for names that policies do not state. */
  final String name;

  final MemberForm form;

  /** The action; that on members of other names as well, unless the form is an object. */
  final Action action;

  /** Whether the policy states the action; otherwise the format does, or the member is hidden. */
  final boolean isStated;

  /** Whether an action below opens a part of the value that this action withholds. */
  final boolean opens;

  private final Map<String, Decision> members;
  private final @Nullable Decision other;
  private @Nullable Decision opened;

  private Decision(
      String name, MemberForm form, @Nullable Action action, Map<String, Decision> members) {
    this.name = name;
    this.form = form;
    this.isStated = action != null;
    this.members = members;
    this.other = members.get(ANY);
    this.opens = members.values().stream()
        .anyMatch(member -> member.opens || (member.isStated && !member.action.isWithheld()));
    // the name of an object is shown if the policy shows the name of a member
    boolean isNamed = members.values().stream()
        .anyMatch(
            member -> member.action != Action.HIDE && (member.isStated || member.hasMembers()));
    this.action = action != null ? action : isNamed ? Action.WITHHOLD : form.undecided();
  }

  /** The decision on a member of the value; null if there is none of its own. */
  @Nullable
  Decision member(String memberName) {
    Decision member = members.get(memberName);
    return member == null ? other : member;
  }

  /** The decision if a custom rule shows a value that the policy withholds. */
  Decision opened() {
    if (opened == null) {
      Map<String, Decision> all = new HashMap<>();
      members.forEach((child, decision) -> all.put(child, decision.opened()));
      opened = new Decision(name, form, form.actions().isEmpty() ? null : form.mostOpen(), all);
    }
    return opened;
  }

  /** Whether the members of the value have decisions of their own. */
  boolean hasMembers() {
    return !members.isEmpty();
  }

  /** Whether the name of a member is one that the catalog or the policy states. */
  boolean names(String memberName) {
    return members.containsKey(memberName);
  }

  /** The decisions on the members of an event. */
  static Decision of(PublicationPolicy policy, Dialect dialect, EventKind kind) {
    Set<String> known = new HashSet<>(EventCatalog.additional(kind).keySet());
    for (EventMember member : dialect.members(kind)) {
      known.add(member.name());
    }
    Map<String, Draft> drafts = new TreeMap<>();
    for (String name : known) {
      EventCatalog.Member member = EventCatalog.find(kind, name);
      if (member != null) {
        drafts.put(name, new Draft(member));
      }
    }
    decide(policy.decisions().getOrDefault(EventCatalog.EVERY, Map.of()), drafts);
    decide(policy.decisions().getOrDefault(kind.id(), Map.of()), drafts);
    Map<String, Decision> members = new HashMap<>();
    drafts.forEach((name, draft) -> members.put(name, draft.build(name, null)));
    return new Decision("", MemberForm.OBJECT, null, members);
  }

  private static void decide(Map<String, Action> decisions, Map<String, Draft> drafts) {
    decisions.forEach((path, action) -> {
      String[] names = path.split("/", -1);
      Draft draft = drafts.get(names[0]);
      for (int i = 1; i < names.length && draft != null; i++) {
        draft = draft.member(names[i]);
      }
      if (draft != null) {
        draft.action = action;
      }
    });
  }

  /** A decision that is being made. */
  private static final class Draft {
    private final EventCatalog.Member member;
    private final Map<String, Draft> members = new LinkedHashMap<>();
    private @Nullable Action action;

    Draft(EventCatalog.Member member) {
      this.member = member;
      member.members().forEach((name, child) -> members.put(name, new Draft(child)));
    }

    /** The draft of a member of the value, which a policy may name where the catalog does not. */
    Draft member(String name) {
      return members.computeIfAbsent(name, n -> {
        EventCatalog.Member known = member.member(n);
        return new Draft(
            known == null ? new EventCatalog.Member(MemberForm.CONTENT, false, Map.of()) : known);
      });
    }

    Decision build(String name, @Nullable Action ofWhole) {
      boolean isOfFormat = member.form().actions().isEmpty();
      Action decided = isOfFormat ? null : action == null ? ofWhole : action;
      Draft any = members.get(ANY);
      Map<String, Decision> built = new HashMap<>();
      members.forEach((child, draft) -> {
        if (any != null && draft != any) {
          draft.inherit(any);
        }
        built.put(child, draft.build(child, decided));
      });
      boolean isFormless =
          decided != null && !decided.isWithheld() && !member.form().actions().contains(decided);
      return new Decision(
          name, member.form(), isFormless ? member.form().mostOpen() : decided, built);
    }

    /** Takes decisions that this draft does not have from those on any other name. */
    private void inherit(Draft any) {
      any.members.forEach((name, draft) -> {
        Draft own = members.get(name);
        if (own != null) {
          own.inherit(draft);
        } else if (!isDecided()) {
          members.put(name, draft);
        }
      });
      if (!isDecided()) {
        action = any.action;
      }
    }

    private boolean isDecided() {
      return action != null || members.values().stream().anyMatch(Draft::isDecided);
    }
  }
}
