package dev.agentreplay.engine.lines;

import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members that a published copy shows in all events of a kind, so that the events of two
 * sessions can be distinguished by them.
 */
final class ShownMembers {

  /** The members of the events of one kind, by their names in the compared form. */
  private static final class OfKind {
    private final Set<String> partial = new HashSet<>();

    /** The members in all lines that hide some; null if no line does. */
    private @Nullable Set<String> always;

    boolean shows(String name) {
      return !partial.contains(name) && (always == null || always.contains(name));
    }

    void addHiding(Set<String> shown) {
      if (always == null) {
        always = shown;
      } else {
        always.retainAll(shown);
      }
    }
  }

  private final PublishedCopy copy;
  private final Map<EventKind, OfKind> kinds = new EnumMap<>(EventKind.class);
  private boolean areSettingsUnclear;
  private boolean areAgentsReplaced;
  private boolean areAgentsWithheld;

  private ShownMembers(PublishedCopy copy) {
    this.copy = copy;
  }

  /** Reads the openings of all lines of a published copy. */
  static ShownMembers read(Session session, PublishedCopy copy) throws IOException {
    ShownMembers members = new ShownMembers(copy);
    try (ReplayReader reader = session.reader()) {
      boolean isFirst = true;
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        Dialect dialect = Objects.requireNonNull(reader.dialect());
        JsonObject shown = copy.shown(line.json(), isFirst);
        members.add(line.event().kind(), dialect, shown, opening(session, copy, line));
        isFirst = false;
      }
    }
    return members;
  }

  /** The opening of a line. */
  static @Nullable Opening opening(Session session, PublishedCopy copy, ReplayLine line)
      throws IOException {
    try {
      return copy.opening(line.json());
    } catch (DocumentFormatException e) {
      throw new IOException(
          "%s: %s: not a line of a published copy: %s; replay verify reports all faults"
              .formatted(session.log(), line.position(), e.getMessage()),
          e);
    }
  }

  private void add(EventKind kind, Dialect dialect, JsonObject shown, @Nullable Opening opening) {
    OfKind ofKind = kinds.computeIfAbsent(kind, key -> new OfKind());
    if (opening instanceof Opening.Members members) {
      Set<String> whole = new HashSet<>();
      members.members().forEach((name, member) -> {
        String compared = MemberNames.compared(dialect, kind, name);
        if (member instanceof Opening.Complete) {
          whole.add(compared);
        } else {
          ofKind.partial.add(compared);
        }
        if (name.equals(Names.AGENT) && member instanceof Opening.Withheld withheld) {
          areAgentsReplaced |= withheld.isReplaced();
          areAgentsWithheld |= !withheld.isReplaced();
        }
      });
      if (!members.others().isEmpty()) {
        ofKind.addHiding(whole);
      }
    } else if (!copy.hasOpenings()) {
      Set<String> whole = new HashSet<>();
      shown.names().forEach(name -> whole.add(MemberNames.compared(dialect, kind, name)));
      ofKind.addHiding(whole);
    }
    areSettingsUnclear |= kind == EventKind.SETTINGS && hidesSettings(shown.get("values"), opening);
  }

  /** Whether names of settings are hidden. */
  private boolean hidesSettings(@Nullable JsonValue values, @Nullable Opening opening) {
    if (!copy.hasOpenings()) {
      return true;
    }
    if (!(opening instanceof Opening.Members members)) {
      return false;
    }
    Opening ofValues = members.members().get("values");
    boolean isNamed = ofValues instanceof Opening.Complete
        || (ofValues instanceof Opening.Members named && named.others().isEmpty());
    return values == null || !isNamed;
  }

  /** Whether all events of a kind show a member completely, as far as they have it. */
  boolean shows(EventKind kind, String compared) {
    OfKind ofKind = kinds.get(kind);
    return ofKind == null || ofKind.shows(compared);
  }

  /**
   * Whether the names of some settings are not shown, among which may be those of circumstances.
   */
  boolean areSettingsUnclear() {
    return areSettingsUnclear;
  }

  /** Whether the ids of agents are replaced by other texts. */
  boolean areAgentsReplaced() {
    return areAgentsReplaced;
  }

  /** Whether the ids of agents are withheld. */
  boolean areAgentsWithheld() {
    return areAgentsWithheld;
  }
}
