package dev.agentreplay.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds what was converted there and back against what the ledgers say. */
final class Ledgers {

  private Ledgers() {}

  /** The differences that neither ledger names. */
  static List<String> unexplained(
      Dialect dialect,
      List<JsonObject> before,
      List<JsonObject> after,
      ConversionLedger... ledgers) {
    Set<String> lost = new HashSet<>();
    Set<String> made = new HashSet<>();
    Map<String, String> renamed = new HashMap<>();
    for (ConversionLedger ledger : ledgers) {
      Map<String, String> renamedNow = new HashMap<>();
      for (Entry entry : ledger.entries()) {
        String member = entry.event() + "." + entry.field();
        if (entry.to() != null) { // of values that the first conversion generated
          List<String> again = made.stream()
              .filter(name -> name.equals(member)
                  || (entry.event() == null && name.endsWith("." + entry.field())))
              .map(name -> name.substring(0, name.indexOf('.') + 1) + entry.to())
              .toList();
          made.addAll(again);
          renamedNow.put(entry.event() + "." + entry.to(), member);
        }
        switch (entry.action()) {
          case DROPPED -> lost.add(member);
          case RESPELLED, ROUNDED -> {
            lost.add(member);
            made.add(entry.event() + "." + entry.to());
          }
          case INVENTED, COMPUTED -> made.add(member);
          case MOVED -> {
            lost.add(member);
            made.add(entry.to());
          }
          default -> {
            // keeps its value
          }
        }
      }
      renamed.forEach((to, from) -> {
        if (lost.contains(to)) {
          lost.add(from); // by the name that it had before
        }
      });
      renamed.putAll(renamedNow);
    }
    List<String> unexplained = new ArrayList<>();
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < before.size(); i++) {
      JsonObject left = before.get(i);
      JsonObject right = after.get(i);
      String tag = tag(dialect, left);
      int line = i + 1;
      left.forEach((name, value) -> {
        if (!value.equals(right.get(name))
            && value != JsonNull.NULL
            && !lost.contains(tag + "." + name)) {
          unexplained.add("%d: %s.%s: %s -> %s".formatted(line, tag, name, value, right.get(name)));
        }
      });
      right.forEach((name, value) -> {
        if (!left.has(name) && value != JsonNull.NULL && !made.contains(tag + "." + name)) {
          unexplained.add("%d: %s.%s: made up: %s".formatted(line, tag, name, value));
        }
      });
    }
    return unexplained;
  }

  private static String tag(Dialect dialect, JsonObject line) {
    JsonValue tag = line.get(dialect == Dialect.EVENT ? "event" : "type");
    return tag instanceof JsonString text ? text.value() : "";
  }
}
