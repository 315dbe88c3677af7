package dev.agentreplay.cli;

import dev.agentreplay.canonical.commitment.Disclosure;
import dev.agentreplay.cli.input.OutFile;
import dev.agentreplay.cli.input.ReadableSessions;
import dev.agentreplay.cli.input.SaltOption;
import dev.agentreplay.cli.text.Style;
import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.publish.PublicationRefusedException;
import dev.agentreplay.publish.SessionDiscloser;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay disclose}. */
@Command(
    name = "disclose",
    header = "Disclose one value of a session, verifiable with its public checkpoint.",
    description = {
      "The disclosure is one JSON object: the value, and the proof that the session has it at this",
      "place. It opens no other value but the type of the event, the id of the call and the name of the",
      "tool. replay check verifies it."
    },
    exitCodeList = {
      "0:Disclosed.",
      "1:Refused: the log has no such value, or it would help to guess others.",
      "2:Wrong usage.",
      "3:Unreadable input."
    },
    footer = {
      "  replay disclose sessions/fix-auth --call tc_001 --field /params/path --out path.json",
      "  replay disclose sessions/fix-auth --line 4 --field /output",
      "  replay check path.json --checkpoint public/PUBLIC_CHECKPOINT.json"
    })
final class DiscloseCommand extends TerminalCommand {

  @Mixin
  ReadableSessions input = new ReadableSessions(terminal);

  @Parameters(
      paramLabel = "SESSION",
      description = "Session directory, log, packed session, id, or published copy.")
  String name = "";

  @Option(
      names = "--call",
      paramLabel = "ID",
      description = "Id of the call; the value is one of the call or of its result.")
  @Nullable
  String call;

  @Option(names = "--line", paramLabel = "N", description = "Line of the value, numbered from 1.")
  @Nullable
  Long line;

  @Option(
      names = "--field",
      required = true,
      paramLabel = "POINTER",
      description = "JSON Pointer (RFC 6901) of the value in the line, such as /params/path.")
  String field = "";

  @Option(
      names = "--bare",
      description = "Do not disclose the type of the event, the id and the tool as well.")
  boolean bare;

  @Mixin
  SaltOption salt = new SaltOption();

  @Mixin
  OutFile out = new OutFile();

  DiscloseCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException {
    out.check();
    if ((call == null) == (line == null)) {
      throw new UsageException("specify exactly one of --call and --line");
    }
    JsonPointer pointer = pointer();
    try (OpenSession open = input.openForRereading(name)) {
      Disclosure disclosure = disclose(open.session(), pointer);
      out.write(disclosure.toJson() + "\n", input, terminal.data());
      return ExitCode.OK;
    } catch (PublicationRefusedException e) {
      complain("not disclosed: " + Style.plain(String.valueOf(e.getMessage())));
      return ExitCode.FINDINGS;
    }
  }

  private Disclosure disclose(Session session, JsonPointer pointer) throws IOException {
    SessionDiscloser discloser = SessionDiscloser.open(session, salt.toDisclose(session));
    long number = line != null ? line : discloser.lineOf(String.valueOf(call), pointer);
    return discloser.disclose(number, pointer, !bare);
  }

  private JsonPointer pointer() {
    try {
      return JsonPointer.parse(field);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--field: expected a JSON Pointer such as /params/path, found \"%s\"".formatted(field));
    }
  }
}
