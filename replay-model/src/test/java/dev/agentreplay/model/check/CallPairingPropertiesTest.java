package dev.agentreplay.model.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Holds the pairing against one that scans a list. */
class CallPairingPropertiesTest {

  private record Step(boolean call, String id) {}

  private record Call(String id, int number) {}

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
            Arbitraries.of(true, false), Arbitraries.of("a", "b", "c", "d"))
        .as(Step::new);
    return steps.list().ofMinSize(1).ofMaxSize(300);
  }

  private static void compare(List<Step> session, int maxOpen) {
    CallPairing<Call> pairing = new CallPairing<>(maxOpen);
    List<Call> open = new ArrayList<>();
    int number = 0;
    for (Step step : session) {
      if (step.call()) {
        Call call = new Call(step.id(), number++);
        Call givenUp = open.size() == maxOpen ? open.remove(0) : null;
        open.add(call);
        assertThat(pairing.call(step.id(), call)).isEqualTo(givenUp);
      } else {
        Call answered = open.stream()
            .filter(call -> call.id().equals(step.id()))
            .findFirst()
            .orElse(null);
        open.remove(answered);
        assertThat(pairing.result(step.id())).isEqualTo(answered);
      }
      assertThat(pairing.open()).isEqualTo(open);
    }
  }
}
