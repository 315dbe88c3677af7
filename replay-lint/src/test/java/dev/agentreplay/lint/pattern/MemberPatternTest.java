package dev.agentreplay.lint.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of packages, classes and methods. */
class MemberPatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java.util.Random.<init>(long)            | java/util/Random     | <init>   | (J)V | true
          java.util.Random.<init>(long)            | java/util/Random     | <init>   | ()V  | false
          java.util.Random.<init>                  | java/util/Random     | <init>   | (J)V | true
          java.util.Random                         | java/util/Random     | nextInt  | ()I  | true
          java.util.Random.*                       | java/util/Random     | nextInt  | ()I  | true
          java.util.Random.*                       | java/util/Random$X   | nextInt  | ()I  | false
          java.util.*                              | java/util/Random     | nextInt  | ()I  | true
          java.util.*                              | java/util/zip/CRC32  | update   | (I)V | false
          java.util.**                             | java/util/zip/CRC32  | update   | (I)V | true
          java.util.**                             | java/utility/Random  | nextInt  | ()I  | false
          **                                       | Agent                | run      | ()V  | true
          java.util.Map.Entry.getKey               | java/util/Map$Entry  | getKey   | ()V  | true
          java.util.Map$Entry                      | java/util/Map$Entry  | getKey   | ()V  | true
          Agent.run                                | Agent                | run      | ()V  | true
          Agent                                    | Agent                | run      | ()V  | true
          a.B.c(java.lang.String[], int..., a.B.C) | a/B                  | c        | ([Ljava/lang/String;[ILa/B$C;)V | true
          a.B.c( )                                 | a/B                  | c        | ()V  | true
          a.b.c()                                  | a/b                  | c        | ()V  | true
          a.B.URL()                                | a/B                  | URL      | ()V  | true
          """)
  void matches(String pattern, String owner, String name, String descriptor, boolean expected) {
    assertThat(MemberPattern.parse(pattern).matches(owner, name, descriptor)).isEqualTo(expected);
    assertThat(MemberPattern.parse(pattern)).hasToString(pattern);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a/B        | a.B
          a/B$C      | a.B.C
          a/B$1      | a.B$1
          a/B$1Local | a.B$1Local
          a/b        | a.b
          """)
  void class_and_method_by_the_names_in_class_files(String owner, String text) {
    MemberPattern type = MemberPattern.ofClass(owner);
    assertThat(type).hasToString(text);
    assertThat(type.isOfType()).isTrue();
    assertThat(type.matches(owner, "c", "()V")).isTrue();
    assertThat(type.matches(owner + "x", "c", "()V")).isFalse();

    MemberPattern method = MemberPattern.ofMethod(owner, "<init>", "(JLjava/util/Map$Entry;)V");
    assertThat(method).hasToString(text + ".<init>(long, java.util.Map.Entry)");
    assertThat(method.isOfType()).isFalse();
    assertThat(method.matches(owner, "<init>", "(JLjava/util/Map$Entry;)V")).isTrue();
    assertThat(method.matches(owner, "<init>", "(J)V")).isFalse();
    assertThat(method.matches(owner, "c", "(JLjava/util/Map$Entry;)V")).isFalse();
  }

  @Test
  void pattern_of_names_equals_the_parsed_one() {
    assertThat(MemberPattern.ofClass("a/B$C")).isEqualTo(MemberPattern.parse("a.B.C"));
    assertThat(MemberPattern.ofMethod("a/B", "c", "(I)V"))
        .isEqualTo(MemberPattern.parse("a.B.c(int)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java.util         | expected a class, whose name begins with an upper-case letter, or a package with .* or .**, found java.util
          a.B.c(int         | expected ) at the end, found a.B.c(int
          c(int)            | expected CLASS.method before (, found c(int)
          a.B.new           | a constructor is a.B.<init>, found new
          a.B.<int>         | expected the name of a method, found <int>
          a.B.c(String)     | expected a primitive type, or a class with its package, found "String"
          a.B.c(int,)       | expected a primitive type, or a class with its package, found ""
          a..B              | a name is empty in a..B
          a.-.*             | expected a package before *, found a.-.*
          a.1B              | expected a class, whose name begins with an upper-case letter, or a package with .* or .**, found a.1B
          a.B.c.d           | expected the name of a method, found c.d
          """)
  void invalid(String pattern, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemberPattern.parse(pattern))
        .withMessage(message);
  }
}
