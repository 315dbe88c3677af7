package dev.agentreplay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets {@code java.io.tmpdir} to a new directory for each test, and deletes it afterwards. In the
 * usual one, other JVMs create and delete directories at the same time.
 */
public final class JavaTempDir implements BeforeEachCallback, AfterEachCallback {

  private static final String PROPERTY = "java.io.tmpdir";

  private @Nullable Path path;
  private String usual = "";

  /** Creates the extension, for {@link org.junit.jupiter.api.extension.RegisterExtension}. */
  public JavaTempDir() {}

  /** The directory. */
  public Path path() {
    return Objects.requireNonNull(path, "no test is running");
  }

  @Override
  public void beforeEach(ExtensionContext test) throws IOException {
    path = Files.createTempDirectory("junit-");
    usual = System.setProperty(PROPERTY, path().toString());
  }

  @Override
  public void afterEach(ExtensionContext test) throws IOException {
    System.setProperty(PROPERTY, usual);
    TestFiles.delete(path());
  }
}
