package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class FileMessagesTest {

  @Test
  void message_without_a_reason_gets_one() {
    assertThat(FileMessages.of(new AccessDeniedException("a"))).isEqualTo("a: permission denied");
    assertThat(FileMessages.of(new NoSuchFileException("a")))
        .isEqualTo("a: no such file or directory");
    assertThat(FileMessages.of(new NotDirectoryException("a"))).isEqualTo("a: not a directory");
    assertThat(FileMessages.of(new FileSystemLoopException("a")))
        .isEqualTo("a: FileSystemLoopException");
  }

  @Test
  void reason_of_the_system_is_kept() {
    assertThat(FileMessages.of(new AccessDeniedException("a", null, "read-only")))
        .isEqualTo("a: read-only");
    assertThat(FileMessages.of(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(FileMessages.of(new IOException())).isEqualTo("java.io.IOException");
  }

  @Test
  void long_path_is_shortened_and_keeps_its_reason() {
    String path = "d/".repeat(3000);

    assertThat(FileMessages.of(new FileSystemException(path, null, "File name too long")))
        .isEqualTo(path.substring(0, 200) + "...: File name too long");
  }
}
