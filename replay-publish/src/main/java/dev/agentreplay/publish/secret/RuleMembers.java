package dev.agentreplay.publish.secret;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.publish.secret.SecretRulesException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the members of a table of a rule file, and collects those that are not known. */
final class RuleMembers {

  private final JsonNode table;

  /** The place of the table, for messages; empty for the file. */
  private final String place;

  /** The id of the rule, or its place; null outside of rules. */
  private final @Nullable String rule;

  private RuleMembers(JsonNode table, String place, @Nullable String rule) {
    this.table = table;
    this.place = place;
    this.rule = rule;
  }

  static RuleMembers of(JsonNode table, String place, @Nullable String rule)
      throws SecretRulesException {
    RuleMembers members = new RuleMembers(table, place, rule);
    if (!table.isObject()) {
      throw members.wrong("", "a table", table);
    }
    return members;
  }

  /** Returns the members of the same table for a rule whose id is known. */
  RuleMembers ofRule(String id) {
    return new RuleMembers(table, "rule " + id, id);
  }

  String place() {
    return place;
  }

  boolean has(String name) {
    return table.has(name);
  }

  void warnUnknown(Set<String> known, List<String> warnings) {
    table.fieldNames().forEachRemaining(name -> {
      if (!known.contains(name)) {
        warnings.add("%s: ignored, this version does not know it".formatted(at(name)));
      }
    });
  }

  @Nullable
  String text(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    if (node == null) {
      return null;
    } else if (!node.isTextual()) {
      throw wrong(name, "a string", node);
    }
    return node.textValue();
  }

  @Nullable
  Double number(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    if (node == null) {
      return null;
    } else if (!node.isNumber() || !(node.doubleValue() >= 0)) {
      throw wrong(name, "a number from 0", node);
    }
    return node.doubleValue();
  }

  @Nullable
  Integer integer(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    if (node == null) {
      return null;
    } else if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
      throw wrong(name, "an integer from 0", node);
    }
    return node.intValue();
  }

  boolean flag(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    if (node == null) {
      return false;
    } else if (!node.isBoolean()) {
      throw wrong(name, "true or false", node);
    }
    return node.booleanValue();
  }

  List<String> texts(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    List<String> texts = new ArrayList<>();
    if (node == null) {
      return texts;
    } else if (!node.isArray()) {
      throw wrong(name, "an array of strings", node);
    }
    for (int i = 0; i < node.size(); i++) {
      if (!node.get(i).isTextual()) {
        throw wrong(name + "[" + i + "]", "a string", node.get(i));
      }
      texts.add(node.get(i).textValue());
    }
    return texts;
  }

  /** The tables of an array of tables, or of a single one. */
  List<RuleMembers> tables(String name) throws SecretRulesException {
    JsonNode node = table.get(name);
    List<RuleMembers> tables = new ArrayList<>();
    if (node == null) {
      return tables;
    } else if (node.isObject()) {
      tables.add(of(node, at(name), rule));
      return tables;
    } else if (!node.isArray()) {
      throw wrong(name, "an array of tables", node);
    }
    for (int i = 0; i < node.size(); i++) {
      tables.add(of(node.get(i), at(name + "[" + i + "]"), rule));
    }
    return tables;
  }

  @Nullable
  Pattern pattern(String name) throws SecretRulesException {
    String regex = text(name);
    return regex == null ? null : compile(name, regex);
  }

  List<Pattern> patterns(String name) throws SecretRulesException {
    List<Pattern> patterns = new ArrayList<>();
    for (String regex : texts(name)) {
      patterns.add(compile(name + "[" + patterns.size() + "]", regex));
    }
    return patterns;
  }

  private Pattern compile(String name, String regex) throws SecretRulesException {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new SecretRulesException(
          Reason.PATTERN,
          rule,
          "%s: expected a regular expression of RE2, found \"%s\": %s"
              .formatted(at(name), Excerpt.of(regex), e.getDescription()),
          e);
    }
  }

  SecretRulesException wrong(String name, String expected, JsonNode found) {
    return wrong(
        name,
        expected,
        found.isTextual()
            ? "\"" + Excerpt.of(found.textValue()) + "\""
            : found.isContainerNode()
                ? "a TOML " + found.getNodeType().name().toLowerCase(Locale.ROOT)
                : found.asText());
  }

  SecretRulesException wrong(String name, String expected, String found) {
    return new SecretRulesException(
        Reason.MEMBER,
        rule,
        "%s: expected %s, found %s".formatted(at(name), expected, found),
        null);
  }

  SecretRulesException missing(String name, String expected) {
    return new SecretRulesException(
        Reason.MEMBER, rule, "%s: missing, expected %s".formatted(at(name), expected), null);
  }

  private String at(String name) {
    return place.isEmpty() || name.isEmpty() ? place + name : place + ", " + name;
  }
}
