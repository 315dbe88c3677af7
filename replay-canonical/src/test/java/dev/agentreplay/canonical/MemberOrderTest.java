package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of every size and order against a sorted map. */
class MemberOrderTest {

  private static final Comparator<String> BY_BYTES = (left, right) -> Arrays.compareUnsigned(
      left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));

  private static final List<IntFunction<String>> NAMES = List.of(
      i -> "n" + i,
      i -> "a".repeat(i % 300) + (i < 300 ? "" : i),
      i -> "a long name that all of them begin with " + i,
      i -> "\n" + i,
      i -> i % 3 == 0 ? "\"" + i : i % 3 == 1 ? "!" + i : "#" + i,
      i -> Character.toString(i % 2 == 0 ? 0xe000 + i : 0x10000 + i),
      i -> (i % 2 == 0 ? "\ue000" : "\ud800\udc00") + "\\" + i,
      i -> i == 0 ? "" : Character.toString(i < 0xd800 ? i : i + 0x800));

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(ints = {1, 2, 3, 5, 16, 23, 24, 25, 26, 31, 32, 33, 64, 65, 300, 1_000})
  void members_are_sorted_whatever_their_order_was(int count) {
    Random random = new Random(count);
    for (IntFunction<String> name : NAMES) {
      List<String> names =
          new ArrayList<>(IntStream.range(0, count).mapToObj(name).toList());
      for (int round = 0; round < 5; round++) {
        for (CanonicalJson json : Outcome.PROFILES) {
          String expected = sorted(json, names);

          assertThat(Outcome.of(json, object(names)).text()).isEqualTo(expected);
          assertThat(Outcome.of(json, "[1,{\"x\":" + object(names) + ",\"a\":2},3]")
                  .text())
              .isEqualTo("[1,{\"a\":2,\"x\":" + expected + "},3]");
        }
        if (round == 0) {
          Collections.reverse(names);
        } else if (round == 1) {
          names.sort(BY_BYTES);
        } else {
          Collections.shuffle(names, random);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 23, 24, 25, 26, 100})
  void first_duplicate_name_is_reported_in_any_order(int count) {
    Random random = new Random(count);
    for (int round = 0; round < 50; round++) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        names.add("n" + random.nextInt(count));
      }
      StringBuilder text = new StringBuilder("{");
      int expected = -1;
      for (int i = 0; i < count; i++) {
        if (expected < 0 && names.indexOf(names.get(i)) < i) {
          expected = text.length() + (i == 0 ? 0 : 1);
        }
        text.append(i == 0 ? "\"" : ",\"");
        text.append(random.nextInt(4) == 0 ? "\\u006e" : "n");
        text.append(names.get(i).substring(1)).append("\":").append(i);
      }
      for (CanonicalJson json : Outcome.PROFILES) {
        Outcome outcome = Outcome.of(json, text + "}");
        assertThat(outcome.isRefused()).isEqualTo(expected >= 0);
        if (expected >= 0) {
          assertThat(outcome.summary()).isEqualTo("DUPLICATE_KEY at " + expected);
        }
      }
    }
  }

  @Test
  void nested_objects_are_sorted_inside_out_and_side_by_side() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder();
      nest(text, random, 6);
      for (CanonicalJson json : Outcome.PROFILES) {
        Outcome.of(json, text.toString()).text();
      }
    }
  }

  @Test
  void every_level_of_deep_nesting_is_sorted() {
    for (int depth : new int[] {1, 2, 7, 8, 9, 15, 16, 17, 33, 500, 999}) {
      String text = "{\"b\":1,\"a\":".repeat(depth) + "{}" + "}".repeat(depth);
      String expected = "{\"a\":".repeat(depth) + "{}" + ",\"b\":1}".repeat(depth);
      String before = "{\"b\":".repeat(depth) + "{}" + ",\"a\":[2]}".repeat(depth);
      String after = "{\"a\":[2],\"b\":".repeat(depth) + "{}" + "}".repeat(depth);
      for (CanonicalJson json : Outcome.PROFILES) {
        assertThat(Outcome.of(json, text).text()).isEqualTo(expected);
        assertThat(Outcome.of(json, before).text()).isEqualTo(after);
      }
    }
  }

  private static void nest(StringBuilder text, Random random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      text.append(random.nextInt(100));
      return;
    }
    boolean array = random.nextInt(4) == 0;
    text.append(array ? '[' : '{');
    List<Integer> names = new ArrayList<>(List.of(1, 2, 3, 4));
    Collections.shuffle(names, random);
    for (int i = random.nextInt(4); i >= 0; i--) {
      if (!array) {
        text.append('"').append(names.get(i)).append("\":");
      }
      nest(text, random, depth - 1);
      text.append(i == 0 ? "" : ",");
    }
    text.append(array ? ']' : '}');
  }

  private static String object(List<String> names) {
    StringBuilder text = new StringBuilder("{");
    for (String name : names) {
      text.append(text.length() == 1 ? "" : ", ").append(JsonString.of(name)).append(": ");
      text.append(JsonString.of(name + "!"));
    }
    return text.append('}').toString();
  }

  private static String sorted(CanonicalJson json, List<String> names) {
    boolean jcs = json.canonicalization() == Canonicalization.JCS;
    TreeMap<String, String> members =
        new TreeMap<>(jcs ? Comparator.<String>naturalOrder() : BY_BYTES);
    names.forEach(name -> members.put(name, name + "!"));
    StringBuilder text = new StringBuilder("{");
    members.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
        .append(JsonString.of(name))
        .append(':')
        .append(JsonString.of(value)));
    return text.append('}').toString();
  }
}
