package dev.agentreplay.convert.trace.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceFormat;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only regular files next to a source or below it are attached, and only those are read. */
class TraceSourceTest {

  @TempDir
  private Path directory;

  private Path outside;
  private TraceSource source;

  @BeforeEach
  void source() throws IOException {
    Path traces = Files.createDirectories(directory.resolve("traces"));
    outside = Files.createDirectories(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    source =
        new TraceSource(TraceFormat.ATIF, Files.writeString(traces.resolve("main.1.json"), "{}"));
  }

  private Path beside(String name) {
    return source.path().resolveSibling(name);
  }

  private void assertRefused(Path file) throws IOException {
    source.attach(file, "x");
    assertThat(source.names()).containsExactly("main.1.json");
    assertThat(source.faults())
        .extracting(SourceFault::kind, SourceFault::place)
        .containsExactly(tuple(Kind.MISSING_FILE, SourcePlace.document("x")));
    assertThatThrownBy(() -> source.open("x")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void regularFilesAreAttached() throws IOException {
    Path file = Files.createDirectories(beside("main/parts")).resolve("a");
    source.attach(Files.writeString(file, "part"), "main/parts/a");
    try (InputStream in = source.open("main/parts/a")) {
      assertThat(in.readAllBytes()).isEqualTo("part".getBytes());
    }
    assertThat(source.faults()).isEmpty();
    assertThat(source.name()).isEqualTo("main.1");
  }

  @Test
  void rawBytesAreThoseOfTheFile() throws IOException {
    byte[] gzip = {0x1f, (byte) 0x8b, 1};
    source.attach(Files.write(beside("a.gz"), gzip), "a.gz");
    try (InputStream in = source.openRaw("a.gz")) {
      assertThat(in.readAllBytes()).isEqualTo(gzip);
    }
  }

  @Test
  void linkIsAFault() throws IOException {
    assertRefused(Files.createSymbolicLink(beside("link"), outside.resolve("secret")));
  }

  @Test
  void fileBehindALinkedDirectoryIsAFault() throws IOException {
    Path link = Files.createSymbolicLink(beside("main"), outside);
    assertThat(SourceFiles.below(link)).containsExactly(link);
    assertThat(SourceFiles.isDirectory(link)).isFalse();
    assertRefused(link.resolve("secret"));
  }

  @Test
  void missingFileIsAFault() throws IOException {
    assertRefused(beside("missing"));
  }

  @Test
  void twoFilesWithOneNameAreRefused() throws IOException {
    Path other = Files.writeString(beside("other"), "x");
    assertThatThrownBy(() -> source.attach(other, "main.1.json"))
        .isInstanceOf(IOException.class)
        .hasMessage("main.1.json: two files of the source have this name");
  }

  @Test
  void filesBelowAreListedWithLinks_notWithWhatTheyLeadTo() throws IOException {
    Path top = Files.createDirectories(beside("top/b"));
    Path a = Files.writeString(beside("top/a"), "");
    Path c = Files.createSymbolicLink(top.resolve("c"), outside);
    assertThat(SourceFiles.below(beside("top"))).containsExactly(a, c);
    assertThat(SourceFiles.entries(beside("top"))).containsExactly(a, top);
    assertThat(SourceFiles.below(beside("none"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "run.1.jsonl, run.1",
    "a.jsonl.gz, a",
    "a.json.zst, a",
    "a.traj, a",
    "a.traj.json, a",
    "a.eval, a",
    "a.b, a.b",
    "a, a",
    ".jsonl, .jsonl",
    "..jsonl, ..jsonl",
    "...json, ...json",
    ".a.json, .a"
  })
  void stemIsTheNameWithoutItsType(String name, String stem) {
    assertThat(SourceFiles.stem(name)).isEqualTo(stem);
  }

  @Test
  void damagedZstandardIsAFailureOfReading_neverAnotherException() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(bytes)) {
      for (int i = 0; i < 60; i++) {
        out.write("{\"type\":\"user\",\"n\":%d,\"x\":\"%x\"}\n"
            .formatted(i, i * 7919L)
            .getBytes());
      }
    }
    byte[] zstd = bytes.toByteArray();
    int failures = 0;
    for (int i = 4; i < zstd.length; i++) {
      byte[] damaged = zstd.clone();
      damaged[i] ^= (byte) (1 << (i % 8));
      failures += fails(damaged) ? 1 : 0;
      assertThat(fails(Arrays.copyOf(zstd, i))).as("cut at %d", i).isTrue();
    }
    assertThat(failures).isGreaterThan(zstd.length / 2);
    assertThat(fails(zstd)).isFalse();
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      byte[] made = new byte[60];
      random.nextBytes(made);
      System.arraycopy(zstd, 0, made, 0, 4 + i % 6);
      fails(made);
    }
  }

  /** Whether a compressed file cannot be read. */
  private boolean fails(byte[] bytes) throws IOException {
    Path file = Files.write(beside("damaged.zst"), bytes);
    try (InputStream in = new TraceSource(TraceFormat.CODEX, file).open()) {
      in.transferTo(OutputStream.nullOutputStream());
      return false;
    } catch (IOException expected) {
      return true;
    }
  }

  @Test
  void placesHaveNoControlCharacters() {
    assertThat(SourcePlace.line("a\u001b[31m", 3, 0)).hasToString("a\u241b[31m, line 3");
  }
}
