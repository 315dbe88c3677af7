package dev.agentreplay.cli.text;

import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.published.WithheldValue;
import dev.agentreplay.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The members of a line of a published copy that are not shown as they were recorded. */
final class WithheldMembers {

  /** Those of a line of an original. */
  static final WithheldMembers NONE = new WithheldMembers(List.of());

  /** The text in the place of a value. */
  static final String WITHHELD = "withheld";

  private final Set<String> names = new HashSet<>();
  private final Set<String> rules = new TreeSet<>();

  private WithheldMembers(List<WithheldValue> values) {
    for (WithheldValue value : values) {
      if (value.isReplaced()) {
        rules.add(String.valueOf(value.rule()));
      } else {
        names.add(
            value.pointer().tokens().isEmpty() ? "" : value.pointer().tokens().get(0));
      }
    }
  }

  static WithheldMembers of(PublishedCopy copy, JsonObject line) {
    return new WithheldMembers(copy.withheld(line));
  }

  /** Whether a member, or a part of it, is withheld; of a content also if its hash is. */
  boolean has(String name) {
    return names.contains(name) || names.contains(name + "_hash") || names.contains(name + "_ref");
  }

  /** The rules that replaced texts, in parentheses; empty if none did. */
  String replaced() {
    return rules.isEmpty() ? "" : " (replaced: " + String.join(", ", rules) + ")";
  }
}
