package dev.agentreplay.cli;

import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.SecretRulesOption;
import dev.agentreplay.cli.text.ScanText;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.publish.secret.ScanReport;
import dev.agentreplay.publish.secret.SecretScanner;
import dev.agentreplay.publish.secret.SessionScan;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code replay scan}. */
@Command(
    name = "scan",
    header = "Scan a session for secrets.",
    description = {
      "All texts of the log are scanned, its receipt, summary and blobs. A finding names the rule and",
      "the place of a secret, never its value."
    },
    exitCodeList = {
      "0:No secrets were found.",
      "1:Secrets were found, or a file is too large to be scanned.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {"  replay scan sessions/fix-auth", "  replay scan public --rules our-rules.toml"})
final class ScanCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id.")
  String name = "";

  @Mixin
  SecretRulesOption secrets = new SecretRulesOption();

  @Mixin
  FormatOption format = new FormatOption();

  ScanCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    SecretScanner scanner = SecretScanner.of(secrets.rules());
    try (OpenSession open = input.openForRereading(name)) {
      ScanReport report = SessionScan.of(scanner).scan(open.session());
      if (format.isJson()) {
        print(report.toJson());
      } else {
        print(new ScanText(terminal.style()).render(name, report));
      }
      return report.isClean() ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }
}
