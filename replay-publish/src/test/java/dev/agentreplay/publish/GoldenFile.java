package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that tests compare with; {@code -Dreplay.documents=write} writes them again. */
final class GoldenFile {

  private GoldenFile() {}

  static void compare(Path file, String text) throws IOException {
    if ("write".equals(System.getProperty("replay.documents")) && System.getenv("CI") == null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    }
    assertThat(file).exists();
    assertThat(Files.readString(file))
        .as("%s; -Dreplay.documents=write writes it again", file)
        .isEqualTo(text);
  }
}
