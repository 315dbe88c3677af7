package dev.agentreplay.engine.diff.rule;

/**
 * A rule under which two different values count as equal or as close. Rules are added to a
 * comparison by {@link dev.agentreplay.engine.diff.DiffOptions#plus}.
 *
 * <ul>
 *   <li>{@link Ignore}: values that are not compared
 *   <li>{@link Normalizer}: replacements in texts before they are compared
 *   <li>{@link UnorderedArray}: arrays whose order is not significant
 *   <li>{@link Tolerance}: numbers that may differ by a given amount
 *   <li>{@link FuzzyText}: similar texts that count as close
 *   <li>{@link SemanticTexts}: texts of the same meaning, as a {@link SemanticComparator} judges
 * </ul>
 *
 * <p>The first three also apply to the alignment of steps, the others only to the comparison of
 * aligned steps.
 *
 * <p><b>JSON in text.</b> The patterns of places continue into strings that hold a JSON object or
 * array in strict JSON, with optional white space around it, as
 * {@link dev.agentreplay.canonical.JsonText#parseContainer} parses it; also into strings in those.
 * If the pattern of a rule selects something in one of two such texts, the texts are compared as
 * the values that they hold: by all rules, without regard to white space, the order of members and
 * the spelling of numbers, and with pointers that continue into the text. The rules for texts then
 * apply to the strings in the value. Selected are a place to ignore, an array to compare without
 * its order (which may be the whole text), a number with a tolerance, and a text to measure; but a
 * {@link FuzzyText} rule that applies to the whole text does not select anything in it. In all
 * other cases the exact texts are compared: if no rule selects anything in them, if only one of
 * them is JSON, or if one is an object and the other an array. A text is never equal to the object
 * or array that it holds.
 *
 * <p>Rules for texts are normalizers, {@link Ignore#timestamps}, {@link Ignore#durations},
 * {@link Ignore#ids}, {@link FuzzyText} and {@link SemanticTexts}. They apply to the content of
 * events: {@code params}, {@code output}, {@code prompt}, {@code answer}, {@code payload},
 * {@code parameters}, {@code error}, {@code summary}, {@code commands}, {@code task} and the like,
 * and members that are not known. They do not apply to these members of an event, which are
 * compared exactly with everything in them:
 *
 * <ul>
 *   <li>the subject of the event: {@code tool}, {@code model}, {@code source},
 *       {@code runtime_event_type}, {@code policy_version}, {@code lane}, {@code rail},
 *       {@code asset_id}
 *   <li>its outcome: {@code status}, {@code ok}, {@code finish_reason}, {@code ci_status}, and
 *       names that begin with {@code exit_code}
 *   <li>hashes: names that end in {@code _hash} or begin with {@code hash_}
 *   <li>{@code path}, except for {@link Normalizer#folder(String, String)} and
 *       {@link Normalizer#temporaryFolders}
 * </ul>
 */
public sealed interface ComparisonRule
    permits Ignore, Normalizer, UnorderedArray, Tolerance, FuzzyText, SemanticTexts {

  /** The description of the rule in reports, such as {@code ignore timestamps}. */
  String description();
}
