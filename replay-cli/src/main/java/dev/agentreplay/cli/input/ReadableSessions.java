package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.convert.trace.OpenTrace;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.verify.proof.LogCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds the sessions named on the command line, and refuses unsupported versions of the log. */
public final class ReadableSessions {

  private final Terminal terminal;

  @Mixin
  private SessionInput input;

  @Option(
      names = "--force",
      description =
          "Read a log of an unsupported version, or a file that does not look like a log.")
  private boolean force;

  /** Creates the options; warnings go to the terminal. */
  public ReadableSessions(Terminal terminal) {
    this.terminal = terminal;
    input = new SessionInput(terminal);
  }

  /** Whether {@code --force} is given. */
  public boolean isForced() {
    return force;
  }

  /** The sessions that names mean: each a session, or a directory of sessions. */
  public SessionLocations locations(List<String> names) {
    return new SessionLocations(input, names);
  }

  /** Whether names mean several sessions: there are several, or one of a directory of sessions. */
  public boolean areSeveral(List<String> names) throws IOException {
    if (names.size() > 1) {
      return true;
    }
    Path path = input.resolve(names.get(0));
    return Files.isDirectory(path) && !Sessions.isSession(path) && !OpenTrace.isTrace(path);
  }

  /** Opens the session with a name; {@link #check} its lines as they are read. */
  public OpenSession open(String name) throws IOException {
    return input.open(name);
  }

  /**
   * Opens the session with a name, or imports a trace of a different tool for as long as it is
   * open, unless {@code --force} reads its lines as those of a log.
   */
  public OpenSession openOrImport(String name) throws IOException {
    return force ? input.open(name) : input.openOrImport(name);
  }

  /** Opens the session with a name for a command that reads it more than once. */
  public OpenSession openForRereading(String name) throws IOException {
    return rereadable(input.open(name));
  }

  /** Opens a session or a trace as {@link #openOrImport} does, to read it more than once. */
  public OpenSession openOrImportForRereading(String name) throws IOException {
    return rereadable(openOrImport(name));
  }

  private OpenSession rereadable(OpenSession opened) throws IOException {
    try {
      requireRereadable(opened.session());
      return opened;
    } catch (Throwable e) {
      try (opened) {
        throw e;
      }
    }
  }

  /** The session with a name, for a command that reads it and then writes to its directory. */
  public Session locateForWriting(String name) throws IOException {
    Session session = input.locateForWriting(name);
    requireRereadable(session);
    return session;
  }

  /** Refuses a session that can be read only once, as from a pipe, or is not a supported log. */
  public void requireRereadable(Session session) throws IOException {
    SessionInput.requireRegularFile(session);
    long events = 0;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        check(session, reader, line);
        events++;
        if (!(line.event() instanceof UnknownEvent)) {
          return; // of a log, the first line
        }
      }
    }
    requireEvents(session, events, 0);
  }

  /**
   * Refuses a file that looks like a different format, and a log whose header has an unsupported
   * version; with {@code --force}, warns instead.
   */
  public void check(Session session, ReplayReader reader, ReplayLine line) throws IOException {
    check(session, reader.foreignFormat(), line);
  }

  /**
   * Checks a line as {@link #check(Session, ReplayReader, ReplayLine)} does.
   *
   * @param foreignFormat the format that the file seems to have; null if none is recognized
   */
  public void check(Session session, @Nullable String foreignFormat, ReplayLine line)
      throws IOException {
    if (line.position().line() == 1 && foreignFormat != null) {
      refuseUnlessForced(session, "the file looks like " + foreignFormat);
    }
    if (!(line.event() instanceof ReplayHeader header)) {
      return;
    }
    String fault = header.versionFault();
    if (fault == null) {
      return;
    }
    if (header.support() == ReplayHeader.Support.NEWER) {
      warn("%s: %s".formatted(session.log(), fault));
    } else {
      refuseUnlessForced(session, fault);
    }
  }

  /** Refuses to write to a directory, or to a file that the command reads. */
  public void requireOutput(Path file) throws IOException {
    input.requireOutput(file);
  }

  /** Adds a file that the command reads, if it exists, so that its output does not replace it. */
  public void addInput(@Nullable Path file) {
    input.addInput(file);
  }

  /** Reads a checkpoint, which the command's output does not replace. */
  public LogCheckpoint checkpoint(Path file) throws IOException {
    input.addInput(file);
    return LogCheckpoint.read(file);
  }

  /** The signer with a private key that only its owner can access, unless forced. */
  public Ed25519Signer signer(Path file) throws IOException {
    input.addInput(file);
    Ed25519Signer signer = KeyFiles.signer(file);
    String shared = OwnerOnly.sharedPermissions(file);
    if (shared != null) {
      String reason =
          "%s: other users can access this private key (permissions %s)".formatted(file, shared);
      if (!force) {
        throw new IOException(
            reason + "; run chmod 600, or sign with it all the same with --force");
      }
      warn(reason);
    }
    return signer;
  }

  /**
   * Refuses a log without events, or without an event of a known kind.
   *
   * @param events the number of events in the whole log
   * @param known the number of events of a known kind
   */
  public void requireEvents(Session session, long events, long known) throws IOException {
    if (events == 0) {
      throw new IOException(session.log() + ": expected a log, found no events");
    }
    if (known == 0 && !force) {
      refuseUnlessForced(
          session, "expected a log, found no event of a known kind in its lines: " + events);
    }
  }

  private void refuseUnlessForced(Session session, String reason) throws IOException {
    if (!force) {
      throw new IOException("%s: %s; --force reads it anyway".formatted(session.log(), reason));
    }
    warn("%s: %s; read all the same".formatted(session.log(), reason));
  }

  private void warn(String message) {
    terminal.complain("warning: " + message);
  }
}
