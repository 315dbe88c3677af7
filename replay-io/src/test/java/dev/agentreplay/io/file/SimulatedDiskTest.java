package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The simulated disk loses what a disk may lose, and nothing else. */
class SimulatedDiskTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path FILE = DIRECTORY.resolve("f");
  private static final int TRIES = 300;

  private final SimulatedDisk disk = new SimulatedDisk(DIRECTORY);

  @Test
  void forced_file_in_a_forced_directory_survives_whatever_happens() throws IOException {
    AppendFile file = disk.create(FILE);
    write(file, "a".repeat(700));
    file.force();
    disk.forceParent(FILE);

    assertThat(contentsAfterPowerLoss()).containsExactly("a".repeat(700));
  }

  @Test
  void name_that_was_not_forced_may_be_missing() throws IOException {
    AppendFile file = disk.create(FILE);
    write(file, "a");
    file.force();

    assertThat(contentsAfterPowerLoss()).containsExactlyInAnyOrder("a", "no file");
  }

  @Test
  void write_that_was_not_forced_is_lost_or_landed_or_torn_or_nul() throws IOException {
    AppendFile file = disk.create(FILE);
    write(file, "a".repeat(500));
    file.force();
    disk.forceParent(FILE);
    write(file, "b".repeat(24));

    String before = "a".repeat(500);
    assertThat(contentsAfterPowerLoss())
        .containsExactlyInAnyOrder(
            before,
            before + "b".repeat(24),
            before + "b".repeat(12),
            before + "b".repeat(12) + "\0".repeat(12),
            before + "\0".repeat(12) + "b".repeat(12),
            before + "\0".repeat(24));
  }

  @Test
  void later_write_may_land_without_the_earlier_one() throws IOException {
    AppendFile file = disk.create(FILE);
    disk.forceParent(FILE);
    write(file, "a");
    write(file, "b");

    assertThat(contentsAfterPowerLoss())
        .containsExactlyInAnyOrder("", "a", "\0", "ab", "a\0", "\0b", "\0\0");
  }

  @Test
  void cut_that_was_not_forced_may_come_undone() throws IOException {
    AppendFile file = disk.create(FILE);
    disk.forceParent(FILE);
    write(file, "abc");
    file.force();
    file.truncate(1);

    assertThat(disk.content(FILE)).hasSize(1);
    assertThat(contentsAfterPowerLoss()).containsExactlyInAnyOrder("a", "abc");
  }

  @Test
  void file_that_is_moved_has_one_name_or_the_other_or_both() throws IOException {
    AppendFile file = disk.create(FILE);
    write(file, "a");
    file.force();
    disk.forceParent(FILE);
    Path name = DIRECTORY.resolve("g");
    disk.move(FILE, name);

    Set<Set<String>> found = new HashSet<>();
    for (int seed = 0; seed < TRIES; seed++) {
      found.add(Set.copyOf(disk.losePower(new SplittableRandom(seed)).names()));
    }
    assertThat(found).containsExactlyInAnyOrder(Set.of("f"), Set.of("g"), Set.of("f", "g"));
    assertThat(disk.names()).containsExactly("g");
  }

  @Test
  void killed_process_leaves_everything_it_wrote_and_the_power_may_still_be_lost()
      throws IOException {
    AppendFile file = disk.create(FILE);
    disk.forceParent(FILE);
    write(file, "a");

    SimulatedDisk found = disk.kill();
    assertThat(found.content(FILE)).isEqualTo(bytes("a"));
    assertThatThrownBy(() -> write(file, "b")).hasMessageContaining("the process is dead");
    found.append(FILE).force();
    assertThat(found.losePower(new SplittableRandom(1)).content(FILE)).isEqualTo(bytes("a"));
  }

  @Test
  void force_that_dropped_pages_is_followed_by_one_that_forces_nothing_of_them()
      throws IOException {
    AppendFile file = disk.create(FILE);
    disk.forceParent(FILE);
    disk.inject((number, call, path) -> number == 2 ? DiskFault.FAIL_DROPPED : DiskFault.NONE);
    write(file, "a");
    assertThatThrownBy(file::force).hasMessageContaining(SimulatedDisk.INJECTED);
    write(file, "b");
    file.force();

    assertThat(disk.content(FILE)).isEqualTo(bytes("ab"));
    assertThat(contentsAfterPowerLoss()).containsExactly("\0b");
  }

  @Test
  void write_that_fails_leaves_nothing_or_half_or_everything() throws IOException {
    for (DiskFault fault : Set.of(
        DiskFault.FAIL_BEFORE, DiskFault.FAIL_HALF, DiskFault.FAIL_AFTER, DiskFault.DIE_HALF)) {
      SimulatedDisk failing = new SimulatedDisk(DIRECTORY);
      AppendFile file = failing.create(FILE);
      failing.inject((number, call, path) -> fault);
      assertThatThrownBy(() -> write(file, "abcd")).hasMessageContaining("injected fault: WRITE");

      int left = fault == DiskFault.FAIL_BEFORE ? 0 : fault == DiskFault.FAIL_AFTER ? 4 : 2;
      assertThat(failing.content(FILE)).hasSize(left);
      assertThat(failing.isDead()).isEqualTo(fault == DiskFault.DIE_HALF);
    }
  }

  @Test
  void full_disk_takes_what_fits_until_there_is_room_again() throws IOException {
    AppendFile file = disk.create(FILE);
    disk.limit(3);
    write(file, "ab");
    assertThatThrownBy(() -> write(file, "cd")).hasMessage("no space left on device");
    assertThat(disk.content(FILE)).isEqualTo(bytes("abc"));
    disk.limit(10);
    write(file, "d");
    assertThat(disk.content(FILE)).isEqualTo(bytes("abcd"));
  }

  private Set<String> contentsAfterPowerLoss() throws IOException {
    Set<String> contents = new HashSet<>();
    for (int seed = 0; seed < TRIES; seed++) {
      SimulatedDisk found = disk.losePower(new SplittableRandom(seed));
      contents.add(
          found.exists(FILE)
              ? new String(found.content(FILE), StandardCharsets.US_ASCII)
              : "no file");
    }
    return contents;
  }

  private static void write(AppendFile file, String text) throws IOException {
    file.write(bytes(text), 0, text.length());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
