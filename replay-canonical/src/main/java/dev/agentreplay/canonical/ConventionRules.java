package dev.agentreplay.canonical;

import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.number.NumberLayout;
import dev.agentreplay.model.number.ShortestDecimal;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The rules by which a producer writes JSON.
 *
 * @param values the transformation of a value before it is written
 * @param numbers the text of a number
 * @param order the order of member names
 * @param traits further deviations from canonical JSON
 */
record ConventionRules(
    UnaryOperator<JsonValue> values,
    Function<JsonNumber, String> numbers,
    Comparator<String> order,
    Set<Trait> traits) {

  /** A deviation from canonical JSON in the text. */
  enum Trait {
    /** Names are written without escapes. */
    UNESCAPED_NAMES,
    /** Characters other than printable ASCII are escaped. */
    ASCII,
    /** A space follows each comma and colon. */
    SPACES
  }

  /** The placeholder for an integer that has no form in a canonicalization. */
  static final String NONE = "";

  /** The number of digits of the greatest array index in JavaScript, 2^32 - 2. */
  private static final int MAX_INDEX_LENGTH = 10;

  private static final long MAX_INDEX = (1L << 32) - 2;

  /**
   * The rules of a canonicalization; {@link #NONE} is the text of an integer that it would round.
   */
  static ConventionRules exact(Canonicalization canonicalization) {
    return canonical(
        UnaryOperator.identity(), number -> exactText(number, canonicalization), canonicalization);
  }

  /**
   * The rules of a convention; integers that a canonicalization would round are rounded.
   *
   * @param canonicalization the canonicalization that the convention modifies, if it modifies one
   */
  static ConventionRules of(ProducerConvention convention, Canonicalization canonicalization) {
    CanonicalJson rounding = CanonicalJson.of(canonicalization).withRoundedIntegers();
    return switch (convention) {
      case CANONICALIZATION, ROUNDED_INTEGERS ->
        canonical(UnaryOperator.identity(), rounding::text, canonicalization);
      case UNESCAPED_NAMES ->
        new ConventionRules(
            UnaryOperator.identity(),
            rounding::text,
            KeyOrder.of(canonicalization)::compare,
            Set.of(Trait.UNESCAPED_NAMES));
      case FLOATS_NOT_WIDENED ->
        canonical(FloatWidening::shorten, rounding::text, canonicalization);
      case FLOATS_WIDENED -> canonical(FloatWidening::widen, rounding::text, canonicalization);
      case SERDE_DEFAULT_PARSER ->
        canonical(
            value -> NumberMapping.map(value, SerdeFloatParser::read),
            rounding::text,
            canonicalization);
      case JAVASCRIPT_OBJECT ->
        new ConventionRules(
            UnaryOperator.identity(),
            CanonicalJson.JCS.withRoundedIntegers()::text,
            Comparator.comparingLong(ConventionRules::arrayIndex)
                .thenComparing(KeyOrder.UTF_16::compare),
            Set.of());
      case PYTHON -> python(Trait.ASCII, Trait.SPACES);
      case PYTHON_UNICODE -> python(Trait.SPACES);
      case PYTHON_COMPACT -> python(Trait.ASCII);
      case PYTHON_COMPACT_UNICODE -> python();
    };
  }

  private static ConventionRules canonical(
      UnaryOperator<JsonValue> values,
      Function<JsonNumber, String> numbers,
      Canonicalization canonicalization) {
    return new ConventionRules(values, numbers, KeyOrder.of(canonicalization)::compare, Set.of());
  }

  private static ConventionRules python(Trait... traits) {
    return new ConventionRules(
        UnaryOperator.identity(),
        ConventionRules::pythonText,
        KeyOrder.CODE_POINT::compare,
        Set.of(traits));
  }

  private static String exactText(JsonNumber number, Canonicalization canonicalization) {
    try {
      return CanonicalJson.of(canonicalization).text(number);
    } catch (IllegalArgumentException wouldBeRounded) {
      return NONE;
    }
  }

  /** The text in Python, where integers have any size and there is no negative integer zero. */
  private static String pythonText(JsonNumber number) {
    if (number.isIntegerLiteral()) {
      return number.text().equals("-0") ? "0" : number.text();
    }
    double value = number.asDouble();
    return NumberLayout.PYTHON.text(
        Double.doubleToRawLongBits(value) < 0, ShortestDecimal.of(value));
  }

  /** The array index that a name denotes; {@code Long.MAX_VALUE} if it does not denote one. */
  private static long arrayIndex(String name) {
    if (name.length() > MAX_INDEX_LENGTH
        || !name.chars().allMatch(c -> c >= '0' && c <= '9')
        || (name.startsWith("0") && name.length() > 1)
        || name.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long index = Long.parseLong(name);
    return index <= MAX_INDEX ? index : Long.MAX_VALUE;
  }
}
