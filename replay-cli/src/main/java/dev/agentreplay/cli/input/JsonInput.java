package dev.agentreplay.cli.input;

import dev.agentreplay.canonical.CanonicalForm;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A JSON value that a command line names. */
public final class JsonInput {

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "-",
      description = "File with one JSON value; - is standard input (default).")
  private String file = "-";

  @Option(
      names = "--canonicalization",
      paramLabel = "PROFILE",
      defaultValue = "serde",
      completionCandidates = Candidates.Profiles.class,
      description = "Canonicalization: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); jcs is"
          + " RFC 8785.")
  private Canonicalization canonicalization = Canonicalization.SERDE;

  @Option(
      names = "--round-integers",
      description =
          "With jcs: round integers to doubles instead of refusing those that would change.")
  private boolean roundIntegers;

  /** The limits of an input file: none on its size. */
  private static final JsonLimits LIMITS = JsonLimits.defaults().withMaxBytes(Integer.MAX_VALUE);

  /** The requested profile. */
  public Canonicalization canonicalization() {
    return canonicalization;
  }

  /** The value's text. */
  public byte[] read(Terminal terminal) throws IOException {
    return isStandardInput() ? terminal.in().readAllBytes() : readFile();
  }

  /** The canonical form of the value in a text. */
  public CanonicalForm form(byte[] text) throws IOException {
    if (roundIntegers && canonicalization != Canonicalization.JCS) {
      throw new UsageException("--round-integers requires --canonicalization jcs");
    }
    CanonicalJson canonical = CanonicalJson.of(canonicalization).withLimits(LIMITS);
    try {
      return (roundIntegers ? canonical.withRoundedIntegers() : canonical).form(text);
    } catch (JsonSyntaxException e) {
      boolean isJson = e.reason() == Reason.NUMBER_RANGE || e.reason() == Reason.LIMIT;
      String what = isJson ? "" : "not a JSON value: ";
      throw new IOException(
          (isStandardInput() ? "standard input" : file) + ": " + what + e.getMessage(), e);
    }
  }

  /** The value in a text that has a canonical form. */
  public JsonValue parse(byte[] text) {
    return JsonText.parse(text, 0, text.length, LIMITS);
  }

  private boolean isStandardInput() {
    return file.equals("-");
  }

  private byte[] readFile() throws IOException {
    Path path = PathConverter.parse(file);
    if (Files.isDirectory(path)) {
      throw new IOException(file + ": is a directory");
    }
    return Files.readAllBytes(path);
  }
}
