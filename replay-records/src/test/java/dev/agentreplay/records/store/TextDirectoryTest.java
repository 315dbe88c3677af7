package dev.agentreplay.records.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.testkit.JsonArbitraries;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Texts are found by their hashes, and altered ones are refused. */
class TextDirectoryTest {

  private static final String TEXT = "H1: cells differ \u00e4\ud83d\ude00\r\n";
  private static final RecordHash HASH = RecordHash.ofContent(TEXT);

  @TempDir
  Path temp;

  @Test
  void text_is_stored_as_its_bytes_and_named_by_its_hash() throws IOException {
    TextDirectory texts = TextDirectory.of(temp.resolve("a/content"));

    assertThat(texts.put(TEXT)).isEqualTo(HASH);

    assertThat(texts.directory().resolve(HASH.text())).hasContent(TEXT);
    assertThat(texts.text(HASH)).isEqualTo(TEXT);
  }

  @Test
  void missing_directory_has_no_texts() throws IOException {
    TextDirectory texts = TextDirectory.of(temp.resolve("missing"));

    assertThat(texts.text(HASH)).isNull();
    assertThat(temp.resolve("missing")).doesNotExist();
  }

  @Test
  void text_that_is_stored_again_is_kept() throws IOException {
    TextDirectory texts = TextDirectory.of(temp);
    texts.put(TEXT);
    Object key = Files.getAttribute(temp.resolve(HASH.text()), "lastModifiedTime");

    assertThat(texts.put(TEXT)).isEqualTo(HASH);

    assertThat(Files.getAttribute(temp.resolve(HASH.text()), "lastModifiedTime"))
        .isEqualTo(key);
    assertThat(names()).containsExactly(HASH.text());
  }

  @Test
  void hash_that_is_not_a_digest_is_not_a_path() throws IOException {
    TextDirectory texts = TextDirectory.of(temp.resolve("content"));
    texts.put(TEXT);
    Files.writeString(temp.resolve("secret"), "secret");

    for (String hash : List.of("../secret", "", "sha256:" + HASH, HASH.text().toUpperCase())) {
      assertThat(texts.text(new RecordHash(hash))).as(hash).isNull();
    }
  }

  @Test
  void text_with_a_changed_byte_is_refused() throws IOException {
    TextDirectory texts = TextDirectory.of(temp);
    Path file = temp.resolve(texts.put(TEXT).text());
    byte[] bytes = Files.readAllBytes(file);

    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      Files.write(file, changed);
      assertAltered(texts, file);
    }
  }

  @Test
  void text_that_was_cut_or_extended_is_refused() throws IOException {
    TextDirectory texts = TextDirectory.of(temp);
    Path file = temp.resolve(texts.put(TEXT).text());
    byte[] bytes = Files.readAllBytes(file);

    for (int length = 0; length <= bytes.length + 1; length++) {
      if (length != bytes.length) {
        Files.write(file, Arrays.copyOf(bytes, length));
        assertAltered(texts, file);
      }
    }
  }

  private void assertAltered(TextDirectory texts, Path file) throws IOException {
    byte[] altered = Files.readAllBytes(file);
    assertThatThrownBy(() -> texts.text(HASH))
        .isInstanceOf(AlteredTextException.class)
        .hasMessage("%s: the text was altered: its SHA-256 is not %s", file, HASH);
    assertThatThrownBy(() -> texts.put(TEXT)).isInstanceOf(AlteredTextException.class);
    assertThat(file).as("nothing is replaced").hasBinaryContent(altered);
  }

  @Test
  void bytes_that_are_not_text_are_refused_at_their_offset() throws IOException {
    byte[] bytes = {'o', 'k', (byte) 0xc3, '!'};
    RecordHash hash = RecordHash.of(ContentHash.sha256(bytes));
    Files.write(temp.resolve(hash.text()), bytes);

    assertThatThrownBy(() -> TextDirectory.of(temp).text(hash))
        .isInstanceOf(IOException.class)
        .hasMessage("%s: byte 2: expected UTF-8, found 0xc3", temp.resolve(hash.text()));
  }

  @Test
  void text_that_ends_within_a_character_is_refused() throws IOException {
    byte[] bytes = {'o', 'k', (byte) 0xc3};
    RecordHash hash = RecordHash.of(ContentHash.sha256(bytes));
    Files.write(temp.resolve(hash.text()), bytes);

    assertThatThrownBy(() -> TextDirectory.of(temp).text(hash))
        .hasMessageContaining("byte 2: expected UTF-8");
  }

  @Test
  void text_with_a_lone_surrogate_is_refused() {
    assertThatThrownBy(() -> TextDirectory.of(temp).put("a\ud83d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text has a lone surrogate U+D83D at index 1");
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void text_that_is_too_long_is_refused() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(temp.resolve(HASH.text()).toFile(), "rw")) {
      file.setLength(TextDirectory.MAX_BYTES + 1L);
    }

    assertThatThrownBy(() -> TextDirectory.of(temp).text(HASH))
        .hasMessageEndingWith(": expected a text of at most 67,108,864 bytes, found more");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void links_are_refused() throws IOException {
    Path file = Files.writeString(temp.resolve("text"), TEXT);
    Path content = Files.createDirectory(temp.resolve("content"));
    Files.createSymbolicLink(content.resolve(HASH.text()), file);
    Path link = Files.createSymbolicLink(temp.resolve("link"), content);

    String refused = "found a symbolic link, which is not followed";
    assertThatThrownBy(() -> TextDirectory.of(content).text(HASH)).hasMessageEndingWith(refused);
    assertThatThrownBy(() -> TextDirectory.of(content).put(TEXT)).hasMessageEndingWith(refused);
    assertThatThrownBy(() -> TextDirectory.of(link).text(HASH)).hasMessageEndingWith(refused);
    assertThatThrownBy(() -> TextDirectory.of(link).put(TEXT)).hasMessageEndingWith(refused);
  }

  @Test
  void directory_with_the_name_of_a_text_is_refused() throws IOException {
    Files.createDirectory(temp.resolve(HASH.text()));

    assertThatThrownBy(() -> TextDirectory.of(temp).text(HASH))
        .hasMessageEndingWith("expected a regular file, found a directory");
  }

  @Property(tries = 50)
  @Domain(JsonArbitraries.class)
  void every_text_is_read_as_it_was_stored(@ForAll String text) throws IOException {
    Path directory = Files.createTempDirectory("texts");
    try {
      TextDirectory texts = TextDirectory.of(directory);
      RecordHash hash = texts.put(text);

      assertThat(texts.text(hash)).isEqualTo(text);
      assertThat(directory.resolve(hash.text()))
          .hasBinaryContent(text.getBytes(StandardCharsets.UTF_8));
    } finally {
      TestFiles.delete(directory);
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(temp)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
