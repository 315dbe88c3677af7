package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.records.InvalidRecordException.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a component is written as JSON, and what it must be.
 *
 * @param reader the component that a value stands for
 * @param writer the value of a component
 */
record MemberType<T>(Reader<T> reader, Function<T, JsonValue> writer) {

  /** Makes a component of a value; or reports what is wrong with it, and returns null. */
  interface Reader<T> {
    @Nullable
    T read(JsonValue value, Place place);
  }

  /** Integers are written as such up to this one, as JavaScript writes them. */
  private static final double MAX_SAFE_INTEGER = 0x1p53 - 1;

  static final MemberType<String> TEXT =
      scalar("a string", value -> value instanceof JsonString t ? t.value() : null, JsonString::of);

  static final MemberType<String> NAME = TEXT.where(text -> !text.isEmpty(), "not be empty");

  static final MemberType<Boolean> BOOLEAN = scalar(
      "a boolean", value -> value instanceof JsonBoolean b ? b.value() : null, JsonBoolean::of);

  private static final MemberType<Long> INTEGER =
      scalar("a 64-bit integer", MemberType::integer, JsonNumber::of);

  static final MemberType<Long> COUNT = INTEGER.where(n -> n >= 0, "not be negative");

  static final MemberType<Long> POSITIVE = INTEGER.where(n -> n > 0, "be positive");

  static final MemberType<Double> NUMBER = scalar(
      "a number", value -> value instanceof JsonNumber n ? n.asDouble() : null, MemberType::number);

  static final MemberType<RecordTime> TIME =
      TEXT.mapped(RecordTime::tryParse, RecordTime::text, "be an ISO 8601 time with offset");

  private static final MemberType<RecordHash> ANY_HASH =
      TEXT.mapped(RecordHash::new, RecordHash::text, "be text");

  /** Any text; what is no SHA-256 is warned of. */
  static final MemberType<RecordHash> HASH = ANY_HASH.expected(
      hash -> hash.digest() != null, "be 64 lower-case hexadecimal digits to be compared");

  /** A hash, or the empty text where there is none yet. */
  static final MemberType<RecordHash> HASH_OR_EMPTY = ANY_HASH.expected(
      hash -> hash.isEmpty() || hash.digest() != null,
      "be 64 lower-case hexadecimal digits to be compared, or empty");

  static final MemberType<List<String>> TEXTS = listOf(TEXT);

  /** A number between two others, both included. */
  static MemberType<Double> between(int min, int max) {
    return NUMBER.where(n -> n >= min && n <= max, "be between " + min + " and " + max);
  }

  /** Text that has this form as a whole. */
  static MemberType<String> matching(Pattern form) {
    return TEXT.where(text -> form.matcher(text).matches(), "match " + form);
  }

  /** Text of so many UTF-16 code units, which is how the specification's own language counts. */
  static MemberType<String> textOfAtLeast(int length) {
    return TEXT.where(text -> text.length() >= length, "have at least " + length + " characters");
  }

  /** One of these constants. */
  static <E extends RecordConstant> MemberType<E> oneOf(E[] constants) {
    String spellings =
        Arrays.stream(constants).map(RecordConstant::id).collect(Collectors.joining(", "));
    return TEXT.mapped(
        text -> Arrays.stream(constants)
            .filter(constant -> constant.id().equals(text))
            .findFirst()
            .orElse(null),
        RecordConstant::id,
        "be one of " + spellings);
  }

  /** One of these texts, which have no constants. */
  static MemberType<String> oneOf(String... texts) {
    return TEXT.where(Set.of(texts)::contains, "be one of " + String.join(", ", texts));
  }

  /** An object of this table. */
  static <T extends RecordObject> MemberType<T> object(RecordTable<T> table) {
    return new MemberType<>(table::read, table::write);
  }

  /** An array, every element of which is of a type. */
  static <T> MemberType<List<T>> listOf(MemberType<T> element) {
    return new MemberType<>(
        (value, place) -> {
          if (!(value instanceof JsonArray array)) {
            place.report(wrongType("an array", value));
            return null;
          }
          List<T> elements = new ArrayList<>(array.size());
          for (int i = 0; i < array.size(); i++) {
            T one = element.reader.read(array.get(i), place.element(i));
            if (one != null) {
              elements.add(one);
            }
          }
          return elements;
        },
        elements -> JsonArray.copyOf(elements.stream().map(element.writer).toList()));
  }

  /** Says what was found in place of what was expected. */
  static String wrongType(String expected, JsonValue found) {
    String shown = found.isNull() ? "null" : found.typeName() + " " + Excerpt.of(found.toString());
    return "must be " + expected + ", found " + shown;
  }

  private static <T> MemberType<T> scalar(
      String expected, Function<JsonValue, @Nullable T> read, Function<T, JsonValue> write) {
    return new MemberType<>(
        (value, place) -> {
          T component = read.apply(value);
          if (component == null) {
            place.report(wrongType(expected, value));
          }
          return component;
        },
        write);
  }

  /** This type, held to a constraint. */
  private MemberType<T> where(Predicate<T> constraint, String must) {
    return mapped(read -> constraint.test(read) ? read : null, written -> written, must);
  }

  /** This type, with a warning of what is read although it is not as it should be. */
  private MemberType<T> expected(Predicate<T> expectation, String should) {
    return new MemberType<>(
        (value, place) -> {
          T read = reader.read(value, place);
          if (read != null && !expectation.test(read)) {
            place.warn("should " + should + ": " + Excerpt.of(value.toString()));
          }
          return read;
        },
        writer);
  }

  /** What this type stands for; null is what breaks the constraint. */
  private <U> MemberType<U> mapped(Function<T, @Nullable U> from, Function<U, T> to, String must) {
    return new MemberType<>(
        (value, place) -> {
          T read = reader.read(value, place);
          if (read == null) {
            return null;
          }
          U component = from.apply(read);
          if (component == null) {
            place.report("must " + must + ": " + Excerpt.of(value.toString()));
          }
          return component;
        },
        component -> writer.apply(to.apply(component)));
  }

  private static @Nullable Long integer(JsonValue value) {
    try {
      return value instanceof JsonNumber number ? number.asLong() : null;
    } catch (ArithmeticException notAnInteger) {
      return null;
    }
  }

  private static JsonNumber number(double value) {
    boolean integer = value == Math.rint(value)
        && Math.abs(value) <= MAX_SAFE_INTEGER
        && Double.compare(value, -0.0) != 0;
    return integer ? JsonNumber.of((long) value) : JsonNumber.of(value);
  }

  /** Where in a value its reader is, and what was found wrong with the value so far. */
  static final class Place {

    private final @Nullable Place outer;
    private final @Nullable String name;
    private final int index;
    private final List<Problem> problems;
    private final List<Problem> warnings;

    private Place(
        @Nullable Place outer,
        @Nullable String name,
        int index,
        List<Problem> problems,
        List<Problem> warnings) {
      this.outer = outer;
      this.name = name;
      this.index = index;
      this.problems = problems;
      this.warnings = warnings;
    }

    /** The value as a whole, with which nothing is wrong yet. */
    static Place root() {
      return new Place(null, null, -1, new ArrayList<>(0), new ArrayList<>(0));
    }

    Place member(String member) {
      return new Place(this, member, -1, problems, warnings);
    }

    Place element(int position) {
      return new Place(this, null, position, problems, warnings);
    }

    void report(String message) {
      problems.add(here(message));
    }

    /** Of what is read all the same. */
    void warn(String message) {
      warnings.add(here(message));
    }

    private Problem here(String message) {
      StringBuilder path = new StringBuilder();
      append(path);
      return new Problem(path.toString(), message);
    }

    /** What was found anywhere in the value. */
    List<Problem> problems() {
      return problems;
    }

    /** What is read, but not as it should be, anywhere in the value. */
    List<Problem> warnings() {
      return warnings;
    }

    private void append(StringBuilder path) {
      if (outer == null) {
        return;
      }
      outer.append(path);
      if (name == null) {
        path.append('[').append(index).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(name);
      }
    }
  }
}
