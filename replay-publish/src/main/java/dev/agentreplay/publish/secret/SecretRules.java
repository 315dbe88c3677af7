package dev.agentreplay.publish.secret;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a {@link SecretScanner} finds secrets: regular expressions of RE2 with
 * keywords, a minimum entropy and allow-lists, in the TOML form of gitleaks 8, which Betterleaks
 * reads, too.
 *
 * <pre>{@code
 * SecretRules rules = SecretRules.parse("""
 *     [extend]
 *     useDefault = true
 *
 *     [[rules]]
 *     id = "acme-token"
 *     regex = '''\bacme_[0-9a-f]{32}\b'''
 *     keywords = ["acme_"]
 *     """);
 * }</pre>
 *
 * <p>A file is applied to values, not to files and commits: {@code path} restricts no rule, and
 * paths and commits of allow-lists allow nothing. With {@code useDefault} the rules are added to
 * the {@linkplain #bundled bundled} ones, which {@code disabledRules} leaves out; a rule with the
 * id of a bundled one replaces the members that it states, and adds its keywords and allow-lists.
 * Without {@code secretGroup}, the secret is the first group without a name that is not empty, or
 * else the whole match. Members that this version does not know are ignored, and {@link #warnings}
 * names them.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class SecretRules {

  /** The size up to which {@link #read} reads a file. */
  private static final int MAX_BYTES = 16 << 20;

  /** Loads the bundled rules when they are first used. */
  private static final class Bundled {
    static final SecretRules RULES = load();

    private Bundled() {}

    private static SecretRules load() {
      try {
        SecretRules others = RuleFile.parse(resource("gitleaks.toml"), null);
        return RuleFile.parse(resource("agentreplay.toml"), others);
      } catch (IOException e) {
        throw new UncheckedIOException("the bundled rules cannot be loaded: " + e.getMessage(), e);
      }
    }

    private static String resource(String name) throws IOException {
      try (InputStream in = SecretRules.class.getResourceAsStream(name)) {
        return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  /** The scanner with these rules, which takes time to create; null until it is requested. */
  private volatile @Nullable SecretScanner scanner;

  private final List<SecretRule> rules;
  private final List<Allowlist> allowlists;
  private final List<String> notApplicable;
  private final List<String> warnings;

  SecretRules(
      List<SecretRule> rules,
      List<Allowlist> allowlists,
      List<String> notApplicable,
      List<String> warnings) {
    this.rules = List.copyOf(rules);
    this.allowlists = List.copyOf(allowlists);
    this.notApplicable = List.copyOf(notApplicable);
    this.warnings = List.copyOf(warnings);
  }

  /**
   * The rules that this library has: those of gitleaks (MIT License), and others for the keys of
   * model providers, URLs, headers and commands.
   */
  public static SecretRules bundled() {
    return Bundled.RULES;
  }

  /**
   * Parses rules.
   *
   * @throws SecretRulesException if the text is not TOML, a rule is not valid, or there are no
   *     rules that apply to values, such as in a file with allow-lists only
   */
  public static SecretRules parse(String toml) throws SecretRulesException {
    return RuleFile.parse(toml, null);
  }

  /**
   * Reads a file of rules, in UTF-8.
   *
   * @throws SecretRulesException as {@link #parse} throws it, or if the file has more than 16 MiB
   * @throws IOException if the file cannot be read
   */
  public static SecretRules read(Path file) throws IOException {
    long size = Files.size(file);
    if (size > MAX_BYTES) {
      throw new SecretRulesException(
          SecretRulesException.Reason.SYNTAX,
          null,
          "%s: expected at most %d bytes of rules, found %d".formatted(file, MAX_BYTES, size),
          null);
    }
    return parse(Files.readString(file));
  }

  /** The scanner with these rules, created at the first call. */
  SecretScanner scanner() {
    SecretScanner made = scanner;
    if (made == null) {
      made = new SecretScanner(this); // two threads may create it at the same time
      scanner = made;
    }
    return made;
  }

  /** The ids of the rules that apply to values, in the order of the files. */
  public List<String> ids() {
    return rules.stream().map(SecretRule::id).toList();
  }

  /**
   * The ids of the rules that do not apply to values: they have a path and no regular expression,
   * or only serve other rules.
   */
  public List<String> notApplicable() {
    return notApplicable;
  }

  /** The description of a rule; null if there is no rule with this id, or it has none. */
  public @Nullable String description(String id) {
    for (SecretRule rule : rules) {
      if (rule.id().equals(id)) {
        return rule.description().isEmpty() ? null : rule.description();
      }
    }
    return null;
  }

  /** The members of the file that are ignored, and other remarks, in the order of the file. */
  public List<String> warnings() {
    return warnings;
  }

  List<SecretRule> rules() {
    return rules;
  }

  /** The allow-lists for all rules. */
  List<Allowlist> allowlists() {
    return allowlists;
  }

  @Override
  public String toString() {
    return rules.size() + " rules";
  }
}
