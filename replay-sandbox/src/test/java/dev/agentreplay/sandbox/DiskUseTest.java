package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The growth of two directories of a file system, whose free space the test states. */
@EnabledOnOs(OS.LINUX)
class DiskUseTest {

  private static final int LIMIT = 80_000;
  private static final int BLOCK = 4096;

  @TempDir
  Path directory;

  private Path workspace = Path.of("");
  private Path temporary = Path.of("");
  private long free = 1_000_000;

  @BeforeEach
  void prepare() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace"));
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  private DiskUse use() {
    return new DiskUse(List.of(workspace, temporary), LIMIT, () -> free);
  }

  private void write(Path parent, int blocks) throws IOException {
    Files.write(parent.resolve("file"), new byte[blocks * BLOCK]);
    free -= (long) blocks * BLOCK;
  }

  @Test
  void directories_of_one_file_system_are_measured_as_one() throws Exception {
    assertThat(DiskUse.of(List.of(workspace, temporary), LIMIT)).hasSize(1);
    assertThat(DiskUse.of(List.of(workspace, Path.of("/proc")), LIMIT)).hasSize(2);
  }

  @Test
  void bytes_that_were_written_before_the_first_walk_count_once() throws Exception {
    DiskUse use = use();

    write(temporary, 10);

    assertThat(use.growth()).isEqualTo(10 * BLOCK);
    assertThat(use.isMissingSpace()).isFalse();
    assertThat(use.lastGrowth()).isEqualTo(10 * BLOCK);
  }

  @Test
  void bytes_of_a_program_that_ends_before_the_first_walk_count_once() throws Exception {
    DiskUse use = use();

    write(temporary, 10);

    assertThat(use.lastGrowth()).isEqualTo(10 * BLOCK);
  }

  @Test
  void bytes_of_other_programs_do_not_count() throws Exception {
    DiskUse late = use();
    DiskUse last = use();

    free -= 2 * LIMIT;

    assertThat(late.growth()).isLessThan(LIMIT);
    assertThat(late.lastGrowth()).isLessThan(LIMIT);
    assertThat(last.lastGrowth()).isLessThan(LIMIT);
  }

  @Test
  void only_bytes_that_no_walk_finds_are_missing() throws Exception {
    DiskUse use = use();
    assertThat(use.growth()).isZero();
    write(temporary, 6);
    free -= 5 * BLOCK;
    assertThat(use.lastGrowth()).isEqualTo(6 * BLOCK); // walks, because much space is gone

    assertThat(use.isMissingSpace()).isTrue();
    assertThat(use.missing()).isEqualTo(5 * BLOCK);
  }
}
