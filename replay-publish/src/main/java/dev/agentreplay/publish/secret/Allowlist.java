package dev.agentreplay.publish.secret;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An allow-list of a rule file: the secrets that are none. Paths and commits in it are never those
 * of a value. Immutable.
 *
 * @param target the text that the regular expressions search
 * @param needsAll whether all criteria must be met, rather than any of them
 * @param isForFiles whether there is a criterion that no value meets: a path or a commit
 * @param regexes the regular expressions, of which one must match
 * @param stopwords the words, of which the secret must have one; null if there are none
 * @param targetRules the ids of the rules that a global list is for; empty for all
 */
record Allowlist(
    Target target,
    boolean needsAll,
    boolean isForFiles,
    List<Pattern> regexes,
    @Nullable KeywordAutomaton stopwords,
    Set<String> targetRules) {

  /** The texts that regular expressions search. */
  enum Target {
    SECRET,
    MATCH,
    LINE
  }

  /** Whether a global list is for a rule. */
  boolean isFor(String rule) {
    return targetRules.isEmpty() || targetRules.contains(rule);
  }

  /** Whether a secret is allowed. */
  boolean allows(Candidate candidate) {
    boolean hasWord = stopwords != null && stopwords.findsIn(candidate.secret());
    if (!needsAll) {
      return hasWord || matches(candidate);
    }
    return !isForFiles
        && (stopwords == null || hasWord)
        && (regexes.isEmpty() || matches(candidate));
  }

  private boolean matches(Candidate candidate) {
    if (regexes.isEmpty()) {
      return false;
    }
    String text =
        switch (target) {
          case SECRET -> candidate.secret();
          case MATCH -> candidate.match();
          case LINE -> candidate.line();
        };
    for (Pattern regex : regexes) {
      if (regex.matcher(text).find()) {
        return true;
      }
    }
    return false;
  }

  /** A match that may be a secret: the text with the ranges of the match and of the secret. */
  record Candidate(String text, int from, int to, int secretFrom, int secretTo) {

    /** The characters of a line before and after a match that are searched. */
    private static final int MAX_AROUND = 2000;

    String secret() {
      return text.substring(secretFrom, secretTo);
    }

    String match() {
      return text.substring(from, to);
    }

    /** The lines of the match; of a long line the part around it. */
    String line() {
      int begin = from;
      while (begin > 0 && from - begin < MAX_AROUND && text.charAt(begin - 1) != '\n') {
        begin--;
      }
      int end = to;
      while (end < text.length() && end - to < MAX_AROUND && text.charAt(end) != '\n') {
        end++;
      }
      return text.substring(begin, end);
    }
  }
}
