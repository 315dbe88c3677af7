package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void file_without_a_size_and_without_an_end_is_not_read_for_ever() throws IOException {
    Path endless = Path.of("/dev/zero");
    Assumptions.assumeThat(endless).exists();
    assertThat(RegularFiles.read(endless, 10)).isNull();
  }
}
