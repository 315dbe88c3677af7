package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.sandbox.internal.ProcessTable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessMemoryTest {

  private static final long MEGABYTE = 1 << 20;

  // Shares 64 MB with a child, which has written to all of it, too.
  private static final String SHARING =
      """
      import mmap, os, sys
      size = 64 << 20
      memory = mmap.mmap(-1, size)
      def fill():
          for page in range(0, size, 4096):
              memory[page] = 1
      fill()
      reader, writer = os.pipe()
      if os.fork() == 0:
          fill()
          os.write(writer, b"x")
          sys.stdin.read()
      else:
          os.read(reader, 1)
          print("ready", flush=True)
          sys.stdin.read()
      """;

  @Test
  @Tag("slow")
  void shared_memory_counts_once_where_it_decides() throws Exception {
    Assumptions.assumeTrue(HostPrograms.find("python3") != null, "the program needs Python");
    Process process = new ProcessBuilder("python3", "-c", SHARING).start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
      List<ProcessTable.Entry> both = ProcessTable.tree(process.pid());

      assertThat(both).hasSize(2);
      assertThat(ProcessMemory.of(both, 100 * MEGABYTE)).isBetween(64 * MEGABYTE, 100 * MEGABYTE);
      assertThat(ProcessMemory.of(both, 50 * MEGABYTE)).isGreaterThan(64 * MEGABYTE);
    } finally {
      process.getOutputStream().close();
      process.waitFor();
    }
  }

  @Test
  void processes_that_have_ended_have_none() throws IOException {
    assertThat(ProcessMemory.of(Collections.emptyList(), 1)).isZero();
    assertThat(ProcessMemory.of(List.of(new ProcessTable.Entry(1L << 40, 1, 1, 'S', 1, 1)), 1))
        .isZero();
  }
}
