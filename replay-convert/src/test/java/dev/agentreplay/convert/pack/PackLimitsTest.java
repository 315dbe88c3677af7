package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packed session can be unpacked: packing refuses files beyond the limits of unpacking. */
class PackLimitsTest {

  @TempDir
  private Path root;

  private Path directory;
  private Path file;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(root.resolve("session"));
    file = root.resolve("session.tar.gz");
    Files.writeString(directory.resolve("REPLAY.jsonl"), "{}\n");
  }

  @Test
  void deepest_path_is_packed_and_unpacked_and_a_deeper_one_refused() throws IOException {
    write("d/".repeat(31) + "f");
    assertThat(unpacked()).isEqualTo(2);
    write("d/".repeat(32) + "f");
    refused("a path of 65 bytes and 33 segments, at most 1000 and 32 are read");
  }

  @Test
  void longest_path_is_packed_and_unpacked_and_a_longer_one_refused() throws IOException {
    String segments = ("s".repeat(199) + "/").repeat(4);
    write(segments + "f".repeat(200));
    assertThat(unpacked()).isEqualTo(2);
    write(segments + "f".repeat(201));
    refused("a path of 1001 bytes and 5 segments, at most 1000 and 32 are read");
  }

  @Test
  void longest_name_is_packed_and_unpacked_to_a_name_as_long() throws IOException {
    write("n".repeat(255));
    Path packed = root.resolve("p".repeat(255));
    TestPacks.pack(directory, packed);
    TestPacks.packReplacing(directory, packed);
    Path target = root.resolve("t".repeat(255));
    TestPacks.unpack(packed, target);
    assertThat(target.resolve("n".repeat(255))).exists();
  }

  @Test
  void file_that_is_too_large_is_refused_before_it_is_read() throws IOException {
    sparse("large", (8L << 30) + 1);
    refused("\"large\" cannot be packed: 8589934593 bytes, after 3 of the files before;");
  }

  @Test
  void files_that_are_too_large_together_are_refused_before_they_are_read() throws IOException {
    sparse("a", 8L << 30);
    sparse("b", 8L << 30);
    refused("8589934592 bytes, after 8589934595 of the files before; at most 8589934592 of one"
        + " file and 17179869184 of all are read");
  }

  @Test
  void number_of_files_and_length_of_the_manifest_are_limited_in_the_same_words() throws Exception {
    UnpackLimits limits = UnpackLimits.defaults();
    PackRules.of(20_000, TestPacks.ALL);
    PackRules.checkManifest(32 << 20, limits);
    assertThatThrownBy(() -> PackRules.of(20_001, TestPacks.ALL))
        .hasMessage("20001 files, at most 20000 are read (--max-files)");
    assertThatThrownBy(() -> PackRules.checkManifest((32 << 20) + 1, limits))
        .hasMessage("a manifest of 33554433 bytes, at most 33554432 are read");
  }

  @Test
  @Tag("slow")
  void ratio_that_unpacking_needs_is_returned_and_is_the_lowest_sufficient_one()
      throws IOException {
    sparse("zeros", 80L << 20);
    Files.write(directory.resolve("noise"), noise(100_000));
    PackedSession packed = TestPacks.pack(directory, file);
    assertThat(packed.ratio()).isBetween(300, 1_033);

    PackFormatException refused = refuse(UnpackLimits.defaults());
    assertThat(refused).hasMessageContaining("more than 200 times as many");
    refuse(UnpackLimits.defaults().withMaxRatio(packed.ratio() - 1));
    UnpackLimits enough = UnpackLimits.defaults().withMaxRatio(packed.ratio());
    assertThat(TestPacks.unpack(file, root.resolve("t"), enough).ratio()).isEqualTo(packed.ratio());
    assertThat(root.resolve("t/zeros")).hasSize(80L << 20);
  }

  @Test
  @Tag("slow")
  void small_session_needs_no_ratio_however_it_repeats_itself() throws IOException {
    sparse("zeros", 60L << 20);
    assertThat(TestPacks.pack(directory, file).ratio()).isEqualTo(1);
    assertThat(TestPacks.unpack(file, root.resolve("t")).files()).hasSize(2);
  }

  private PackFormatException refuse(UnpackLimits limits) {
    PackFormatException refused = catchThrowableOfType(
        PackFormatException.class, () -> TestPacks.unpack(file, root.resolve("refused"), limits));
    assertThat(refused.reason()).isEqualTo(Reason.RATIO);
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("session", "session.tar.gz");
    return refused;
  }

  /** The number of files after packing and unpacking the session. */
  private int unpacked() throws IOException {
    TestPacks.pack(directory, file);
    PackedSession unpacked = TestPacks.unpack(file, root.resolve("unpacked"));
    Files.delete(file);
    return unpacked.files().size();
  }

  private void refused(String why) {
    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be packed: ")
        .hasMessageContaining(why);
    assertThat(file).doesNotExist();
  }

  private void write(String path) throws IOException {
    Path written = directory.resolve(path);
    Files.createDirectories(written.getParent());
    Files.writeString(written, "x");
  }

  private void sparse(String path, long bytes) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(directory.resolve(path).toFile(), "rw")) {
      sparse.setLength(bytes);
    }
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(7).nextBytes(noise);
    return noise;
  }
}
