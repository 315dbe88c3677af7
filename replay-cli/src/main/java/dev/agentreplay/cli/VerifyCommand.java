package dev.agentreplay.cli;

import dev.agentreplay.io.Session;
import dev.agentreplay.verify.ReceiptVerifier;
import dev.agentreplay.verify.ReportJson;
import dev.agentreplay.verify.Requirement;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay verify}. */
@Command(
    name = "verify",
    header = "Holds logs against themselves and their receipts.",
    description = {
      "",
      "Of several sessions each is reported on, and the exit code is the worst of theirs."
    })
final class VerifyCommand extends TerminalCommand {

  private static final int TEXT_MAX_FINDINGS = 10;

  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Mixin
  SessionInput input = new SessionInput();

  @Parameters(paramLabel = "SESSION", arity = "1..*", description = "What to verify.")
  List<String> sessions = List.of();

  @Option(
      names = "--receipt",
      paramLabel = "FILE",
      description = "The receipt; RECEIPT.json beside a REPLAY.jsonl by default.")
  @Nullable
  Path receipt;

  @Option(
      names = "--require",
      split = ",",
      paramLabel = "WHAT",
      description = "Fail unless there was: ${COMPLETION-CANDIDATES}.")
  List<RequirementName> requirements = List.of();

  @Option(
      names = "--max-findings",
      paramLabel = "N",
      description = "List at most N findings of a code (default: 10, in JSON 100).")
  @Nullable
  Integer maxFindings;

  @Mixin
  FormatOption format = new FormatOption();

  /** Requirements as the command line spells them. */
  enum RequirementName {
    HASHES(Requirement.HASHES),
    RECEIPT(Requirement.RECEIPT),
    END(Requirement.SESSION_END);

    final Requirement requirement;

    RequirementName(Requirement requirement) {
      this.requirement = requirement;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  VerifyCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    if (receipt != null && sessions.size() > 1) {
      throw new ParameterException(spec.commandLine(), "--receipt goes with a single SESSION");
    }
    int listed = maxFindings != null ? maxFindings : defaultMaxFindings();
    if (listed < 0) {
      throw new ParameterException(
          spec.commandLine(), "--max-findings must not be negative: " + listed);
    }
    Set<Requirement> required = EnumSet.noneOf(Requirement.class);
    requirements.forEach(name -> required.add(name.requirement));
    VerifyPolicy policy =
        VerifyPolicy.defaults().withRequirements(required).withMaxFindings(listed);
    ReceiptVerifier verifier = ReceiptVerifier.of(policy);
    int worst = ExitCode.OK;
    for (String name : sessions) {
      worst = Math.max(worst, verify(name, verifier));
    }
    if (sessions.size() > 1 && !format.isJson()) {
      print(summary());
    }
    return worst;
  }

  private int defaultMaxFindings() {
    return format.isJson() ? VerifyPolicy.DEFAULT_MAX_FINDINGS : TEXT_MAX_FINDINGS;
  }

  private String summary() {
    String counts = verdicts.entrySet().stream()
        .map(entry -> "%,d %s".formatted(entry.getValue(), lowerCase(entry.getKey())))
        .collect(Collectors.joining(", "));
    return "\n%,d sessions: %s\n".formatted(sessions.size(), counts);
  }

  private static String lowerCase(Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT);
  }

  private int verify(String name, ReceiptVerifier verifier) {
    VerificationReport report;
    try {
      report = verifier.verify(session(name));
    } catch (IOException e) {
      complain(Main.describe(e)); // other sessions are verified all the same
      verdicts.merge(Verdict.UNREADABLE, 1, Integer::sum);
      if (format.isJson()) {
        print(ReportJson.ofUnreadable(name, Main.describe(e)));
      }
      return ExitCode.UNREADABLE;
    }
    verdicts.merge(report.verdict(), 1, Integer::sum);
    if (format.isJson()) {
      print(ReportJson.of(report));
    } else {
      print(new VerificationText(terminal.style()).render(name, report));
    }
    return ExitCode.of(report);
  }

  private Session session(String name) throws IOException {
    Session session = input.locate(name);
    if (receipt == null) {
      return session;
    }
    if (!Files.exists(receipt)) {
      throw new NoSuchFileException(receipt.toString());
    }
    if (Files.isDirectory(receipt)) {
      throw new IOException(receipt + ": is a directory");
    }
    return session.withReceipt(receipt);
  }
}
