package dev.agentreplay.convert.trace.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.trace.reading.TraceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives are read strictly, and within limits. */
class EvalArchiveTest {

  private static final String TEXT = "{\"text\":\"" + "again and ".repeat(500) + "\"}";

  @TempDir
  private Path directory;

  private EvalArchive open(TestArchive archive) throws IOException {
    return EvalArchive.open(archive.write(directory.resolve("log.eval")));
  }

  private static TestArchive whole() throws IOException {
    return new TestArchive().add("header.json", TestArchive.DEFLATED, TEXT);
  }

  @ParameterizedTest
  @ValueSource(ints = {TestArchive.STORED, TestArchive.DEFLATED, TestArchive.ZSTANDARD})
  void membersOfEachMethodAreRead(int method) throws IOException {
    try (EvalArchive archive = open(whole().add("b", method, TEXT))) {
      assertThat(archive.names()).containsExactly("header.json", "b");
      assertThat(new String(archive.read("b"), UTF_8)).isEqualTo(TEXT);
    }
  }

  @Test
  void directoryWith64BitNumbersIsRead() throws IOException {
    try (EvalArchive archive = open(new TestArchive().wide().add("b", TestArchive.STORED, TEXT))) {
      assertThat(new String(archive.read("b"), UTF_8)).isEqualTo(TEXT);
    }
  }

  @Test
  void lastOfSeveralMembersWithOneNameCounts() throws IOException {
    TestArchive twice = new TestArchive()
        .add("a", TestArchive.STORED, "first")
        .add("a", TestArchive.STORED, "second");
    try (EvalArchive archive = open(twice)) {
      assertThat(new String(archive.read("a"), UTF_8)).isEqualTo("second");
      assertThat(archive.repeated()).containsExactly("a");
    }
  }

  @Test
  void truncatedArchiveIsRefusedAtEachLength() throws IOException {
    byte[] bytes = whole().bytes();
    for (int length = 0; length < bytes.length; length++) {
      Path file = Files.write(directory.resolve("cut.eval"), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> EvalArchive.open(file)).hasMessageContaining("truncated");
    }
  }

  @Test
  void flippedBytesAreFoundOrDoNoHarm() throws IOException {
    byte[] bytes = whole().add("b", TestArchive.ZSTANDARD, TEXT).bytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 0x21;
      Path file = Files.write(directory.resolve("flipped.eval"), flipped);
      try (EvalArchive archive = EvalArchive.open(file)) {
        for (String name : archive.names()) {
          assertThat(new String(archive.read(name), UTF_8)).isEqualTo(TEXT);
        }
      } catch (IOException refused) {
        assertThat(refused).message().isNotBlank();
      }
    }
  }

  @Test
  void memberLongerThanADocumentIsRefused() throws IOException {
    TestArchive bomb =
        whole().entry("b", TestArchive.DEFLATED, 0, 0, 10, TraceSource.MAX_DOCUMENT_BYTES + 1L, 0);
    assertThatThrownBy(() -> open(bomb)).hasMessageContaining("limit of a document");
  }

  @Test
  void membersThatOverlapAreRefused() throws IOException {
    TestArchive bomb = whole();
    for (int i = 0; i < 1_000; i++) {
      bomb.entry("b" + i, TestArchive.DEFLATED, 0, 0, 100, 100, 0);
    }
    assertThatThrownBy(() -> open(bomb)).hasMessageContaining("overlap");
  }

  @Test
  void membersThatAreTooLongTogetherAreRefused() throws IOException {
    TestArchive bomb = whole();
    for (int i = 0; i < 65; i++) {
      bomb.entry("b" + i, TestArchive.DEFLATED, 0, 0, 0, TraceSource.MAX_DOCUMENT_BYTES, 0);
    }
    assertThatThrownBy(() -> open(bomb)).hasMessageContaining("17,179,869,184 bytes");
  }

  @Test
  void membersThatAreAThousandTimesAsLongAsTheArchiveAreRefused() throws IOException {
    TestArchive bomb = whole();
    bomb.entry("b", TestArchive.DEFLATED, 0, 0, 0, TraceSource.MAX_DOCUMENT_BYTES, 0);
    assertThatThrownBy(() -> open(bomb)).hasMessageContaining("1,000 times its length");
  }

  @Test
  void tooManyMembersAreRefusedBeforeTheyAreRead() throws IOException {
    byte[] bytes = new TestArchive().wide().add("b", TestArchive.STORED, TEXT).bytes();
    int members = bytes.length - 22 - 20 - 56 + 32;
    bytes[members + 2] = 4; // 262,145 members
    Path file = Files.write(directory.resolve("many.eval"), bytes);
    assertThatThrownBy(() -> EvalArchive.open(file)).hasMessageContaining("262,145 members");
  }

  @Test
  void memberThatExpandsToMoreThanItStatesIsRefused() throws IOException {
    byte[] text = TEXT.getBytes(UTF_8);
    for (int method : new int[] {TestArchive.DEFLATED, TestArchive.ZSTANDARD}) {
      TestArchive lie = new TestArchive()
          .add("b", method, TestArchive.compress(method, text), 10, TestArchive.crc(text), 0);
      try (EvalArchive archive = open(lie)) {
        assertThatThrownBy(() -> archive.read("b")).hasMessageContaining("length or checksum");
      }
    }
  }

  @Test
  void encryptedAndUnknownMethodsAreRefused() throws IOException {
    TestArchive odd = new TestArchive()
        .add("secret", TestArchive.STORED, new byte[3], 3, 0, 1)
        .add("lzma", 14, new byte[3], 3, 0, 0);
    try (EvalArchive archive = open(odd)) {
      assertThatThrownBy(() -> archive.read("secret")).hasMessageContaining("encrypted");
      assertThatThrownBy(() -> archive.read("lzma")).hasMessageContaining("method 14");
    }
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "not an archive".repeat(10_000));
    assertThatThrownBy(() -> EvalArchive.open(file)).isInstanceOf(IOException.class);
  }
}
