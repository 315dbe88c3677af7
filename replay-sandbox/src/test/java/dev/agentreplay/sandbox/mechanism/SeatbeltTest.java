package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.sandbox.SandboxOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The profile for macOS, as a text. */
@DisabledOnOs(OS.WINDOWS)
class SeatbeltTest {

  @Test
  void profile_denies_what_it_does_not_name() {
    SandboxOptions options = SandboxOptions.of(Path.of("/private/tmp/a\"b"))
        .withReadOnly(List.of(Path.of("/opt/homebrew")));
    assertThat(Seatbelt.profile(options))
        .isEqualTo(
            """
            (version 1)
            (deny default)
            (allow process-fork)
            (allow process-exec)
            (allow sysctl-read)
            (allow signal (target same-sandbox))
            (allow file-read-metadata)
            (allow file-read* (literal "/") (subpath "/bin") (subpath "/sbin") (subpath "/usr")\
             (subpath "/System") (subpath "/Library/Apple") (subpath "/private/etc/ssl")\
             (subpath "/private/var/db/timezone") (subpath "/private/var/db/dyld")\
             (subpath "/opt/homebrew") (subpath "/private/tmp/a\\"b"))
            (allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero")\
             (literal "/dev/random") (literal "/dev/urandom"))
            (allow file-write* (subpath "/private/tmp/a\\"b"))
            """);
    assertThat(Seatbelt.profile(options.withWritable(false)))
        .doesNotContain("file-write*")
        .doesNotContain("network");
  }
}
