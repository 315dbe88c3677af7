package dev.agentreplay.cli;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.cli.input.OtherSession;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.PathConverter;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.proof.LogCheckpoint;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay prove}. */
@Command(
    name = "prove",
    header = "Make an inclusion proof of a line of a log, or a consistency proof of the log.",
    description = {
      "",
      "The proof is one JSON object, which replay check takes. Whoever checks it needs no log, but",
      "something to trust that states the root: a checkpoint, or a receipt that is signed.",
      "Exit code 1: the log is not what it was at a checkpoint."
    })
final class ProveCommand extends TerminalCommand {

  @Spec
  CommandSpec spec = CommandSpec.create();

  @Mixin
  ReadableSessions input = new ReadableSessions();

  @Parameters(paramLabel = "SESSION", description = "Of what.")
  String session = "";

  @Option(names = "--line", paramLabel = "N", description = "That this line is one of the log.")
  @Nullable
  Long line;

  @Option(
      names = "--since",
      paramLabel = "CHECKPOINT|N",
      description = "That it has only grown since this checkpoint, or since it had N lines.")
  @Nullable
  String since;

  @Option(
      names = "--at",
      paramLabel = "CHECKPOINT|N",
      description = "Of the log as it was then, instead of now.")
  @Nullable
  String at;

  @Mixin
  OutFile out = new OutFile();

  /** When the log was what it was; {@code tree} is null when only its size is given. */
  private record Moment(String name, long size, @Nullable TreeHead tree) {}

  ProveCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    if ((line == null) == (since == null)) {
      throw wrong("one of --line and --since is wanted, and only one");
    }
    Session located = input.locateForRereading(session);
    LogProver log = LogProver.open(located);
    Moment now = new Moment("now", log.size(), null);
    Moment newer = at == null ? now : moment("--at", at, log, located);
    Moment older = since == null ? newer : moment("--since", since, log, located);
    if (isShorter(log, newer) || isShorter(log, older)) {
      return ExitCode.FINDINGS;
    }
    if (older.size > newer.size) {
      throw wrong(
          "--since is of %d lines, which is later than %d".formatted(older.size, newer.size));
    }
    JsonObject proof = line != null ? inclusion(log, line, newer) : consistency(log, older, newer);
    if (proof == null) {
      return ExitCode.FINDINGS;
    }
    out.write(proof + "\n", terminal.data());
    return ExitCode.OK;
  }

  private Moment moment(String option, String text, LogProver log, Session located)
      throws IOException {
    if (text.matches("-?[0-9]{1,18}")) {
      long size = Long.parseLong(text);
      if (size < 0 || size > log.size()) {
        throw wrong("%s must be from 0 to %d: %s".formatted(option, log.size(), text));
      }
      return new Moment(text, size, null);
    }
    Path file = PathConverter.parse(text);
    LogCheckpoint checkpoint = LogCheckpoint.read(file);
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
    complain("no proof: %s is of %d lines, but the log has %d: some were cut off"
        .formatted(moment.name, moment.size, log.size()));
    return true;
  }

  private @Nullable JsonObject inclusion(LogProver log, long number, Moment moment)
      throws IOException {
    if (number < 1 || number > moment.size) {
      throw wrong("--line must be from 1 to %d: %d".formatted(moment.size, number));
    }
    InclusionProof proof = log.inclusion(number, moment.size);
    return isAsItWas(moment, proof.tree()) ? proof.toJson() : null;
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
    complain("no proof: the first %d lines of the log are not those that %s is of"
        .formatted(moment.size, moment.name));
    return false;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
