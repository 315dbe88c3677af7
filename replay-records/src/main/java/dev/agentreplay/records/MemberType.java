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
 * The type of a member: its conversion between JSON and a component, and its constraints.
 *
 * @param reader converts a JSON value to a component, and checks it
 * @param writer converts a component to its JSON value
 */
record MemberType<T>(Reader<T> reader, Function<T, JsonValue> writer) {

  /** Converts a value to a component, or reports its problems and returns null. */
  interface Reader<T> {
    @Nullable
    T read(JsonValue value, Place place);
  }

  /**
   * The greatest double that is written without a fraction when it is an integer, as JavaScript
   * writes it.
   */
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

  /** Any text, with a warning for one that is not a SHA-256. */
  static final MemberType<RecordHash> HASH = ANY_HASH.expected(
      hash -> hash.digest() != null, "be 64 lower-case hexadecimal digits to be compared");

  /** A hash, or the empty text when there is no hash yet. */
  static final MemberType<RecordHash> HASH_OR_EMPTY = ANY_HASH.expected(
      hash -> hash.isEmpty() || hash.digest() != null,
      "be 64 lower-case hexadecimal digits to be compared, or empty");

  static final MemberType<List<String>> TEXTS = listOf(TEXT);

  /** Returns the type of a number between two bounds, inclusive. */
  static MemberType<Double> between(int min, int max) {
    return NUMBER.where(n -> n >= min && n <= max, "be between " + min + " and " + max);
  }

  /** Returns the type of a text that matches a pattern as a whole. */
  static MemberType<String> matching(Pattern form) {
    return TEXT.where(text -> form.matcher(text).matches(), "match " + form);
  }

  /**
   * Returns the type of a text with at least {@code length} UTF-16 code units, the unit in which
   * the specification's TypeScript schema counts.
   */
  static MemberType<String> textOfAtLeast(int length) {
    return TEXT.where(text -> text.length() >= length, "have at least " + length + " characters");
  }

  /** Returns the type of one of the given constants. */
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

  /** Returns the type of one of the given texts, for members without an enum. */
  static MemberType<String> oneOf(String... texts) {
    return TEXT.where(Set.of(texts)::contains, "be one of " + String.join(", ", texts));
  }

  /** Returns the type of an object with the members of a table. */
  static <T extends RecordObject> MemberType<T> object(RecordTable<T> table) {
    return new MemberType<>(table::read, table::write);
  }

  /** Returns the type of an array whose elements all have a type. */
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

  /** Returns the message about a value of a different type than expected. */
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

  /** Returns this type with a constraint. */
  private MemberType<T> where(Predicate<T> constraint, String must) {
    return mapped(read -> constraint.test(read) ? read : null, written -> written, must);
  }

  /** Returns this type with a warning for values that are read but do not meet an expectation. */
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

  /**
   * Returns this type with a conversion. {@code from} returns null for a value that breaks the
   * constraint.
   */
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

  /** The current place of a reader in a value, with the problems and warnings found so far. */
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

    /** Creates the place of the value as a whole, without problems or warnings. */
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

    /** Adds a warning about a value that is read nevertheless. */
    void warn(String message) {
      warnings.add(here(message));
    }

    private Problem here(String message) {
      StringBuilder path = new StringBuilder();
      append(path);
      return new Problem(path.toString(), message);
    }

    /** Returns the problems found anywhere in the value. */
    List<Problem> problems() {
      return problems;
    }

    /** Returns the warnings about values that are read, anywhere in the value. */
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
