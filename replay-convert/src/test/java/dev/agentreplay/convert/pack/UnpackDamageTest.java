package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packed session that is damaged is never taken for a different one. */
class UnpackDamageTest {

  /** All places are visited with {@code -Dreplay.effort=5}. */
  private static final int STRIDE = Integer.getInteger("replay.effort", 1) < 5 ? 10 : 1;

  private static final Map<String, String> FILES =
      Map.of("REPLAY.jsonl", "{}\n", "blobs/b", "a blob", "\u00e9", "e");

  private static final byte[] TAR = new TestTar()
      .file(
          "MANIFEST.json",
          TestTar.manifest(
              TestTar.listed("REPLAY.jsonl", "{}\n"),
              TestTar.listed("blobs/b", "a blob"),
              TestTar.listed("\u00e9", "e")))
      .file("REPLAY.jsonl", "{}\n")
      .file("blobs/b", "a blob")
      .extended("11 path=\u00e9\n")
      .file("_", "e")
      .end();

  @TempDir
  private Path root;

  private TestPacks packs;

  @BeforeEach
  void create() throws IOException {
    packs = new TestPacks(root);
  }

  @Test
  void whole_archive_is_unpacked() throws IOException {
    assertThat(packs.unpack(TAR)).isEqualTo(FILES);
  }

  @Test
  void every_truncation_of_the_file_is_refused() throws IOException {
    byte[] packed = TestFiles.gzip(TAR);
    for (int length = 0; length < packed.length; length += STRIDE) {
      PackFormatException refused =
          packs.refusePackedOnce(Arrays.copyOf(packed, length), UnpackLimits.defaults());
      assertThat(refused.reason()).as("%d bytes", length).isEqualTo(Reason.COMPRESSION);
    }
  }

  @Test
  void every_truncation_of_the_archive_is_refused() throws IOException {
    for (int length = 0; length < TAR.length; length += length % 512 < 3 ? 1 : 127) {
      PackFormatException refused = packs.refuseOnce(Arrays.copyOf(TAR, length));
      assertThat(refused.reason()).as("%d bytes", length).isIn(Reason.ARCHIVE, Reason.COMPRESSION);
    }
  }

  @Test
  void every_flipped_byte_of_the_file_is_refused_or_changes_nothing() throws IOException {
    byte[] packed = TestFiles.gzip(TAR);
    Set<Integer> irrelevant = new HashSet<>();
    for (int i = 0; i < packed.length; i++) {
      byte[] flipped = packed.clone();
      flipped[i] ^= (byte) 0xff;
      try {
        assertThat(packs.unpackPacked(flipped)).as("byte %d", i).isEqualTo(FILES);
        irrelevant.add(i);
      } catch (PackFormatException refused) {
        assertThat(refused.reason()).as("byte %d", i).isNotEqualTo(Reason.LIMIT);
      }
    }
    // a time, a hint for decompressors, and the system that the file is from; and within the data
    // perhaps the distance of a repetition, where all repetitions are equal
    assertThat(irrelevant).contains(4, 5, 6, 7, 8, 9).hasSizeLessThan(20);
    assertThat(irrelevant).allMatch(i -> i >= 4 && i < packed.length - 8);
  }

  @Test
  void every_flipped_byte_of_the_archive_is_refused() throws IOException {
    for (int i = 0; i < TAR.length; i += STRIDE) {
      byte[] flipped = TAR.clone();
      flipped[i] ^= 0x20;
      // what ends a check sum is a NUL or a space, and both orders are in use
      if (isEndOfSum(i)) {
        assertThat(packs.unpack(flipped)).isEqualTo(FILES);
      } else {
        assertThat(packs.refuseOnce(flipped)).as("byte %d", i).isNotNull();
      }
    }
  }

  @Test
  void every_flipped_byte_of_a_header_that_is_sealed_again_is_refused_or_changes_nothing()
      throws IOException {
    int header = TAR.length - 1_024 - 2 * 512; // that of the last file, whose path is a pax record
    for (int i = 0; i < 512; i++) {
      byte[] flipped = TAR.clone();
      flipped[header + i] ^= 1;
      byte[] sealed = TestTar.sealed(Arrays.copyOfRange(flipped, header, header + 512));
      System.arraycopy(sealed, 0, flipped, header, 512);
      try {
        assertThat(packs.unpack(flipped)).as("byte %d", i).isEqualTo(FILES);
      } catch (PackFormatException refused) {
        // the size, the type, the target of a link, the format, or a NUL within the name
        assertThat(i < 100 || (i >= 124 && i < 136) || (i >= 156 && i < 265) || i >= 345)
            .as("byte %d: %s", i, refused.getMessage())
            .isTrue();
      }
    }
  }

  /** The last two bytes of the check sums, which are before the type. */
  private static boolean isEndOfSum(int i) {
    int at = i % 512;
    boolean header = TAR[i - at + 257] == 'u' && TAR[i - at + 258] == 's';
    return header && (at == 154 || at == 155);
  }
}
