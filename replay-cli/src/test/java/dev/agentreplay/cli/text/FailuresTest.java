package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AccessDeniedException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

/** Messages say more than the path that many exceptions of the JDK consist of. */
class FailuresTest {

  @Test
  void file_in_place_of_a_directory_is_named_as_such() {
    assertThat(Failures.describe(new NotDirectoryException("a.txt")))
        .isEqualTo("a.txt: expected a directory");
  }

  @Test
  void reason_of_a_denied_access_is_stated() {
    assertThat(Failures.describe(new AccessDeniedException("a"))).isEqualTo("a: permission denied");
    assertThat(Failures.describe(new AccessDeniedException("a", null, "it was readable before")))
        .isEqualTo("a: permission denied; it was readable before");
  }
}
