package dev.agentreplay.cli;

import dev.agentreplay.cli.input.TrustOptions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.report.VerificationText;
import java.io.IOException;
import java.nio.file.Files;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies sessions before a command reads them, if that is requested. */
final class VerifiedOption {

  private static final int MAX_FINDINGS = 10;

  private final Terminal terminal;

  @Option(
      names = "--verified",
      description =
          "Verify first, and refuse a session that is not valid. Its files must not change"
              + " in between.")
  private boolean verified;

  @Mixin
  private TrustOptions trust;

  VerifiedOption(Terminal terminal) {
    this.terminal = terminal;
    trust = new TrustOptions(terminal);
  }

  /** Fails if options exclude each other. */
  void check(int sessions) {
    if (!verified && trust.areGiven()) {
      throw new UsageException("--public-key and --checkpoint require --verified");
    }
    if (sessions > 1 && !trust.checkpoints().isEmpty()) {
      throw new UsageException("--checkpoint requires a single SESSION");
    }
  }

  /** Verifies if asked to; the exit code of a refusal, whose reason is printed, or 0. */
  int refuses(String name, Session session) throws IOException {
    if (!verified) {
      return ExitCode.OK;
    }
    if (!Files.isRegularFile(session.log())) {
      throw new IOException(
          session.log() + ": expected a regular file, which is verified before it is read");
    }
    VerifyPolicy policy = VerifyPolicy.defaults().withMaxFindings(MAX_FINDINGS);
    VerificationReport report = SessionVerifier.of(trust.applyTo(policy)).verify(session);
    if (report.verdict() == Verdict.VALID) {
      return ExitCode.OK;
    }
    terminal.complain("--verified: the session is refused, because it is not valid:");
    terminal.err().print(VerificationText.render(report, name, new Style(false)));
    terminal.err().flush();
    return report.verdict() == Verdict.UNREADABLE ? ExitCode.UNREADABLE : ExitCode.FINDINGS;
  }
}
