package dev.agentreplay.model.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

/** Holds the pairing against one that scans a list. */
class CallPairingPropertiesTest {

  private record Step(boolean call, String id, @Nullable String agent) {}

  private record Call(String id, @Nullable String agent, int number) {}

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void pairs_as_a_scan_does(
      @ForAll("sessions") List<Step> session, @ForAll @IntRange(min = 1, max = 6) int maxOpen) {
    compare(session, maxOpen);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void pairs_as_a_scan_does_when_there_is_room(@ForAll("sessions") List<Step> session) {
    compare(session, 1_000);
  }

  @Provide
  Arbitrary<List<Step>> sessions() {
    Arbitrary<Step> steps = Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.of("a", "b", "c", "d"),
            Arbitraries.of("x", "y", "z").injectNull(0.4))
        .as(Step::new);
    return steps.list().ofMinSize(1).ofMaxSize(300);
  }

  private static void compare(List<Step> session, int maxOpen) {
    CallPairing<Call> pairing = new CallPairing<>(maxOpen);
    List<Call> open = new ArrayList<>();
    int number = 0;
    for (Step step : session) {
      if (step.call()) {
        Call call = new Call(step.id(), step.agent(), number++);
        Call givenUp = open.size() == maxOpen ? open.remove(0) : null;
        open.add(call);
        assertThat(pairing.call(step.id(), step.agent(), call)).isEqualTo(givenUp);
      } else {
        Call answered = first(open, step, call -> Objects.equals(call.agent(), step.agent()));
        if (answered == null) {
          answered = first(open, step, call -> step.agent() == null || call.agent() == null);
        }
        if (answered == null
            && open.stream().filter(call -> call.id().equals(step.id())).count() == 1) {
          answered = first(open, step, call -> true);
        }
        open.remove(answered);
        assertThat(pairing.result(step.id(), step.agent())).isEqualTo(answered);
      }
      assertThat(pairing.open()).isEqualTo(open);
    }
  }

  private static @Nullable Call first(List<Call> open, Step step, Predicate<Call> lane) {
    return open.stream()
        .filter(call -> call.id().equals(step.id()) && lane.test(call))
        .findFirst()
        .orElse(null);
  }
}
