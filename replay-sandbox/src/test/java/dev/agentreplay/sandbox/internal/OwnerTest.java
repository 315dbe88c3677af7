package dev.agentreplay.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OwnerTest {

  @Test
  void only_names_of_processes_that_have_ended_are_abandoned() {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")));
    String own = Owner.namePrefix() + "x";
    String[] parts = own.split("-");
    String namespace = parts[2];
    String pid = parts[3];

    assertThat(Owner.isAbandoned(own)).isFalse();
    assertThat(Owner.isAbandoned("replay-sandbox-" + namespace + "-" + pid + "-1-x"))
        .isTrue();
    assertThat(Owner.isAbandoned("replay-sandbox-" + namespace + "-99999999-5-x"))
        .isTrue();
    assertThat(Owner.isAbandoned("replay-sandbox-1-99999999-5-x")).isFalse();
    assertThat(Owner.isAbandoned("replay-sandbox-" + namespace + "-99999999-x")).isFalse();
    assertThat(Owner.isAbandoned("something else")).isFalse();
  }

  @Test
  void a_name_of_a_process_does_not_confuse_its_line() {
    String line = "42 (a b) S 9 ) c) R 7 42 41 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 3 0 555 9 8 7 6";

    assertThat(ProcessTable.Entry.parse(line))
        .isEqualTo(new ProcessTable.Entry(42, 7, 41, 'R', 3, 555));
  }
}
