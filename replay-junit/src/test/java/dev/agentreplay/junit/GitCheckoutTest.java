package dev.agentreplay.junit;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.junit.ReplaySettings.Unused;
import dev.agentreplay.junit.ReplaySettings.Update;
import dev.agentreplay.junit.accepted.RecordingAcceptance;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import dev.agentreplay.verify.SessionSigner;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that git checks out with {@code core.autocrlf}, as it does by default on Windows. */
class GitCheckoutTest {

  private static final String RECORDING = "src/test/resources/reads";
  private static final String ALL = "src/test/resources/all";
  private static final String COMPRESSED = "src/test/resources/compressed";

  @TempDir
  private Path root;

  private Path project;
  private Session actual;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void accept() throws Exception {
    assumeTrue(hasGit(), "git is not installed");
    project = Files.createDirectory(root.resolve("project"));
    git(project, "init", "--quiet");
    Path folder = project.resolve("src/test/resources");
    Session planned = RecordingsFolder.planned(project.resolve(RECORDING));
    actual = Session.open(TestRun.record(root.resolve("actual"), "a line\nand another"));
    ReplaySettings settings = new ReplaySettings(
        project,
        folder,
        root.resolve("output"),
        Update.MISSING,
        Unused.NONE,
        RecordingAcceptance.Handling.REPORT,
        false);

    assertThat(new Acceptance(new TestCommand(settings, null), notes::add)
            .offer(actual, planned, DiffOptions.defaults()))
        .isNull();
  }

  private static boolean hasGit() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(path -> Stream.of(new File(path, "git"), new File(path, "git.exe")))
        .anyMatch(File::canExecute);
  }

  /** Runs git without the settings of the user and the machine. */
  private void git(Path directory, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder
        .environment()
        .putAll(Map.of(
            "GIT_CONFIG_GLOBAL", root.resolve("none").toString(),
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_AUTHOR_NAME", "a",
            "GIT_AUTHOR_EMAIL", "a@example.org",
            "GIT_COMMITTER_NAME", "a",
            "GIT_COMMITTER_EMAIL", "a@example.org"));
    Path out = root.resolve("git.txt");
    Process process =
        builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as(String.join(" ", command) + "\n" + Files.readString(out, StandardCharsets.ISO_8859_1))
        .isZero();
  }

  /** The recording in a clone of what is committed, with the settings of Windows. */
  private Session clone(String name) throws Exception {
    git(project, "add", "--all");
    git(project, "commit", "--quiet", "--message", name);
    git(root, "clone", "--quiet", "--config", "core.autocrlf=true", "project", name);
    return Session.open(root.resolve(name).resolve(RECORDING));
  }

  @Test
  void tests_pass_with_the_attributes_that_accepting_wrote() throws Exception {
    Path attributes = project.resolve("src/test/resources/.gitattributes");
    Files.writeString(project.resolve("notes.txt"), "one\ntwo\n");
    assertThat(attributes).exists();
    assertThat(notes).anyMatch(note -> note.startsWith("replay: wrote " + attributes));

    Session recording = clone("windows");

    assertThat(root.resolve("windows/notes.txt")).content().isEqualTo("one\r\ntwo\r\n");
    assertThat(recording).isVerified();
    assertThat(actual).matches(recording);
  }

  /** Every file that a session may have: segments, blobs, signatures, and a snapshot. */
  @Test
  void session_with_all_its_files_is_valid_in_a_clone() throws Exception {
    Path workspace = Files.createDirectory(root.resolve("workspace"));
    Files.writeString(workspace.resolve("notes.txt"), "one\ntwo\n");
    Path directory = project.resolve(ALL);
    try (SessionRecorder recorder = SessionRecorder.start(
        directory,
        SessionStart.of("all"),
        RecorderOptions.defaults()
            .withBlobThreshold(20)
            .withWriter(WriterOptions.defaults().withMaxSegmentBytes(500))
            .withCircumstances(
                Circumstances.defaults().withWorkspace(SnapshotCapture.of(workspace))))) {
      recorder.call("read", JsonObject.of("path", "a.txt")).result("line\n".repeat(20));
      recorder.end(Status.SUCCESS, 1);
    }
    Files.writeString(directory.resolve(Session.SUMMARY_NAME), "one\ntwo\n");
    Ed25519Signer signer = Ed25519Signer.generate();
    SessionSigner.sign(Session.open(directory), signer);
    VerifyPolicy policy =
        VerifyPolicy.defaults().requiringSignature(Ed25519Verifier.of(List.of(signer.publicKey())));
    Set<FindingCode> findings = findings(Session.open(directory), policy);
    assertThat(TestRun.files(directory))
        .contains("REPLAY.jsonl.2", "RECEIPT.dsse.json", "PUBLIC_CHECKPOINT.json")
        .anyMatch(file -> file.startsWith("blobs/"))
        .anyMatch(file -> file.startsWith("snapshot/files/"));
    Path compressed = Files.createDirectory(project.resolve(COMPRESSED));
    try (OutputStream out = new GZIPOutputStream(
        Files.newOutputStream(compressed.resolve(Session.COMPRESSED_LOG_NAME)))) {
      Files.copy(project.resolve(RECORDING).resolve(Session.LOG_NAME), out);
    }
    Files.copy(
        project.resolve(RECORDING).resolve(Session.RECEIPT_NAME),
        compressed.resolve(Session.RECEIPT_NAME));

    Path clone = clone("windows").log().resolve("../../../../..").normalize();

    assertThat(Files.readString(clone.resolve(ALL).resolve(Session.SUMMARY_NAME)))
        .isEqualTo("one\r\ntwo\r\n");
    assertThat(Session.open(clone.resolve(ALL))).isVerified(policy);
    assertThat(findings(Session.open(clone.resolve(ALL)), policy)).isEqualTo(findings);
    assertThat(Session.open(clone.resolve(COMPRESSED))).isVerified();
  }

  private static Set<FindingCode> findings(Session session, VerifyPolicy policy)
      throws IOException {
    return SessionVerifier.of(policy).verify(session).findingCounts().keySet();
  }

  @Test
  void tests_without_attributes_fail_with_the_remedy() throws Exception {
    Files.delete(project.resolve("src/test/resources/.gitattributes"));

    Session recording = clone("windows");

    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the recording does not verify: ")
        .hasMessageContaining("LINE_ENDINGS_CONVERTED")
        .hasMessageContaining("git has converted the recording")
        .hasMessageContaining(".gitattributes")
        .hasMessageNotContaining("NOT_CANONICAL");
  }
}
