package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each member of each event in each dialect is known, and decided by each preset. */
class CompletenessTest {

  private static final Set<FindingCode> REQUIRED =
      Set.of(FindingCode.FIELD_MISSING, FindingCode.EVENT_INVALID);

  @ParameterizedTest
  @EnumSource
  void the_catalog_knows_each_member_of_a_dialect(Dialect dialect) {
    List<String> unknown = new ArrayList<>();
    for (EventKind kind : EventKind.values()) {
      for (EventMember member : dialect.members(kind)) {
        if (EventCatalog.find(kind, member.name()) == null) {
          unknown.add(kind.id() + " " + member.name());
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_source", "private_repo", "paranoid"})
  void a_preset_decides_on_each_member(String preset) {
    PublicationPolicy policy = PublicationPolicy.preset(preset);
    List<String> undecided = new ArrayList<>();
    for (String event : EventCatalog.eventNames()) {
      EventCatalog.paths(event).forEach((path, form) -> {
        boolean isDecided = form.actions().isEmpty() || hasDecision(policy, event, path);
        if (!isDecided) {
          undecided.add(event + " " + path);
        }
      });
    }
    assertThat(undecided).isEmpty();
  }

  private static boolean hasDecision(PublicationPolicy policy, String event, String path) {
    Set<String> decided = policy.decisions().get(event).keySet();
    String whole = path.replaceFirst("^values/\\*/.*", "values/*");
    return decided.stream()
        .anyMatch(other -> other.equals(path)
            || other.equals(whole)
            || path.startsWith(other + "/")
            || other.startsWith(path + "/"));
  }

  @ParameterizedTest
  @EnumSource
  void the_lines_of_the_tests_have_each_member_of_a_dialect(Dialect dialect) {
    Set<String> missing = new TreeSet<>();
    Set<String> present = new HashSet<>();
    for (JsonObject line : Lines.of(dialect)) {
      EventKind kind = dialect.decode(line).event().kind();
      line.names().forEach(name -> present.add(kind.id() + " " + name));
    }
    for (EventKind kind : EventKind.values()) {
      Set<String> names = new HashSet<>(EventCatalog.additional(kind).keySet());
      names.remove(EventCatalog.ENVIRONMENT_VALUE);
      dialect.members(kind).forEach(member -> names.add(member.name()));
      names.removeIf(name -> present.contains(kind.id() + " " + name));
      names.forEach(name -> missing.add(kind.id() + " " + name));
    }
    assertThat(missing).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void each_required_member_has_a_placeholder_or_is_always_shown(Dialect dialect) {
    List<String> without = new ArrayList<>();
    for (JsonObject line : Lines.of(dialect)) {
      EventKind kind = dialect.decode(line).event().kind();
      for (String name : line.names()) {
        EventCatalog.Member member = EventCatalog.find(kind, name);
        boolean isRequired = dialect.decode(line.without(name)).findings().stream()
            .map(Finding::code)
            .anyMatch(REQUIRED::contains);
        if (isRequired
            && member != null
            && !member.form().actions().isEmpty()
            && Placeholders.of(dialect, kind, name) == null) {
          without.add(kind.id() + " " + name);
        }
      }
    }
    assertThat(without).isEmpty();
  }
}
