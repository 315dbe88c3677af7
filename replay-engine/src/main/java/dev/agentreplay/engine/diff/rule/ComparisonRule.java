package dev.agentreplay.engine.diff.rule;

/**
 * What makes two values equal, or close, that are not the same: given to
 * {@link dev.agentreplay.engine.diff.DiffOptions#plus}.
 *
 * <ul>
 *   <li>{@link Ignore}: what is not compared
 *   <li>{@link Normalizer}: what texts are brought to before they are compared
 *   <li>{@link UnorderedArray}: arrays whose order says nothing
 *   <li>{@link Tolerance}: numbers that may differ by so much
 *   <li>{@link FuzzyText}: texts that are alike enough to be close
 *   <li>{@link SemanticTexts}: texts that mean the same, as somebody judges
 * </ul>
 *
 * <p>The first three also hold where steps are aligned; the others where aligned steps are
 * compared.
 *
 * <p>Rules for texts, which are normalizers, {@link Ignore#timestamps}, {@link Ignore#durations},
 * {@link Ignore#ids}, {@link FuzzyText} and {@link SemanticTexts}, hold in the content of events:
 * {@code params}, {@code output}, {@code prompt}, {@code answer}, {@code payload},
 * {@code parameters}, {@code error}, {@code summary}, {@code commands}, {@code task} and the like,
 * and members that are not known. Whatever they say, these members of an event are compared
 * exactly, with all that is in them:
 *
 * <ul>
 *   <li>what it is: {@code tool}, {@code model}, {@code source}, {@code runtime_event_type},
 *       {@code policy_version}, {@code lane}, {@code rail}, {@code asset_id}
 *   <li>what came of it: {@code status}, {@code ok}, {@code finish_reason}, {@code ci_status}, and
 *       names that begin with {@code exit_code}
 *   <li>hashes: names that end in {@code _hash}, or begin with {@code hash_}
 *   <li>{@code path}, except for {@link Normalizer#folder(String, String)} and
 *       {@link Normalizer#temporaryFolders}
 * </ul>
 */
public sealed interface ComparisonRule
    permits Ignore, Normalizer, UnorderedArray, Tolerance, FuzzyText, SemanticTexts {

  /** The rule in words, such as {@code ignore timestamps}; reports list it. */
  String description();
}
