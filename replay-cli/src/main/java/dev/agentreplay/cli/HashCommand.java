package dev.agentreplay.cli;

import dev.agentreplay.canonical.CanonicalForm;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.HashExplanation;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.cli.input.JsonInput;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code replay hash}. */
@Command(
    name = "hash",
    header = "Print the hash of the canonical form of a JSON value.",
    description = "The hash is SHA-256 over the canonical JSON, as in params_hash and output_hash.",
    exitCodeList = {
      "0:Done.",
      "1:The hash is different from --expect, or not --portable.",
      "2:Wrong usage.",
      "3:Not a JSON value."
    },
    footer = {"  replay hash params.json", "  replay hash --canonicalization jcs params.json"})
final class HashCommand extends TerminalCommand {

  @Mixin
  JsonInput input = new JsonInput();

  @Option(
      names = "--expect",
      paramLabel = "HASH",
      description = "Expected hash; if it is different, exit with 1 and explain a likely cause.")
  @Nullable
  ContentHash expected;

  @Option(
      names = "--portable",
      description = "Exit with 1 unless the hash is the same in every canonicalization.")
  boolean portable;

  HashCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    byte[] text = input.read(terminal);
    CanonicalForm form;
    try {
      form = input.form(text);
    } catch (IOException e) {
      if (e.getCause() instanceof JsonSyntaxException refusal
          && refusal.reason() == Reason.NUMBER_RANGE
          && input.canonicalization() == Canonicalization.JCS) {
        explain(text);
      }
      throw e;
    }
    print(form.hash() + "\n");
    boolean fits = expected == null || expected.equals(form.hash());
    if (!fits) {
      complain("the hash is not the expected one");
      explain(text);
    }
    boolean refused = portable && !form.isPortable();
    if (refused) {
      complain("not portable: " + difference(input.parse(text)));
    }
    return fits && !refused ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /** Prints a likely cause of the expected hash, if one is found. */
  private void explain(byte[] text) {
    if (expected == null) {
      return;
    }
    JsonValue value;
    try {
      value = input.parse(text);
    } catch (JsonSyntaxException beyondRange) {
      return; // reported by the caller
    }
    HashExplanation explanation =
        HashExplanation.explain(value, expected, input.canonicalization());
    if (explanation != null) {
      complain("hint: " + explanation);
    }
  }

  /** The first difference between the canonical forms of two profiles. */
  private String difference(JsonValue value) {
    for (Canonicalization other : Canonicalization.values()) {
      ContentHash hash = CanonicalJson.of(other).withRoundedIntegers().hash(value);
      HashExplanation explanation = other == input.canonicalization()
          ? null
          : HashExplanation.explain(value, hash, input.canonicalization());
      if (explanation != null) {
        String here =
            explanation.canonical() == null ? "" : " instead of " + explanation.canonical();
        return "at \"%s\", %s has %s%s"
            .formatted(explanation.pointer(), other.id(), explanation.produced(), here);
      }
    }
    return "an integer is beyond 2^53-1, which not every reader keeps exactly";
  }
}
