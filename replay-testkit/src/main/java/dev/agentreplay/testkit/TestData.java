package dev.agentreplay.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads the resources of tests. */
public final class TestData {

  private TestData() {}

  /** Returns the bytes of a resource. */
  public static byte[] bytes(String resource) {
    try (InputStream stream = TestData.class.getResourceAsStream(resource)) {
      return Objects.requireNonNull(stream, resource).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the text of a resource in UTF-8. */
  public static String text(String resource) {
    return new String(bytes(resource), StandardCharsets.UTF_8);
  }

  /** Returns the lines of a resource. */
  public static List<String> lines(String resource) {
    return text(resource).lines().toList();
  }
}
