package dev.agentreplay.cli;

import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.SaltOption;
import dev.agentreplay.cli.input.SecretRulesOption;
import dev.agentreplay.cli.text.PublicationText;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.publish.PublicationRefusedException;
import dev.agentreplay.publish.PublicationReport;
import dev.agentreplay.publish.PublishOptions;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.publish.SessionPublisher;
import dev.agentreplay.publish.policy.PublicationPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay redact}. */
@Command(
    name = "redact",
    header = "Publish a session: write a redacted copy that can be verified.",
    description = {
      "The session is verified first. A policy decides what OUT shows; everything else is replaced by",
      "commitments, from which nothing can be guessed. What is shown unchanged can be verified with",
      "PUBLIC_CHECKPOINT.json, which is the same for all copies of a session. Secrets are replaced, and",
      "a copy that would still contain one is not written. OUT appears whole or not at all. --force also",
      "publishes a session that does not verify, which the copy states."
    },
    exitCodeList = {
      "0:Published.",
      "1:Refused: the session does not verify, or the copy would contain secrets.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay redact sessions/fix-auth public",
      "  replay redact sessions/fix-auth public --policy open_source --key key",
      "  replay redact sessions/fix-auth public --policy our-policy.json --pad 8"
    })
final class RedactCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "Session directory, log, packed session, id, or published copy.")
  String in = "";

  @Parameters(index = "1", paramLabel = "OUT", description = "Directory to create.")
  Path out = Path.of("");

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "Preset open_source, private_repo or paranoid, or a policy file (default:"
          + " private_repo).")
  @Nullable
  String policy;

  @Mixin
  SecretRulesOption secrets = new SecretRulesOption();

  @Option(
      names = "--hashes",
      paramLabel = "FORM",
      completionCandidates = Candidates.HashForms.class,
      description = "Form of the hashes of withheld values: ${COMPLETION-CANDIDATES} (default:"
          + " salted). With plain, values can be guessed, and nothing verified.")
  Hashes hashes = Hashes.SALTED;

  @Option(
      names = "--pad",
      paramLabel = "N",
      description = "Multiple to which numbers of members and elements are rounded up, 1 to 1024"
          + " (default: 1). Not for a session with a public checkpoint.")
  int padding = 1;

  @Mixin
  SaltOption salt = new SaltOption();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "Private key in PEM that signs the public checkpoint, if it is not signed yet.")
  @Nullable
  Path key;

  @Option(
      names = "--attach",
      paramLabel = "NAME",
      description = "File next to the log to publish as it is, such as PR_SUMMARY.md. Repeatable.")
  List<String> attachments = List.of();

  @Option(names = "--overwrite", description = "Replace an earlier publication in OUT.")
  boolean overwrite;

  @Mixin
  FormatOption format = new FormatOption();

  RedactCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    try (OpenSession open = input.openForRereading(in)) {
      return publish(open.session());
    }
  }

  private int publish(Session session) throws IOException {
    PublishOptions options = options(session);
    if (options.salt() != null) {
      complain("note: the log has no salt; keep %s secret, it is needed to disclose values later"
          .formatted(Style.plain(salt.file(session).toString())));
    }
    PublicationReport report;
    try {
      report = SessionPublisher.publish(session, out, options);
    } catch (PublicationRefusedException e) {
      complain("not published: " + Style.plain(String.valueOf(e.getMessage())));
      return exitCode(e.reason());
    }
    report.warnings().forEach(text -> complain("warning: " + Style.plain(text)));
    if (format.isJson()) {
      print(report.toJson());
    } else {
      print(new PublicationText(terminal.style()).render(in, report));
    }
    return ExitCode.OK;
  }

  private static int exitCode(PublicationRefusedException.Reason reason) {
    return switch (reason) {
      case UNREADABLE, HEADER_MISSING, CANONICALIZATION -> ExitCode.UNREADABLE;
      default -> ExitCode.FINDINGS;
    };
  }

  private PublishOptions options(Session session) throws IOException {
    if (padding < 1 || padding > PublicForm.MAX_PADDING) {
      throw new UsageException(
          "--pad: expected 1 to %d, found %d".formatted(PublicForm.MAX_PADDING, padding));
    }
    PublishOptions options = PublishOptions.defaults()
        .withPolicy(policy())
        .withSecrets(secrets.rules())
        .withHashes(hashes)
        .withForm(new PublicForm(padding))
        .withAttachments(attachments)
        .withForce(input.isForced())
        .withOverwrite(overwrite);
    if (key != null) {
      options = options.withSigner(input.signer(key));
    }
    return hashes == Hashes.PLAIN ? options : options.withSalt(salt.toPublish(session));
  }

  private PublicationPolicy policy() throws IOException {
    if (policy == null) {
      return PublicationPolicy.PRIVATE_REPO;
    }
    if (PublicationPolicy.presets().contains(policy)) {
      return PublicationPolicy.preset(policy);
    }
    Path file = PathConverter.parse(policy);
    if (!Files.exists(file)) {
      throw new UsageException("--policy: expected a preset (%s) or a file, found \"%s\""
          .formatted(String.join(", ", PublicationPolicy.presets()), policy));
    }
    return PublicationPolicy.read(file);
  }
}
