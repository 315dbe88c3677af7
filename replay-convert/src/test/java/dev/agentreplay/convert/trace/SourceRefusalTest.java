package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.testkit.TestFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source that cannot be imported is refused with a reason, and leaves nothing. */
@Timeout(300)
class SourceRefusalTest {

  private static final String LINE =
      """
      {"type":"user","sessionId":"s1","timestamp":"2026-01-01T10:00:00Z",\
      "message":{"role":"user","content":"Fix it"}}
      """;

  private static final TraceImporter IMPORTER = TraceImporter.of(ImportOptions.defaults());

  @TempDir
  private Path directory;

  private Path source;
  private Path out;

  @BeforeEach
  void source() {
    source = directory.resolve("s1.jsonl");
    out = directory.resolve("new/parent/out");
  }

  private void assertRefused(TraceImporter importer, String reason) throws IOException {
    List<Path> before = entries();
    assertThatThrownBy(() -> importer.importFile(source, out))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
    assertThat(entries()).isEqualTo(before);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> found = Files.walk(directory)) {
      return found.sorted().toList();
    }
  }

  private static byte[] gzip(byte[] bytes, int times) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(compressed)) {
      for (int i = 0; i < times; i++) {
        gzip.write(bytes);
      }
    }
    return compressed.toByteArray();
  }

  @Test
  void parentsOfTheResultAreNotLeft() throws IOException {
    Files.writeString(source, "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}\n");
    assertRefused(IMPORTER, "no message and no call");
  }

  @Test
  void truncatedGzipIsRefused() throws IOException {
    byte[] whole = gzip(LINE.repeat(5_000).getBytes(), 1);
    Files.write(source, Arrays.copyOf(whole, whole.length - 10));
    assertRefused(IMPORTER, "s1.jsonl");
  }

  @Test
  @Tag("slow")
  void fileThatExpandsToAThousandTimesItsLengthIsRefused() throws IOException {
    byte[] zeros = new byte[1 << 20];
    Arrays.fill(zeros, (byte) ' ');
    byte[] bomb = gzip(zeros, 200);
    byte[] line = gzip(LINE.getBytes(), 1);
    byte[] both = Arrays.copyOf(line, line.length + bomb.length);
    System.arraycopy(bomb, 0, both, line.length, bomb.length);
    Files.write(source, both);
    assertRefused(IMPORTER, "it expands to more than 1,000 times its length");
  }

  @Test
  void documentThatIsNestedTooDeepIsRefused() throws IOException {
    Files.writeString(
        source,
        "{\"schema_version\":\"ATIF-v1.4\",\"session_id\":\"s\",\"agent\":{\"name\":\"a\"},"
            + "\"x\":"
            + "[".repeat(950)
            + "]".repeat(950)
            + ",\"steps\":[{\"step_id\":1,\"source\":\"user\",\"message\":\"Fix it\"}]}");
    assertRefused(IMPORTER, "s1.jsonl: not JSON: ");
  }

  @Test
  void pipeIsRefused_notWaitedFor() throws Exception {
    assumeTrue(TestFiles.makePipe(source));
    assertThat(TraceImporter.detect(source)).isNull();
    assertRefused(IMPORTER, "does not begin like a trace");
    assertRefused(
        TraceImporter.of(ImportOptions.defaults().withFrom(TraceFormat.CLAUDE_CODE)),
        "found a special file");
  }

  @Test
  void directoryThatIsNoTraceOfTheFormatIsRefused() throws IOException {
    Files.createDirectory(source);
    for (TraceFormat format : TraceFormat.values()) {
      assertRefused(
          TraceImporter.of(ImportOptions.defaults().withFrom(format)),
          "[" + NothingRecognizedException.CODE + "]");
    }
  }

  @Test
  void messagesHaveNoControlCharacters() throws IOException {
    source = Files.writeString(directory.resolve("a\u001b[31m.jsonl"), "{\"hello\":1}\n");
    assertRefused(IMPORTER, "a\u241b[31m.jsonl");
    Files.writeString(source, "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}\n");
    assertRefused(IMPORTER, "a\u241b[31m.jsonl");
  }

  @Test
  void sourceThatIsALinkIsFollowed_butNotTheLinksNextToIt() throws IOException {
    Path real = Files.createDirectories(directory.resolve("real"));
    Path secret = Files.writeString(directory.resolve("secret"), LINE.replace("Fix it", "SECRET"));
    Files.writeString(real.resolve("s1.jsonl"), LINE);
    Files.createSymbolicLink(source, real.resolve("s1.jsonl"));
    Path subagents = Files.createDirectories(directory.resolve("s1/subagents"));
    Files.createSymbolicLink(subagents.resolve("agent-x.jsonl"), secret);

    ImportReport report = IMPORTER.importFile(source, out);

    assertThat(report.sessions()).hasSize(1);
    assertThat(report.faults()).allMatch(fault -> fault.kind() == Kind.MISSING_FILE);
    assertThat(Files.readString(out.resolve("REPLAY.jsonl"))).doesNotContain("SECRET");
  }

  @Test
  void loneSurrogateInTheFirstLineDoesNotHideTheFormat() throws IOException {
    Files.writeString(source, LINE.replace("Fix it", "Fix \\ud83d it"));
    assertThat(TraceImporter.detect(source)).isEqualTo(TraceFormat.CLAUDE_CODE);
    assertThat(IMPORTER.importFile(source, out).faultCount()).isEqualTo(1);
  }
}
