package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EncoderPoolTest {

  private final EncoderPool pool = new EncoderPool(Dialect.EVENT, Canonicalization.SERDE);

  @Test
  void encoder_is_used_again_but_never_by_two_at_once() {
    LineEncoder first = pool.borrow();
    LineEncoder second = pool.borrow();
    assertThat(second).isNotSameAs(first);
    pool.giveBack(first);
    assertThat(pool.borrow()).isSameAs(first);
  }

  @Test
  void no_more_than_a_few_are_kept() {
    Set<LineEncoder> many = borrow(100);
    assertThat(many).hasSize(100);
    many.forEach(pool::giveBack);
    Set<LineEncoder> again = borrow(100);
    again.retainAll(many);
    assertThat(again).hasSizeBetween(1, 8);
  }

  private Set<LineEncoder> borrow(int count) {
    Set<LineEncoder> borrowed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < count; i++) {
      borrowed.add(pool.borrow());
    }
    return borrowed;
  }
}
