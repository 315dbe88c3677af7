package dev.agentreplay.publish;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.publish.PublicationRefusedException.Reason;
import dev.agentreplay.publish.PublishOptions.Hashes;
import dev.agentreplay.publish.policy.LinePolicy;
import dev.agentreplay.publish.secret.IncrementalScan;
import dev.agentreplay.publish.secret.ScanReport;
import dev.agentreplay.publish.secret.SecretScanner;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes sessions: writes a copy that shows what a policy allows, in which everything that is
 * shown unchanged can be verified, and from which nothing that is withheld can be guessed.
 *
 * <pre>{@code
 * PublicationReport report = SessionPublisher.publish(
 *     Session.open(directory), Path.of("public"), PublishOptions.defaults());
 * report.removed().toJson(); // what was removed, without values
 * }</pre>
 *
 * <p>The session is verified first, and what is shown is scanned for secrets once more before the
 * directory appears. It appears as a whole; after a failure there is none. docs/privacy.md says
 * what is protected and what is not.
 */
public final class SessionPublisher {

  private SessionPublisher() {}

  /**
   * Publishes a session. A published copy can be published again with a policy that shows less; its
   * public root stays the same.
   *
   * @param out the directory to create
   * @throws PublicationRefusedException if the session must not be published with these options:
   *     {@link PublicationRefusedException#reason}
   * @throws FileAlreadyExistsException if the directory exists, unless it is empty, or an earlier
   *     publication that the options allow to replace
   * @throws IOException if a file cannot be read or written, or changes meanwhile; or if an
   *     attachment is not a file next to the log, or is part of the session itself
   */
  public static PublicationReport publish(Session session, Path out, PublishOptions options)
      throws IOException {
    PublicationSource source = PublicationSource.open(session, options.force());
    Publication publication = new Publication(source, options, SecretScanner.of(options.secrets()));
    try (PublicationFiles files = PublicationFiles.begin(session, out, options)) {
      List<String> names = new ArrayList<>();
      LinePolicy policy = publication.write(files.file(Session.LOG_NAME));
      names.add(Session.LOG_NAME);
      names.add(writeReceipt(files, source.dialect()));
      PublicCheckpoint checkpoint = publication.checkpoint();
      if (checkpoint != null) {
        WholeFile.create(files.file(Session.PUBLIC_CHECKPOINT_NAME), checkpoint.toBytes());
        names.add(Session.PUBLIC_CHECKPOINT_NAME);
      }
      for (String name : options.attachments()) {
        attach(session, name, files);
        names.add(name);
      }
      requireNoSecrets(source, options, files, publication.lastScan());
      files.commit();
      return new PublicationReport(
          out,
          source.report(),
          options.policy(),
          publication.lines(),
          checkpoint,
          policy.ledger(),
          names,
          warnings(source, options, checkpoint));
    }
  }

  private static String writeReceipt(PublicationFiles files, Dialect dialect) throws IOException {
    Receipt.Form form = dialect == Dialect.TYPE ? Receipt.Form.OPENAGENTS_V1 : Receipt.Form.SESSION;
    Session published = Session.open(files.directory());
    ReceiptFile.create(files.file(Session.RECEIPT_NAME), Receipts.compute(published, form));
    return Session.RECEIPT_NAME;
  }

  private static void attach(Session session, String name, PublicationFiles files)
      throws IOException {
    Path from = session.log().resolveSibling(name);
    boolean isPlainName = !name.isEmpty()
        && Path.of(name).getNameCount() == 1
        && Path.of(name).getFileName().toString().equals(name)
        && !name.equals(".")
        && !name.equals("..");
    if (!isPlainName || RegularFiles.file(from) == null) {
      throw new NoSuchFileException(
          from.toString(), null, "an attachment is a file next to the log, given by its name");
    } else if (SessionDirectory.isOfSession(name)
        || SessionDirectory.isLeftover(name)
        || Session.isAcceptedFile(name)
        || name.equals(SaltFile.NAME)) {
      throw new FileSystemException(
          name, null, "the original is never published: its hashes allow guessing");
    }
    RegularFiles.copy(from, files.file(name));
  }

  private static void requireNoSecrets(
      PublicationSource source,
      PublishOptions options,
      PublicationFiles files,
      IncrementalScan scan)
      throws IOException {
    Session session = source.session();
    PublishedBytes.requireNone(source, options, files);
    scan.file(Session.RECEIPT_NAME, files.file(Session.RECEIPT_NAME));
    for (String name : options.attachments()) {
      scan.file(name, files.file(name));
    }
    ScanReport found = scan.report();
    if (!found.skipped().isEmpty()) {
      throw PublicationSource.refused(
          session,
          Reason.SECRETS,
          "these files are too large to be scanned for secrets: " + found.skipped());
    } else if (!found.isClean()) {
      throw PublicationSource.refused(
          session,
          Reason.SECRETS,
          "the published files would contain secrets (%s), the first in %s; withhold them with a"
                  .formatted(found.counts(), found.findings().get(0).place())
              + " custom rule, or extend the allow-list of the rules");
    }
  }

  private static List<String> warnings(
      PublicationSource source, PublishOptions options, @Nullable PublicCheckpoint checkpoint) {
    List<String> warnings = new ArrayList<>();
    if (options.hashes() == Hashes.PLAIN) {
      warnings.add("plain hashes: a reader can test guesses of every withheld value that has a"
          + " hash, such as a PIN, a path or a boolean");
    }
    if (checkpoint != null && !checkpoint.isSigned()) {
      warnings.add("the public checkpoint is not signed: a reader cannot tell who published it");
    }
    if (source.header().salt() == null && !source.isPublished()) {
      warnings.add("the log has no salt of its own: anyone who has its receipt, its tree root or a"
          + " proof can test guesses of withheld values");
    }
    if (source.header().replayOf() != null) {
      warnings.add("the session is a replay: published copies of it and of the original show"
          + " together what either shows");
    }
    return warnings;
  }
}
