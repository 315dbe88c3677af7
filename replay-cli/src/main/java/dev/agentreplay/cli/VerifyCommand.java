package dev.agentreplay.cli;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.cli.input.Candidates;
import dev.agentreplay.cli.input.ExpectationConverter;
import dev.agentreplay.cli.input.FormatOption;
import dev.agentreplay.cli.input.OtherSession;
import dev.agentreplay.cli.input.SessionInput;
import dev.agentreplay.cli.input.SessionLocations;
import dev.agentreplay.cli.input.TrustOptions;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.Expectation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchVerifier;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code replay verify}. */
@Command(
    name = "verify",
    header = "Verify hashes, structure, receipts and signatures of sessions.",
    description = {
      "In a directory, every session in it and below it is verified, except packed ones, which must be",
      "named. A file or directory that cannot be read is reported, and counts as unreadable.",
      "docs/findings.md explains each finding."
    },
    exitCodeList = {
      "0:Valid; or unverified, and nothing was required.",
      "1:Findings that fail the verification, or a requirement that is not met.",
      "2:Wrong usage.",
      "3:Unreadable input. With several sessions: the highest of their codes."
    },
    footer = {
      "  replay verify sessions/fix-auth",
      "  replay verify --quiet --jobs 4 sessions",
      "  replay verify --public-key key.pub --checkpoint monday.json sessions/fix-auth",
      "  replay verify --strict --format json sessions/fix-auth",
      "  replay verify --parent sessions/fix-auth forks/other-model"
    })
final class VerifyCommand extends TerminalCommand {

  private static final int TEXT_MAX_FINDINGS = 10;

  @Mixin
  SessionInput input = new SessionInput(terminal);

  @Parameters(
      paramLabel = "SESSION",
      arity = "1..*",
      description =
          "Session directories, logs, packed sessions, ids, or traces of other tools, to verify.")
  List<String> sessions = List.of();

  @Option(
      names = "--receipt",
      paramLabel = "FILE",
      description = "Receipt of the session (default: RECEIPT.json next to the log).")
  @Nullable
  Path receipt;

  @Mixin
  TrustOptions trust = new TrustOptions(terminal);

  @Option(
      names = "--expect",
      paramLabel = "FACT",
      converter = ExpectationConverter.class,
      description =
          "Fact that must hold: session_id=ID; root=sha256:HEX, the Merkle root over all lines; or"
              + " shown=EVENT/POINTER, such as shown=ToolResult/exit_code: a published copy shows"
              + " the value of all events of the kind. Repeatable.")
  List<Expectation> expectations = List.of();

  @Option(
      names = "--parent",
      paramLabel = "SESSION",
      description =
          "Recorded session of which the session is a fork: its first lines have the tree root"
              + " that the header of the fork states, and the fork repeats their calls, results"
              + " and values.")
  @Nullable
  String parent;

  @Option(
      names = "--require",
      split = ",",
      paramLabel = "WHAT",
      description = "Evidence that must be present and match: ${COMPLETION-CANDIDATES}.")
  List<RequirementName> requirements = List.of();

  @Option(
      names = "--strict",
      description = "Fail on warnings too; require hashes,values,receipt,tree,end,canonical.")
  boolean strict;

  @Option(
      names = "--lenient",
      description =
          "Require nothing, and report structural faults, such as those of foreign writers,"
              + " without failing.")
  boolean lenient;

  @Option(
      names = "--canonicalization",
      paramLabel = "PROFILE",
      completionCandidates = Candidates.Profiles.class,
      description = "Canonicalization of logs whose header names none: ${COMPLETION-CANDIDATES}"
          + " (default: serde). A header that names a different one is an error.")
  @Nullable
  Canonicalization canonicalization;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      converter = Jobs.class,
      description = "Number of sessions verified in parallel (default: one per processor).")
  @Nullable
  Integer jobs;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only sessions that are not valid.")
  boolean quiet;

  @Option(
      names = "--max-findings",
      paramLabel = "N",
      description = "Maximum number of findings listed per code (default: 10, in JSON 100).")
  @Nullable
  Integer maxFindings;

  @Mixin
  FormatOption format = new FormatOption();

  /** Requirements as the command line spells them. */
  enum RequirementName {
    HASHES(Requirement.HASHES),
    VALUES(Requirement.VALUES),
    RECEIPT(Requirement.RECEIPT),
    TREE(Requirement.TREE),
    SIGNATURE(Requirement.SIGNATURE),
    END(Requirement.SESSION_END),
    CANONICAL(Requirement.CANONICAL_LINES);

    final Requirement requirement;

    RequirementName(Requirement requirement) {
      this.requirement = requirement;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads the number of threads. */
  static final class Jobs implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        int jobs = Integer.parseInt(text);
        if (jobs >= 1 && jobs <= BatchVerifier.MAX_THREADS) {
          return jobs;
        }
      } catch (NumberFormatException e) {
        // reported below, like a number out of range
      }
      throw new TypeConversionException("expected a whole number from 1 to %d, found \"%s\""
          .formatted(BatchVerifier.MAX_THREADS, Style.plain(text)));
    }
  }

  VerifyCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (parent == null) {
      return verify(List.of());
    }
    try (OpenSession opened = input.open(parent)) {
      return verify(List.of(Expectation.forkOf(opened.session())));
    }
  }

  private int verify(List<Expectation> others) throws IOException {
    VerifyPolicy policy = policy(others);
    BatchVerifier verifier = batch(policy);
    SessionLocations places = new SessionLocations(input, sessions);
    boolean several = places.areSeveral();
    if (receipt != null && several) {
      throw notSingle("--receipt", places);
    }
    if (!trust.checkpoints().isEmpty() && several) {
      throw notSingle("--checkpoint", places);
    }
    if (parent != null && several) {
      throw notSingle("--parent", places);
    }
    boolean namesOne =
        expectations.stream().anyMatch(expectation -> !(expectation instanceof Expectation.Shown));
    if (namesOne && several) {
      throw notSingle("--expect", places);
    }
    warnOfRepeated();
    VerificationOutput output = new VerificationOutput(terminal, format.isJson(), several, quiet);
    if (several) {
      try (Stream<BatchResult> results = verifier.verify(places)) {
        Iterator<BatchResult> each = results.iterator();
        // stop once the reader of the output is gone
        while (each.hasNext() && !terminal.out().checkError()) {
          output.print(each.next());
        }
      }
    } else {
      verify(places.iterator().next(), SessionVerifier.of(policy), output);
    }
    return output.finish();
  }

  private UsageException notSingle(String option, SessionLocations places) {
    String message = option + " requires a single SESSION";
    if (sessions.size() > 1) {
      return new UsageException(message);
    }
    String name = sessions.get(0);
    Iterator<SessionLocation> each = places.iterator();
    Path first = each.next().path();
    Path log = first.resolve(Session.LOG_NAME);
    Path second = each.next().path();
    return new UsageException("%s: %s holds several sessions, %s among them; name %s"
        .formatted(
            message,
            name,
            second.toString(),
            second.startsWith(first) && Files.exists(log)
                ? "its log: " + log.toString()
                : "one of them"));
  }

  private VerifyPolicy policy(List<Expectation> others) throws IOException {
    if (strict && lenient) {
      throw new UsageException("--strict and --lenient exclude each other");
    }
    int listed = maxFindings != null ? maxFindings : defaultMaxFindings();
    if (listed < 0) {
      throw new UsageException("--max-findings: expected 0 or more, found " + listed);
    }
    VerifyPolicy policy =
        strict ? VerifyPolicy.strict() : lenient ? VerifyPolicy.lenient() : VerifyPolicy.defaults();
    policy = policy
        .withMaxFindings(listed)
        .withCanonicalization(canonicalization)
        .expecting(
            Stream.concat(expectations.stream(), others.stream()).toArray(Expectation[]::new))
        .requiring(requirements.stream().map(name -> name.requirement).toArray(Requirement[]::new));
    return trust.applyTo(policy);
  }

  private int defaultMaxFindings() {
    return format.isJson() ? VerifyPolicy.DEFAULT_MAX_FINDINGS : TEXT_MAX_FINDINGS;
  }

  private BatchVerifier batch(VerifyPolicy policy) {
    BatchVerifier verifier = BatchVerifier.of(policy);
    return jobs == null ? verifier : verifier.withThreads(jobs);
  }

  /** Warns if a checkpoint is of a different session, which explains a root that differs. */
  private void tellOtherSessions(VerificationReport report) throws IOException {
    if (report.verdict() != Verdict.INVALID || report.count(FindingCode.TREE_ROOT_MISMATCH) == 0) {
      return;
    }
    for (Path file : trust.checkpointsOfLines()) {
      String fault = OtherSession.fault(file, LogCheckpoint.read(file), report.session());
      if (fault != null) {
        complain("warning: " + fault);
      }
    }
  }

  private void warnOfRepeated() {
    Set<String> seen = new HashSet<>();
    Set<String> told = new HashSet<>();
    for (String name : sessions) {
      if (!seen.add(name) && told.add(name)) {
        complain("warning: %s is named more than once, and is counted each time"
            .formatted(Style.plain(name)));
      }
    }
  }

  private void verify(SessionLocation place, SessionVerifier verifier, VerificationOutput output)
      throws IOException {
    OpenSession opened;
    try {
      opened = place.open();
    } catch (IOException e) {
      output.print(place.path(), e);
      return;
    }
    try (opened) {
      verify(place.path(), opened.session(), verifier, output);
    }
  }

  private void verify(
      Path path, Session session, SessionVerifier verifier, VerificationOutput output)
      throws IOException {
    VerificationReport report;
    try {
      report = verifier.verify(withReceipt(session));
    } catch (IOException e) {
      output.print(path, e);
      return;
    }
    output.print(path, report);
    tellOtherSessions(report);
  }

  private Session withReceipt(Session session) throws IOException {
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
