package dev.agentreplay.publish.secret;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.google.re2j.Pattern;
import dev.agentreplay.publish.secret.SecretRulesException.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a rule file in the form of gitleaks. */
final class RuleFile {

  private static final TomlMapper TOML = new TomlMapper();

  private static final Set<String> FILE_MEMBERS =
      Set.of("title", "description", "minVersion", "extend", "rules", "allowlist", "allowlists");
  private static final Set<String> EXTEND_MEMBERS =
      Set.of("useDefault", "disabledRules", "path", "url");
  private static final Set<String> RULE_MEMBERS = Set.of(
      "id",
      "description",
      "regex",
      "path",
      "entropy",
      "secretGroup",
      "keywords",
      "tags",
      "allowlist",
      "allowlists",
      "skipReport");
  private static final Set<String> ALLOWLIST_MEMBERS = Set.of(
      "id", "description", "condition", "commits", "paths", "regexTarget", "regexes", "stopwords");

  private final RuleMembers file;
  private final List<String> warnings = new ArrayList<>();
  private final List<String> notApplicable = new ArrayList<>();

  /** The rules of the base and the file by id, without the global allow-lists of the file. */
  private final Map<String, SecretRule> rules = new LinkedHashMap<>();

  private RuleFile(RuleMembers file) {
    this.file = file;
  }

  /**
   * Parses a file.
   *
   * @param base the rules that it extends; null if it says itself whether it extends the bundled
   *     ones
   */
  static SecretRules parse(String toml, @Nullable SecretRules base) throws SecretRulesException {
    JsonNode root;
    try {
      root = TOML.readTree(toml);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String place =
          at == null ? "" : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
      throw new SecretRulesException(
          Reason.SYNTAX, null, place + "expected TOML: " + e.getOriginalMessage(), e);
    }
    return new RuleFile(RuleMembers.of(root, "", null)).read(base);
  }

  private SecretRules read(@Nullable SecretRules given) throws SecretRulesException {
    file.warnUnknown(FILE_MEMBERS, warnings);
    SecretRules base = given == null ? extended() : given;
    List<Allowlist> inherited = base == null ? List.of() : base.allowlists();
    if (base != null) {
      notApplicable.addAll(base.notApplicable());
      base.rules().forEach(rule -> rules.put(rule.id(), rule));
    }
    disable();
    List<Allowlist> own = allowlists(file, true);
    Set<String> ids = new HashSet<>();
    for (RuleMembers table : file.tables("rules")) {
      SecretRule rule = rule(table, ids, inherited);
      if (rule != null) {
        rules.put(rule.id(), rule);
      }
    }
    if (rules.isEmpty()) {
      throw new SecretRulesException(
          Reason.NO_RULES,
          null,
          "rules: expected at least one rule with a regular expression, found none;"
              + " [extend] with useDefault = true adds the bundled rules",
          null);
    }
    List<Allowlist> all = new ArrayList<>(inherited);
    all.addAll(own);
    return new SecretRules(
        rules.values().stream().map(rule -> with(rule, own)).toList(),
        all,
        notApplicable,
        warnings);
  }

  private @Nullable SecretRules extended() throws SecretRulesException {
    for (RuleMembers extend : file.tables("extend")) {
      extend.warnUnknown(EXTEND_MEMBERS, warnings);
      for (String name : List.of("path", "url")) {
        if (extend.has(name)) {
          throw new SecretRulesException(
              Reason.EXTEND,
              null,
              "extend, %s: rules of other files are not loaded; add them to this file"
                  .formatted(name),
              null);
        }
      }
      if (extend.flag("useDefault")) {
        return SecretRules.bundled();
      }
    }
    return null;
  }

  private void disable() throws SecretRulesException {
    for (RuleMembers extend : file.tables("extend")) {
      for (String id : extend.texts("disabledRules")) {
        if (rules.remove(id) == null && !notApplicable.remove(id)) {
          warnings.add("extend, disabledRules: no rule has the id \"%s\"".formatted(id));
        }
      }
    }
  }

  private static SecretRule with(SecretRule rule, List<Allowlist> more) {
    List<Allowlist> all = new ArrayList<>(rule.allowlists());
    more.stream().filter(allowlist -> allowlist.isFor(rule.id())).forEach(all::add);
    return new SecretRule(
        rule.id(),
        rule.description(),
        rule.regex(),
        rule.secretGroup(),
        rule.entropy(),
        rule.keywords(),
        List.copyOf(all));
  }

  /** Reads a rule; null for one that does not apply to values. */
  private @Nullable SecretRule rule(RuleMembers unnamed, Set<String> ids, List<Allowlist> inherited)
      throws SecretRulesException {
    String id = unnamed.text("id");
    if (id == null) {
      throw unnamed.missing("id", "a string");
    } else if (!RedactionMark.isRuleId(id)) {
      throw unnamed.wrong("id", "letters, digits and . _ - (at most 100)", "\"" + id + "\"");
    } else if (!ids.add(id)) {
      throw unnamed.wrong("id", "an id that no other rule has", "\"" + id + "\"");
    }
    RuleMembers table = unnamed.ofRule(id);
    table.warnUnknown(RULE_MEMBERS, warnings);
    SecretRule base = rules.get(id);
    Pattern regex = table.pattern("regex");
    if (regex == null && base != null) {
      regex = base.regex();
    }
    if (regex == null && !table.has("path")) {
      throw table.missing("regex", "a regular expression of RE2");
    } else if (regex == null || table.flag("skipReport")) {
      rules.remove(id);
      notApplicable.add(id);
      return null;
    }
    List<Allowlist> allowlists = new ArrayList<>();
    if (base == null) {
      inherited.stream().filter(allowlist -> allowlist.isFor(id)).forEach(allowlists::add);
    } else {
      allowlists.addAll(base.allowlists());
    }
    allowlists.addAll(allowlists(table, false));
    return new SecretRule(
        id,
        orElse(table.text("description"), base == null ? "" : base.description()),
        regex,
        group(table, regex, base == null ? 0 : base.secretGroup()),
        orElse(table.number("entropy"), base == null ? 0.0 : base.entropy()),
        keywords(table, base),
        allowlists);
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private static int group(RuleMembers table, Pattern regex, int inherited)
      throws SecretRulesException {
    int group = orElse(table.integer("secretGroup"), inherited);
    if (group > regex.groupCount()) {
      throw table.wrong(
          "secretGroup",
          "at most %d, the number of groups of the regular expression"
              .formatted(regex.groupCount()),
          Integer.toString(group));
    }
    return group;
  }

  private static List<String> keywords(RuleMembers table, @Nullable SecretRule base)
      throws SecretRulesException {
    if (base != null && base.keywords().isEmpty()) {
      return List.of();
    }
    List<String> keywords = new ArrayList<>(base == null ? List.of() : base.keywords());
    for (String keyword : table.texts("keywords")) {
      if (keyword.isEmpty()) {
        throw table.wrong("keywords", "words that are not empty", "\"\"");
      } else if (!keyword.chars().allMatch(c -> c < 128)) {
        return List.of(); // a keyword is a filter of texts, which must have no false negatives
      }
      keywords.add(keyword.toLowerCase(Locale.ROOT));
    }
    return keywords.stream().distinct().toList();
  }

  private List<Allowlist> allowlists(RuleMembers table, boolean isGlobal)
      throws SecretRulesException {
    List<RuleMembers> tables = new ArrayList<>(table.tables("allowlist"));
    tables.addAll(table.tables("allowlists"));
    List<Allowlist> allowlists = new ArrayList<>();
    for (RuleMembers members : tables) {
      Set<String> known = new HashSet<>(ALLOWLIST_MEMBERS);
      if (isGlobal) {
        known.add("targetRules");
      }
      members.warnUnknown(known, warnings);
      allowlists.add(allowlist(members));
    }
    return allowlists;
  }

  private static Allowlist allowlist(RuleMembers members) throws SecretRulesException {
    List<String> stopwords = new ArrayList<>();
    for (String word : members.texts("stopwords")) {
      if (word.isEmpty() || !word.chars().allMatch(c -> c < 128)) {
        throw members.wrong("stopwords", "words of ASCII characters", "\"" + word + "\"");
      }
      stopwords.add(word.toLowerCase(Locale.ROOT));
    }
    List<Pattern> regexes = members.patterns("regexes");
    List<Pattern> paths = members.patterns("paths");
    List<String> commits = members.texts("commits");
    if (stopwords.isEmpty() && regexes.isEmpty() && paths.isEmpty() && commits.isEmpty()) {
      throw members.missing("regexes", "regexes, stopwords, paths or commits");
    }
    return new Allowlist(
        target(members),
        needsAll(members),
        !paths.isEmpty() || !commits.isEmpty(),
        regexes,
        stopwords.isEmpty() ? null : new KeywordAutomaton(stopwords),
        Set.copyOf(members.texts("targetRules")));
  }

  private static Allowlist.Target target(RuleMembers members) throws SecretRulesException {
    String target = orElse(members.text("regexTarget"), "secret");
    return switch (target) {
      case "", "secret" -> Allowlist.Target.SECRET;
      case "match" -> Allowlist.Target.MATCH;
      case "line" -> Allowlist.Target.LINE;
      default -> throw members.wrong("regexTarget", "secret, match or line", "\"" + target + "\"");
    };
  }

  private static boolean needsAll(RuleMembers members) throws SecretRulesException {
    String condition = orElse(members.text("condition"), "OR");
    return switch (condition.toUpperCase(Locale.ROOT)) {
      case "AND", "&&" -> true;
      case "", "OR", "||" -> false;
      default -> throw members.wrong("condition", "AND or OR", "\"" + condition + "\"");
    };
  }
}
