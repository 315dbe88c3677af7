package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that tests compare with; {@code -Dreplay.documents=write} writes them again. */
final class Golden {

  private static final boolean IS_WRITTEN =
      "write".equals(System.getProperty("replay.documents")) && System.getenv("CI") == null;

  private Golden() {}

  static void compare(Path file, String text) throws IOException {
    if (IS_WRITTEN) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    }
    assertThat(file).exists();
    assertThat(Files.readString(file))
        .as("%s; -Dreplay.documents=write writes it again", file)
        .isEqualTo(text);
  }
}
