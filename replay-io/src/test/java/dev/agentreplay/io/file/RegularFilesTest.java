package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegularFilesTest {

  @TempDir
  private Path directory;

  @Test
  void file_is_read_up_to_its_limit_and_not_beyond() throws IOException {
    Path file = Files.write(directory.resolve("f"), new byte[] {1, 2, 3});
    assertThat(RegularFiles.read(file, 3)).containsExactly(1, 2, 3);
    assertThat(RegularFiles.read(file, 4)).containsExactly(1, 2, 3);
    assertThat(RegularFiles.read(file, 2)).isNull();
  }

  @Test
  void file_of_several_chunks_is_read() throws IOException {
    byte[] bytes = new byte[200_001];
    new Random(1).nextBytes(bytes);
    Path file = Files.write(directory.resolve("f"), bytes);
    assertThat(RegularFiles.read(file, bytes.length)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 99_999, 100_000, 100_001, 200_000})
  void file_is_read_whatever_size_it_states(long stated) throws IOException {
    byte[] bytes = new byte[100_000];
    new Random(2).nextBytes(bytes);
    for (int max : new int[] {99_999, 100_000, 200_000}) {
      InputStream few = new FilterInputStream(new ByteArrayInputStream(bytes)) {
        @Override
        public int read(byte[] target, int from, int count) throws IOException {
          return super.read(target, from, Math.min(count, 777));
        }
      };
      assertThat(RegularFiles.read(few, stated, max))
          .isEqualTo(max < bytes.length || max < stated ? null : bytes);
    }
  }

  @Test
  void file_that_states_no_size_is_read() throws IOException {
    Path file = Path.of("/proc/version");
    Assumptions.assumeThat(file).exists();
    byte[] read = RegularFiles.read(file, 100_000);
    assertThat(read).isNotEmpty().isEqualTo(Files.readAllBytes(file));
    assertThat(RegularFiles.read(file, read.length)).isEqualTo(read);
    assertThat(RegularFiles.read(file, read.length - 1)).isNull();
  }

  @Test
  void file_without_a_size_and_without_an_end_is_not_read_for_ever() throws IOException {
    Path endless = Path.of("/dev/zero");
    Assumptions.assumeThat(endless).exists();
    assertThat(RegularFiles.read(endless, 10)).isNull();
  }
}
