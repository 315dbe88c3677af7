package dev.agentreplay.io.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.attribute.PosixFilePermissions;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes in the form of Git. */
public class FileModeTest {

  @Test
  void mode_is_the_type_and_the_permissions() {
    assertThat(FileMode.ofFile(PosixFilePermissions.fromString("rwxr-x--x"))).isEqualTo("100751");
    assertThat(FileMode.ofDirectory(PosixFilePermissions.fromString("rwx------")))
        .isEqualTo("040700");
    assertThat(FileMode.ofFile(0104755)).isEqualTo("100755"); // without set-user-ID
  }

  @Property
  void permissions_are_read_as_they_were_written(@ForAll @IntRange(max = 0777) int bits) {
    String mode = FileMode.ofFile(bits);
    assertThat(mode).isEqualTo("100%03o".formatted(bits));
    assertThat(FileMode.ofFile(FileMode.permissions(mode))).isEqualTo(mode);
    assertThat(FileMode.permissions(FileMode.ofDirectory(bits)))
        .isEqualTo(FileMode.permissions(mode));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "100", "10064", "1006444", "100849", "120777", "644", "-00644"})
  void text_that_is_not_a_mode_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FileMode.permissions(text));
  }
}
