package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.pack.TestPacks;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.verify.SessionSigner;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that a conversion writes into a directory, and those that it leaves unchanged. */
class ConversionOutputTest {

  private static final ConvertOptions WITH_RECEIPT = ConvertOptions.defaults().withReceipt(true);

  @TempDir
  Path root;

  private Path directory;
  private Path out;
  private Session session;

  @BeforeEach
  void record() throws IOException {
    directory = root.resolve("session");
    out = root.resolve("out");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(100);
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.call("tool", JsonObject.EMPTY).result("output ".repeat(100));
      recorder.end(Status.SUCCESS, 1);
    }
    Files.writeString(directory.resolve("PR_SUMMARY.md"), "# done");
    session = Session.open(directory);
  }

  private ConversionReport convert(SessionFormat to, ConvertOptions options) throws IOException {
    return SessionConverter.convertInto(out, session, to, options);
  }

  private static String blob(Path session) throws IOException {
    return TestPacks.tree(session).keySet().stream()
        .filter(path -> path.startsWith("blobs/"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void only_what_belongs_to_the_log_is_written_and_all_of_it_is_listed() throws IOException {
    for (String path : new String[] {
      ".ssh/authorized_keys",
      "pom.xml",
      ".git/hooks/pre-commit",
      "blobs/notes.txt",
      "blobs/sha256-" + "0".repeat(64) + ".json",
      "snapshot/a",
      "RECEIPT.dsse.json"
    }) {
      Path file = directory.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "evil");
    }

    ConversionReport report = convert(SessionFormat.TYPE, WITH_RECEIPT);

    String blob = blob(out);
    assertThat(TestPacks.tree(out))
        .containsOnlyKeys("PR_SUMMARY.md", "RECEIPT.json", "REPLAY.jsonl", blob);
    assertThat(out.resolve(blob)).hasSameBinaryContentAs(directory.resolve(blob));
    assertThat(report.files())
        .containsExactlyInAnyOrder(
            out.resolve("REPLAY.jsonl"),
            out.resolve("RECEIPT.json"),
            out.resolve("PR_SUMMARY.md"),
            out.resolve(blob));
    assertThat(report.toJson().at("/files").asArray().size()).isEqualTo(4);
  }

  @Test
  void public_checkpoint_is_not_copied_because_the_lines_change() throws IOException {
    SessionSigner.sign(session, Ed25519Signer.generate());
    assertThat(session.publicCheckpoint()).isNotNull();

    convert(SessionFormat.TYPE, WITH_RECEIPT);

    assertThat(TestPacks.tree(out))
        .containsKey("RECEIPT.json")
        .doesNotContainKeys("PUBLIC_CHECKPOINT.json", "RECEIPT.dsse.json");
    assertThat(Files.readString(out.resolve("RECEIPT.json"))).doesNotContain("public_root");
  }

  @Test
  void blob_that_is_written_into_the_log_is_not_copied() throws IOException {
    convert(SessionFormat.DRAFT, WITH_RECEIPT);

    assertThat(TestPacks.tree(out))
        .containsOnlyKeys("PR_SUMMARY.md", "RECEIPT.json", "REPLAY.jsonl");
  }

  @Test
  void params_in_a_blob_are_copied_or_written_into_the_log_of_a_draft() throws IOException {
    JsonObject params = JsonObject.of("text", "x".repeat(200));
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(100);
    Path called = root.resolve("called");
    try (SessionRecorder recorder = SessionRecorder.start(called, SessionStart.of("s"), options)) {
      recorder.call("tool", params).result("done");
      recorder.end(Status.SUCCESS, 1);
    }
    session = Session.open(called);
    convert(SessionFormat.TYPE, WITH_RECEIPT);
    assertThat(Files.readString(out.resolve("REPLAY.jsonl"))).contains("params_ref");
    assertThat(out.resolve(blob(called))).hasSameBinaryContentAs(called.resolve(blob(called)));

    out = root.resolve("draft");
    ConversionReport report = convert(SessionFormat.DRAFT, WITH_RECEIPT);
    assertThat(TestPacks.tree(out)).containsOnlyKeys("RECEIPT.json", "REPLAY.jsonl");
    assertThat(Files.readString(out.resolve("REPLAY.jsonl")))
        .contains("\"params\":" + params)
        .doesNotContain("params_ref", "params_preview");
    assertThat(report.ledger().toJson().toString()).contains("params_ref", "params_preview");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REPLAY.jsonl",
        "RECEIPT.json",
        "RECEIPT.dsse.json",
        "PUBLIC_CHECKPOINT.json",
        "PR_SUMMARY.md",
        "blob"
      })
  void file_that_exists_is_refused_before_anything_is_written(String name) throws IOException {
    Path mine = out.resolve(name.equals("blob") ? blob(directory) : name);
    Files.createDirectories(mine.getParent());
    Files.writeString(mine, "mine");
    Map<String, String> before = TestPacks.tree(out);

    assertThatThrownBy(() -> convert(SessionFormat.TYPE, ConvertOptions.defaults()))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(mine.toString());

    assertThat(TestPacks.tree(out)).isEqualTo(before);
    assertThat(convert(SessionFormat.TYPE, WITH_RECEIPT.withOverwrite(true)).out())
        .isNotNull();
    assertThat(TestPacks.tree(out)).doesNotContainValue("mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPLAY.jsonl", "RECEIPT.json", "PR_SUMMARY.md", "blob"})
  void link_in_place_of_a_file_is_not_followed(String name) throws IOException {
    Path outside = Files.writeString(root.resolve("outside"), "mine");
    Path link = out.resolve(name.equals("blob") ? blob(directory) : name);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, outside);

    assertThatThrownBy(() -> convert(SessionFormat.TYPE, WITH_RECEIPT.withOverwrite(true)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a regular file, found a symbolic link");

    assertThat(outside).hasContent("mine");
    assertThat(link).isSymbolicLink();
    assertThat(TestPacks.tree(out)).hasSize(1);
  }

  @Test
  void directory_of_blobs_that_is_a_link_is_not_followed() throws IOException {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.createDirectory(out);
    Files.createSymbolicLink(out.resolve("blobs"), outside);

    assertThatThrownBy(() -> convert(SessionFormat.TYPE, WITH_RECEIPT.withOverwrite(true)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a directory, found a symbolic link");

    assertThat(outside).isEmptyDirectory();
    assertThat(out.toFile().list()).containsExactly("blobs");
  }

  @Test
  void directory_with_a_compressed_log_is_refused() throws IOException {
    Files.createDirectory(out);
    Files.writeString(out.resolve("REPLAY.jsonl.gz"), "x");

    assertThatThrownBy(() -> convert(SessionFormat.TYPE, WITH_RECEIPT.withOverwrite(true)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("there would be two logs");
  }

  @Test
  void what_belongs_to_the_session_that_is_replaced_is_removed() throws IOException {
    Files.createDirectory(out);
    Files.writeString(out.resolve("RECEIPT.json"), "{}");
    Files.writeString(out.resolve("RECEIPT.dsse.json"), "{}");
    Files.writeString(out.resolve("PUBLIC_CHECKPOINT.json"), "{}");
    Files.writeString(out.resolve("PR_SUMMARY.md"), "# done before");
    Files.delete(directory.resolve("PR_SUMMARY.md"));
    session = Session.open(directory);

    ConversionReport report =
        convert(SessionFormat.TYPE, ConvertOptions.defaults().withOverwrite(true));

    assertThat(TestPacks.tree(out)).containsOnlyKeys("REPLAY.jsonl", blob(out));
    assertThat(report.warnings()).hasSize(4).allMatch(text -> text.startsWith("removed " + out));
  }

  @Test
  void session_is_converted_in_its_own_directory() throws IOException {
    out = directory;
    String blob = blob(directory);

    ConversionReport report = convert(SessionFormat.TYPE, WITH_RECEIPT.withOverwrite(true));

    assertThat(report.files())
        .containsExactly(out.resolve("REPLAY.jsonl"), out.resolve("RECEIPT.json"));
    assertThat(TestPacks.tree(out)).containsKeys("PR_SUMMARY.md", blob);
    assertThat(Files.readString(out.resolve("REPLAY.jsonl"), UTF_8)).startsWith("{\"created_at\"");
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void all_is_as_before_when_a_step_of_replacing_fails(boolean isError, boolean isDone)
      throws IOException {
    Map<String, String> old = Map.of(
        "REPLAY.jsonl", "old log", "RECEIPT.json", "old receipt", "RECEIPT.dsse.json", "envelope");
    int failed = 0;
    boolean isReplaced = false;
    for (int step = 1; !isReplaced; step++) {
      Path target = Files.createDirectories(root.resolve("step-" + step));
      for (Map.Entry<String, String> file : old.entrySet()) {
        Files.writeString(target.resolve(file.getKey()), file.getValue());
      }
      Throwable fault = isError ? new Error("injected") : new IOException("injected");
      Path log = target.resolve("REPLAY.jsonl");
      Disk failing = failing(step, isDone, fault, () -> assertThat(log).exists());
      try (ConversionOutput output = new ConversionOutput(failing, true)) {
        output.add(target.resolve("REPLAY.jsonl")).write('n');
        output.add(target.resolve("RECEIPT.json")).write('n');
        output.add(target.resolve("PR_SUMMARY.md")).write('n');
        output.remove(target.resolve("RECEIPT.dsse.json"));
        assertThat(output.commit()).isEmpty();
        isReplaced = true;
      } catch (IOException | Error e) {
        assertThat(e).hasMessage("injected").hasNoSuppressedExceptions();
        failed++;
      }
      assertThat(TestPacks.tree(target))
          .as("step %d", step)
          .isEqualTo(
              isReplaced
                  ? Map.of("REPLAY.jsonl", "n", "RECEIPT.json", "n", "PR_SUMMARY.md", "n")
                  : old);
    }
    assertThat(failed).isGreaterThan(6);
  }

  /**
   * The local disk, of which the n-th call that changes or forces names fails, perhaps when done.
   */
  private static Disk failing(int step, boolean isDone, Throwable fault, Runnable always) {
    int[] steps = {0};
    return (Disk) Proxy.newProxyInstance(
        Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          always.run();
          String name = method.getName();
          boolean isStep = Set.of("move", "moveIfAbsent", "forceDirectory").contains(name)
              || (name.equals("delete") && arguments[0].toString().endsWith("dsse.json"));
          boolean fails = isStep && ++steps[0] == step;
          if (fails && !(isDone && name.equals("move"))) {
            throw fault;
          }
          Object result = method.invoke(LocalDisk.INSTANCE, arguments);
          if (fails) {
            throw fault;
          }
          return result;
        });
  }

  @Test
  void nothing_is_left_of_a_conversion_that_fails() throws IOException {
    Files.delete(directory.resolve(blob(directory)));
    Files.createDirectory(directory.resolve("blobs/"
        + Files.readString(session.log(), UTF_8)
            .replaceAll("(?s).*\"blob\":\"sha256:([0-9a-f]{64})\".*", "sha256-$1.json")));
    out = root.resolve("new/deeper");

    assertThatThrownBy(() -> convert(SessionFormat.TYPE, WITH_RECEIPT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("found a directory");

    assertThat(root.resolve("new")).doesNotExist();
  }

  @Test
  void blobs_beyond_the_limit_are_not_written_into_the_log() throws IOException {
    long bytes = Files.size(directory.resolve(blob(directory)));

    assertThatThrownBy(
            () -> convert(SessionFormat.DRAFT, WITH_RECEIPT.withMaxEmbeddedBytes(bytes - 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a blob of %d bytes, after 0 bytes of others".formatted(bytes))
        .hasMessageContaining("limit of %d bytes".formatted(bytes - 1));
    assertThat(out).doesNotExist();
    assertThat(convert(SessionFormat.DRAFT, WITH_RECEIPT.withMaxEmbeddedBytes(bytes))
            .out())
        .isNotNull();
  }
}
