package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A directory that cannot be deleted does not keep its deletion running. */
class TemporaryDirectoryTest {

  private final AtomicInteger attempts = new AtomicInteger();

  /** A directory that is not empty at the first attempts to delete it. */
  private TemporaryDirectory create(int failures) throws IOException {
    return TemporaryDirectory.create(path -> {
      if (attempts.incrementAndGet() <= failures) {
        throw new DirectoryNotEmptyException(path.toString());
      }
      TemporaryDirectory.deleteAll(path);
    });
  }

  @Test
  void directory_that_is_filled_meanwhile_is_deleted() throws IOException {
    TemporaryDirectory directory = create(3);
    directory.close();
    assertThat(directory.path()).doesNotExist();
    assertThat(attempts).hasValue(4);
  }

  @Test
  void directory_that_stays_filled_fails_to_close_after_some_attempts() throws IOException {
    TemporaryDirectory directory = create(10);
    assertThatThrownBy(directory::close).isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(attempts).hasValue(10);
    assertThat(directory.isOpen()).isFalse();
    assertThat(Files.exists(directory.path())).isTrue();
    directory.close();
    assertThat(directory.path()).doesNotExist();
  }
}
