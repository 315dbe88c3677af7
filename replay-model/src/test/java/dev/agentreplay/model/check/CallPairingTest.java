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
    pairing.call("a", "first");
    pairing.call("b", "second");

    assertThat(pairing.result("b")).isEqualTo("second");
    assertThat(pairing.result("a")).isEqualTo("first");
    assertThat(pairing.open()).isEmpty();
  }

  @Test
  void result_without_call_belongs_to_none() {
    CallPairing<String> pairing = new CallPairing<>();

    assertThat(pairing.result("a")).isNull();
    pairing.call("a", "first");
    assertThat(pairing.result("b")).isNull();
    assertThat(pairing.result("a")).isEqualTo("first");
    assertThat(pairing.result("a")).isNull();
  }

  @Test
  void reused_id_pairs_in_order() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", "first");
    pairing.call("a", "second");
    assertThat(pairing.result("a")).isEqualTo("first");
    pairing.call("a", "third");

    assertThat(pairing.open()).containsExactly("second", "third");
    assertThat(pairing.result("a")).isEqualTo("second");
    assertThat(pairing.result("a")).isEqualTo("third");
    assertThat(pairing.result("a")).isNull();
  }

  @Test
  void open_calls_are_in_the_order_they_were_made() {
    CallPairing<String> pairing = new CallPairing<>();
    pairing.call("a", "a1");
    pairing.call("b", "b1");
    pairing.call("a", "a2");
    pairing.call("c", "c1");
    pairing.result("b");
    pairing.result("a");

    assertThat(pairing.open()).containsExactly("a2", "c1");
  }

  @Test
  void oldest_open_call_is_given_up_to_make_room() {
    CallPairing<String> pairing = new CallPairing<>(2);
    assertThat(pairing.call("a", "a1")).isNull();
    assertThat(pairing.call("b", "b1")).isNull();
    assertThat(pairing.call("a", "a2")).isEqualTo("a1");

    assertThat(pairing.open()).containsExactly("b1", "a2");
    assertThat(pairing.result("a")).isEqualTo("a2");
    assertThat(pairing.result("a")).isNull();
    assertThat(pairing.call("c", "c1")).isNull();
    assertThat(pairing.call("d", "d1")).isEqualTo("b1");
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
      assertThat(pairing.call("id" + i % 7, i)).isNull();
    }
    assertThat(CallPairing.DEFAULT_MAX_OPEN).isEqualTo(100_000);
    assertThat(pairing.call("more", -1)).isZero();
    assertThat(pairing.result("id0")).isEqualTo(7);
  }

  @Test
  void long_ids_are_distinguished_to_their_end() {
    CallPairing<String> pairing = new CallPairing<>();
    String prefix = "x".repeat(100_000);
    pairing.call(prefix + "1", "first");
    pairing.call(prefix + "2", "second");

    assertThat(pairing.result(prefix + "2")).isEqualTo("second");
    assertThat(pairing.result(prefix)).isNull();
    assertThat(pairing.open()).containsExactly("first");
  }
}
