package dev.agentreplay.cli;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.cli.input.OtherSession;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.proof.LogCheckpoint;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay prove}. */
@Command(
    name = "prove",
    header = "Create an inclusion proof or a consistency proof.",
    description = {
      "An inclusion proof (--line) shows that a line is part of the log. A consistency proof (--since)",
      "shows that the log has only been appended to. A proof is one JSON object for replay check, which",
      "needs no log, but a trusted checkpoint or signed receipt that states the root (RFC 6962).",
      "The receiver of an inclusion proof can test guesses of neighboring lines, whose hashes are in it:",
      "the command prints a warning. replay disclose has no such risk. A proof of line 1 of a salted",
      "log, which would contain the salt, is refused."
    },
    exitCodeList = {
      "0:Done.",
      "1:The log contradicts the checkpoint.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay prove sessions/fix-auth --line 4 --out line-4.json",
      "  replay prove sessions/fix-auth --since monday.json"
    })
final class ProveCommand extends TerminalCommand {

  private static final String GUESSES =
      "warning: the proof contains hashes of neighboring lines, so that its receiver can test guesses"
          + " of their content: replay disclose proves one value without them";

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, or id.")
  String session = "";

  @Option(names = "--line", paramLabel = "N", description = "Line to prove, numbered from 1.")
  @Nullable
  Long line;

  @Option(
      names = "--since",
      paramLabel = "CHECKPOINT|N",
      description = "Older state of the log: a checkpoint, or its first N lines.")
  @Nullable
  String since;

  @Option(
      names = "--at",
      paramLabel = "CHECKPOINT|N",
      description =
          "State of the log to prove against, instead of the current one: a checkpoint, or"
              + " its first N lines.")
  @Nullable
  String at;

  @Mixin
  OutFile out = new OutFile();

  /** A state of the log; {@code tree} is null if only its size is given. */
  private record Moment(String name, long size, @Nullable TreeHead tree) {}

  ProveCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    if ((line == null) == (since == null)) {
      throw new UsageException("specify exactly one of --line and --since");
    }
    try (OpenSession open = input.openForRereading(session)) {
      return prove(open.session());
    }
  }

  private int prove(Session located) throws IOException {
    LogProver log = LogProver.open(located);
    Moment now = new Moment("now", log.size(), null);
    Moment newer = at == null ? now : moment("--at", at, log, located);
    Moment older = since == null ? newer : moment("--since", since, log, located);
    if (isShorter(log, newer) || isShorter(log, older)) {
      return ExitCode.FINDINGS;
    }
    if (older.size > newer.size) {
      throw new UsageException(
          "--since has %d lines, more than the %d of --at".formatted(older.size, newer.size));
    }
    JsonObject proof =
        line != null ? inclusion(log, line, newer, located) : consistency(log, older, newer);
    if (proof == null) {
      return ExitCode.FINDINGS;
    }
    out.write(proof + "\n", input, terminal.data());
    return ExitCode.OK;
  }

  private Moment moment(String option, String text, LogProver log, Session located)
      throws IOException {
    if (text.matches("-?[0-9]{1,18}")) {
      long size = Long.parseLong(text);
      if (size < 0 || size > log.size()) {
        throw new UsageException(
            "%s: expected 0 to %d, found %s".formatted(option, log.size(), text));
      }
      return new Moment(text, size, null);
    }
    Path file = PathConverter.parse(text);
    LogCheckpoint checkpoint = input.checkpoint(file);
    String fault = OtherSession.fault(file, checkpoint, located);
    if (fault != null) {
      throw new IOException(fault);
    }
    return new Moment(text, checkpoint.tree().size(), checkpoint.tree());
  }

  private boolean isShorter(LogProver log, Moment moment) {
    if (moment.size <= log.size()) {
      return false;
    }
    complain("no proof: %s has %d lines, but the log has only %d: it was truncated"
        .formatted(moment.name, moment.size, log.size()));
    return true;
  }

  private @Nullable JsonObject inclusion(LogProver log, long number, Moment moment, Session located)
      throws IOException {
    if (number < 1 || number > moment.size) {
      throw new UsageException("--line: expected 1 to %d, found %d".formatted(moment.size, number));
    }
    if (number == 1 && hasSalt(located)) {
      throw new UsageException(
          "--line: line 1 contains the salt, which opens all values of published copies:"
              + " use replay disclose --line 1 --field POINTER");
    }
    InclusionProof proof = log.inclusion(number, moment.size);
    if (!isAsItWas(moment, proof.tree())) {
      return null;
    }
    if (!proof.path().isEmpty()) {
      complain(GUESSES);
    }
    return proof.toJson();
  }

  private static boolean hasSalt(Session located) throws IOException {
    ReplayLine first = located.firstLine();
    return first != null && first.event() instanceof ReplayHeader header && header.salt() != null;
  }

  private @Nullable JsonObject consistency(LogProver log, Moment older, Moment newer)
      throws IOException {
    ConsistencyProof proof = log.consistency(older.size, newer.size);
    boolean isAsItWas = isAsItWas(older, proof.first()) && isAsItWas(newer, proof.second());
    return isAsItWas ? proof.toJson() : null;
  }

  private boolean isAsItWas(Moment moment, TreeHead tree) {
    if (moment.tree == null || moment.tree.equals(tree)) {
      return true;
    }
    complain("no proof: the first %d lines of the log are not the lines of %s"
        .formatted(moment.size, moment.name));
    return false;
  }
}
