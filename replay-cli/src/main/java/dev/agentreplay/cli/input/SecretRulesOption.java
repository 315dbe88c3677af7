package dev.agentreplay.cli.input;

import dev.agentreplay.publish.secret.SecretRules;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --rules}: the rules by which secrets are found. */
public final class SecretRulesOption {

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "Rules for secrets, in the TOML form of gitleaks, instead of the bundled ones.")
  private @Nullable Path file;

  /** The rules. */
  public SecretRules rules() throws IOException {
    return file == null ? SecretRules.bundled() : SecretRules.read(file);
  }
}
