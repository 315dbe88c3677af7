package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class DeletedFilesTest {

  private static final List<Long> SELF = List.of(ProcessHandle.current().pid());

  @TempDir
  private Path directory;

  @Test
  void a_deleted_file_counts_once_until_it_is_closed() throws Exception {
    long before = bytes();
    Path file = directory.resolve("file");
    try (OutputStream out = Files.newOutputStream(file);
        OutputStream again = Files.newOutputStream(file)) {
      out.write(new byte[5000]);
      assertThat(bytes()).isEqualTo(before);

      Files.delete(file);
      assertThat(bytes()).isEqualTo(before + 5000);
      again.write(1);
      assertThat(bytes()).isEqualTo(before + 5000);
    }
    assertThat(bytes()).isEqualTo(before);
  }

  @Test
  void a_file_whose_name_says_that_it_is_deleted_is_not() throws Exception {
    long before = bytes();
    try (OutputStream out = Files.newOutputStream(directory.resolve("x (deleted)"))) {
      out.write(new byte[5000]);
      assertThat(bytes()).isEqualTo(before);
    }
  }

  private long bytes() throws Exception {
    return DeletedFiles.of(SELF, directory).bytes();
  }
}
