package dev.agentreplay.model.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallPairingTest {

  @Test
  void result_belongs_to_the_call_with_its_id() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", null, "first");
    pairing.call("b", null, "second");

    assertThat(pairing.result("b", null)).isEqualTo("second");
    assertThat(pairing.result("a", null)).isEqualTo("first");
    assertThat(pairing.open()).isEmpty();
  }

  @Test
  void result_without_call_belongs_to_none() {
    CallPairing<String> pairing = new CallPairing<>();

    assertThat(pairing.result("a", null)).isNull();
    pairing.call("a", null, "first");
    assertThat(pairing.result("b", null)).isNull();
    assertThat(pairing.result("a", null)).isEqualTo("first");
    assertThat(pairing.result("a", null)).isNull();
  }

  @Test
  void reused_id_pairs_in_order() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", null, "first");
    pairing.call("a", null, "second");
    assertThat(pairing.result("a", null)).isEqualTo("first");
    pairing.call("a", null, "third");

    assertThat(pairing.open()).containsExactly("second", "third");
    assertThat(pairing.result("a", null)).isEqualTo("second");
    assertThat(pairing.result("a", null)).isEqualTo("third");
    assertThat(pairing.result("a", null)).isNull();
  }

  @Test
  void open_calls_are_in_the_order_they_were_made() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", null, "a1");
    pairing.call("b", null, "b1");
    pairing.call("a", null, "a2");
    pairing.call("c", null, "c1");
    pairing.result("b", null);
    pairing.result("a", null);

    assertThat(pairing.open()).containsExactly("a2", "c1");
  }

  @Test
  void oldest_open_call_is_given_up_to_make_room() {
    CallPairing<String> pairing = new CallPairing<>(2);
    assertThat(pairing.call("a", null, "a1")).isNull();
    assertThat(pairing.call("b", null, "b1")).isNull();
    assertThat(pairing.call("a", null, "a2")).isEqualTo("a1");

    assertThat(pairing.open()).containsExactly("b1", "a2");
    assertThat(pairing.result("a", null)).isEqualTo("a2");
    assertThat(pairing.result("a", null)).isNull();
    assertThat(pairing.call("c", null, "c1")).isNull();
    assertThat(pairing.call("d", null, "d1")).isEqualTo("b1");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void room_for_less_than_one_call_is_refused(int maxOpen) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CallPairing<String>(maxOpen))
        .withMessage("maximum of open calls must be positive: " + maxOpen);
  }

  @Test
  void default_room_is_a_hundred_thousand_calls() {
    CallPairing<Integer> pairing = new CallPairing<>();
    for (int i = 0; i < CallPairing.DEFAULT_MAX_OPEN; i++) {
      assertThat(pairing.call("id" + i % 7, null, i)).isNull();
    }
    assertThat(CallPairing.DEFAULT_MAX_OPEN).isEqualTo(100_000);
    assertThat(pairing.call("more", null, -1)).isZero();
    assertThat(pairing.result("id0", null)).isEqualTo(7);
  }

  @Test
  void long_ids_are_distinguished_to_their_end() {
    CallPairing<String> pairing = new CallPairing<>();
    String prefix = "x".repeat(100_000);
    pairing.call(prefix + "1", null, "first");
    pairing.call(prefix + "2", null, "second");

    assertThat(pairing.result(prefix + "2", null)).isEqualTo("second");
    assertThat(pairing.result(prefix, null)).isNull();
    assertThat(pairing.open()).containsExactly("first");
  }

  @Test
  void result_belongs_to_a_call_of_its_lane() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", null, "root");
    pairing.call("a", "one", "one");
    pairing.call("a", "two", "two");

    assertThat(pairing.result("a", "two")).isEqualTo("two");
    assertThat(pairing.result("a", null)).isEqualTo("root");
    assertThat(pairing.result("a", "one")).isEqualTo("one");
  }

  @Test
  void result_without_an_agent_belongs_to_the_first_call_of_any_lane() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", "one", "1");
    pairing.call("a", "two", "2");
    pairing.call("a", "one", "3");
    pairing.call("a", null, "4");

    assertThat(pairing.result("a", null)).isEqualTo("4");
    assertThat(pairing.result("a", "two")).isEqualTo("2");
    assertThat(pairing.result("a", null)).isEqualTo("1");
    assertThat(pairing.result("a", null)).isEqualTo("3");
    assertThat(pairing.result("a", null)).isNull();
  }

  @Test
  void result_of_an_agent_belongs_to_a_call_without_one_or_to_the_only_one_of_a_different_agent() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", null, "root");
    pairing.call("a", "one", "one");

    assertThat(pairing.result("a", "two")).isEqualTo("root");
    pairing.call("a", "three", "three");
    assertThat(pairing.result("a", "two")).isNull();
    assertThat(pairing.result("a", "one")).isEqualTo("one");
    assertThat(pairing.result("a", "two")).isEqualTo("three");
    assertThat(pairing.open()).isEmpty();
  }
}
