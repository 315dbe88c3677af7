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
 * How a producer writes JSON.
 *
 * @param values what becomes of a value before it is written
 * @param numbers the text of a number
 * @param order the order of member names
 * @param traits what else is unusual
 */
record ConventionRules(
    UnaryOperator<JsonValue> values,
    Function<JsonNumber, String> numbers,
    Comparator<String> order,
    Set<Trait> traits) {

  /** What a producer does to text. */
  enum Trait {
    /** Names are written as they are. */
    UNESCAPED_NAMES,
    /** What is not printable ASCII is escaped. */
    ASCII,
    /** A space follows commas and colons. */
    SPACES
  }

  /** Stands where a canonicalization has no form for an integer. */
  static final String NONE = "";

  /** The names of array elements in JavaScript go up to 2^32 - 2, which has so many digits. */
  private static final int MAX_INDEX_LENGTH = 10;

  private static final long MAX_INDEX = (1L << 32) - 2;

  /** The rules of a canonicalization; of an integer that it would round it has {@link #NONE}. */
  static ConventionRules exact(Canonicalization canonicalization) {
    return canonical(
        UnaryOperator.identity(), number -> exactText(number, canonicalization), canonicalization);
  }

  /**
   * The rules of a convention; all integers that a canonicalization would round are rounded.
   *
   * @param canonicalization the one that the convention goes with, where it goes with one
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

  /** Integers are of any size in Python, and have no negative zero. */
  private static String pythonText(JsonNumber number) {
    if (number.isIntegerLiteral()) {
      return number.text().equals("-0") ? "0" : number.text();
    }
    double value = number.asDouble();
    return NumberLayout.PYTHON.text(
        Double.doubleToRawLongBits(value) < 0, ShortestDecimal.of(value));
  }

  /** The number that a name is as an index into an array; greater than all when it is none. */
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
