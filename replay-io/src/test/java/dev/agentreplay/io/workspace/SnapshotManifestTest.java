package dev.agentreplay.io.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Surrogates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of a manifest, and each way in which they can be malformed. */
public class SnapshotManifestTest {

  private static final Instant TIME = Instant.parse("2026-11-24T03:00:00.123456789Z");
  private static final ContentHash HASH = ContentHash.sha256(new byte[0]);
  private static final HostIdentity IDENTITY =
      new HostIdentity("me", 1000L, 1000L, "/home/me", "laptop", "022", Map.of("LANG", "C"));

  private static final String HEADER = "{\"bytes\":7,\"files\":2,\"identity\":{\"gid\":1000,"
      + "\"home\":\"/home/me\",\"host\":\"laptop\",\"uid\":1000,\"umask\":\"022\",\"user\":\"me\",\"variables\":{\"LANG\":\"C\"}},"
      + "\"left_out\":{\"ignored\":{\"count\":1}},\"mode\":\"040755\","
      + "\"modified\":\"2026-11-24T03:00:00.123456789Z\",\"root\":\"/home/me/project\","
      + "\"rules\":{\"ignore\":[\".git/\"]},\"snapshot_version\":1}";
  private static final String FILE = "{\"bytes\":7,\"hash\":\"" + HASH
      + "\",\"mode\":\"100644\",\"modified\":\"2026-11-24T03:00:00.123456789Z\","
      + "\"path\":\"src/a.txt\"}";
  private static final String DIRECTORY =
      "{\"mode\":\"040755\",\"modified\":\"2026-11-24T03:00:00.123456789Z\",\"path\":\"src\"}";
  private static final String LINK = "{\"mode\":\"120777\",\"path\":\"a\",\"target\":\"../b\"}";
  private static final String RUN = FILE.replace("a.txt", "run.sh")
      .replace("100644", "100755")
      .replace("\"bytes\":7", "\"bytes\":0");
  private static final List<String> LINES = List.of(HEADER, LINK, DIRECTORY, FILE, RUN);

  @TempDir
  private Path directory;

  @Test
  void manifest_is_one_line_of_canonical_json_for_each_entry() throws IOException {
    SnapshotManifest manifest = SnapshotManifest.of(header(), entries());

    assertThat(manifest.toBytes()).asString(StandardCharsets.UTF_8).isEqualTo(text(LINES));
    assertThat(manifest.hash()).isEqualTo(ContentHash.sha256(manifest.toBytes()));
    assertThat(manifest.files()).isEqualTo(2);
    assertThat(manifest.bytes()).isEqualTo(7);
    assertThat(parse(LINES)).isEqualTo(manifest);
    assertThat(parse(LINES).entries()).isEqualTo(entries());
    assertThat(parse(LINES).header()).isEqualTo(header());
  }

  @Test
  void hash_of_the_tree_does_not_depend_on_the_place() {
    SnapshotHeader elsewhere = new SnapshotHeader(
        "/copy", "040755", TIME, HostIdentity.UNKNOWN, JsonObject.EMPTY, JsonObject.EMPTY);
    SnapshotHeader later = new SnapshotHeader(
        "/copy",
        "040755",
        TIME.plusNanos(1),
        HostIdentity.UNKNOWN,
        JsonObject.EMPTY,
        JsonObject.EMPTY);

    ContentHash hash = SnapshotManifest.of(header(), entries()).treeHash();
    assertThat(SnapshotManifest.of(elsewhere, entries()).treeHash()).isEqualTo(hash);
    assertThat(SnapshotManifest.of(later, entries()).treeHash()).isNotEqualTo(hash);
    assertThat(SnapshotManifest.of(header(), entries().subList(0, 2)).treeHash())
        .isNotEqualTo(hash);
  }

  @Test
  void sum_of_bytes_that_overflows_is_refused() {
    String most = FILE.replace("\"bytes\":7", "\"bytes\":" + Long.MAX_VALUE);
    List<String> lines =
        List.of(HEADER.replace("\"bytes\":7", "\"bytes\":6"), LINK, DIRECTORY, most, RUN);
    lines = lines.stream()
        .map(line -> line.replace(":0,", ":" + Long.MAX_VALUE + ","))
        .toList();
    List<String> overflowing = lines;
    assertThatThrownBy(() -> parse(overflowing))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining("line 1: the files have more bytes than a number can state");
  }

  @Test
  void manifest_is_written_once_and_read_from_its_directory() throws IOException {
    SnapshotManifest manifest = SnapshotManifest.of(header(), entries());
    Path file = directory.resolve(SnapshotManifest.NAME);
    assertThatThrownBy(() -> SnapshotManifest.read(directory))
        .isInstanceOf(NoSuchFileException.class);

    manifest.write(file);

    assertThat(SnapshotManifest.read(directory)).isEqualTo(manifest);
    assertThat(SnapshotManifest.read(file)).isEqualTo(manifest);
    assertThatThrownBy(() -> manifest.write(file)).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void manifest_that_is_a_link_is_refused() throws IOException {
    Path elsewhere = Files.writeString(directory.resolve("elsewhere"), text(LINES));
    Files.createSymbolicLink(directory.resolve(SnapshotManifest.NAME), elsewhere);
    assertThatThrownBy(() -> SnapshotManifest.read(directory))
        .hasMessageContaining("found a symbolic link");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      1 | "snapshot_version":1   | "snapshot_version":2 | must be the supported version 1, found 2
      1 | "mode":"040755"        | "mode":"100644" | expected the mode of a directory
      1 | "files":2              | "files":1 | the entries have
      1 | "bytes":7              | "bytes":8 | the entries have
      1 | "files":2              | "files":-2 | /files: must be an integer
      1 | "rules":{"ignore":[".git/"]} | "rules":[] | /rules: must be an object
      1 | "root":"/home/me/project",   | '' | /root: must be a string, found nothing
      1 | "uid":1000             | "uid":"1000" | /identity: must be the user and the host
      1 | "umask":"022"          | "umask":"022","unknown":1 | /identity: must be
      1 | "LANG":"C"             | "LD_PRELOAD":"/x.so" | /identity: must be
      1 | "LANG":"C"             | "LANG":1 | /identity: must be
      1 | "snapshot_version":1   | "snapshot_version":1,"zone":1 | /zone: unknown member
      2 | "path":"a"             | "path":"/a" | expected a path relative to the workspace, found "/a"
      2 | "path":"a"             | "path":"" | expected a path relative
      2 | "path":"a"             | "path":".." | expected a path relative
      2 | "path":"a"             | "path":"." | expected a path relative
      2 | "path":"a"             | "path":"a/" | expected a path relative
      2 | "path":"a"             | "path":"a/../b" | expected a path relative
      2 | "path":"a"             | "path":"a\\u0000" | expected a path relative
      2 | "path":"a"             | "path":"\\ud800" | lone surrogate
      2 | "path":"a"             | "path":"missing/a" | is not in a directory of the manifest
      2 | "target":"../b"        | "target":"" | expected the target of a link
      2 | "target":"../b"        | "target":"../b","x":0 | /x: unknown member
      3 | "path":"src"           | "path":"a" | the path "a" occurs twice
      3 | "path":"src"           | "path":"A" | the path "A" sorts before "a"
      3 | "mode":"040755"        | "mode":"140755" | must be the mode of
      3 | "mode":"040755"        | "mode":"040855" | must be the mode of
      3 | .123456789Z            | .1234567890Z | /modified: must be a time
      3 | 2026-11-24T            | yesterday | /modified: must be a time
      3 | .123456789Z            | .12Z | /modified: must be a time
      3 | 2026-11-24T            | +12026-11-24T | expected a time of the years 0 to 9999
      4 | "mode":"100644"        | "mode":"040644" | /bytes: unknown member
      4 | "mode":"100644"        | "mode":"100888" | /mode: must be the mode of
      4 | "bytes":7              | "bytes":-1 | /bytes: must be an integer
      4 | "hash":"sha256:        | "hash":"sha512: | /hash: must be "sha256:"
      4 | "path":"src/a.txt"     | "path":"a/a.txt" | sorts before
      4 | "path":"src/a.txt"     | "path":"src0/a.txt" | is not in a directory of the manifest
      4 | {"bytes":7             | {"bytes": 7 | the line is not canonical JSON
      4 | {"bytes":7             | {"bytes":7,"bytes":7 | duplicate
      4 | {"bytes":7             | "bytes":7 | expected nothing more
      5 | ,"path":"src/run.sh"   | '' | /path: must be a string, found nothing
      """)
  void malformed_line_is_an_error_with_its_number(
      int line, String part, String replacement, String message) {
    List<String> lines = new ArrayList<>(LINES);
    String text = lines.get(line - 1);
    assertThat(text).contains(part);
    lines.set(line - 1, text.replace(part, replacement));
    assertThatThrownBy(() -> parse(lines))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageStartingWith("test: line " + line + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void file_in_a_link_of_the_manifest_is_refused() {
    List<String> lines = List.of(HEADER, LINK, RUN.replace("src/run.sh", "a/passwd"));
    assertThatThrownBy(() -> parse(lines))
        .hasMessageContaining("line 3: the path \"a/passwd\" is not in a directory");
  }

  @Test
  void each_truncation_is_an_error() {
    byte[] whole = text(LINES).getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> SnapshotManifest.parse(cut, "test"))
          .as("%d bytes", length)
          .isInstanceOf(DocumentFormatException.class)
          .hasMessageMatching("(?s)test: line [1-5]: .*");
    }
  }

  @Test
  void each_removed_or_repeated_line_but_a_leaf_without_a_sum_is_an_error() {
    for (int i = 0; i < LINES.size(); i++) {
      List<String> fewer = new ArrayList<>(LINES);
      fewer.remove(i);
      List<String> more = new ArrayList<>(LINES);
      more.add(i, LINES.get(i));
      if (i != 1) { // links have no sum in the header: only the hash of the manifest shows it
        assertThatThrownBy(() -> parse(fewer)).isInstanceOf(DocumentFormatException.class);
      }
      assertThatThrownBy(() -> parse(more)).isInstanceOf(DocumentFormatException.class);
    }
  }

  @Test
  void entries_in_a_wrong_order_are_refused() {
    List<SnapshotEntry> reversed = new ArrayList<>(entries());
    Collections.reverse(reversed);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnapshotManifest.of(header(), reversed))
        .withMessageContaining("is not in a directory of the manifest");
  }

  @Property
  void paths_are_ordered_by_their_bytes(@ForAll("names") String a, @ForAll("names") String b) {
    int expected = Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    assertThat(Integer.signum(SnapshotEntry.PATH_ORDER.compare(a, b)))
        .isEqualTo(Integer.signum(expected));
  }

  @Property
  void any_manifest_is_read_as_it_was_written(@ForAll("trees") List<SnapshotEntry> tree)
      throws IOException {
    SnapshotManifest manifest = SnapshotManifest.of(header(), tree);
    SnapshotManifest read = SnapshotManifest.parse(manifest.toBytes(), "test");
    assertThat(read.entries()).isEqualTo(tree);
    assertThat(read.header()).isEqualTo(header());
    assertThat(read.hash()).isEqualTo(manifest.hash());
    assertThat(read.treeHash()).isEqualTo(manifest.treeHash());
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings()
        .withChars("ab.-/\u00e9\ud7ff\ue000\uffff")
        .all()
        .ofMinLength(1)
        .ofMaxLength(6)
        .map(text -> text.replace('/', '-').replace('\0', '0').replaceAll("[\ud800-\udfff]", ""))
        .map(text -> text + "\ud83d\ude00".repeat(text.length() % 2))
        .filter(text -> !text.isEmpty() && !text.equals(".") && !text.equals(".."))
        .filter(text -> Surrogates.indexOfLone(text) < 0);
  }

  @Provide
  Arbitrary<List<SnapshotEntry>> trees() {
    Arbitrary<Instant> times = Arbitraries.longs()
        .between(-62_167_219_200L, 253_402_300_799L)
        .flatMap(second -> Arbitraries.integers()
            .between(0, 999_999_999)
            .map(nano -> Instant.ofEpochSecond(second, nano)));
    Arbitrary<SnapshotEntry> entries = Combinators.combine(
            names(), names(), times, Arbitraries.integers().between(0, 4_095))
        .as((directory, name, time, number) -> switch (number % 4) {
          case 0 -> new SnapshotEntry.Directory(name, FileMode.ofDirectory(number), time);
          case 1 -> new SnapshotEntry.Link(directory + "/" + name, name);
          default ->
            new SnapshotEntry.File(
                directory + "/" + name, FileMode.ofFile(number), time, HASH, number);
        });
    return entries.list().ofMaxSize(20).map(list -> {
      Map<String, SnapshotEntry> byPath = new TreeMap<>(SnapshotEntry.PATH_ORDER);
      for (SnapshotEntry entry : list) {
        byPath.put(entry.path(), entry);
        String parent = SnapshotPath.parent(entry.path());
        if (parent != null) {
          byPath.put(parent, new SnapshotEntry.Directory(parent, "040700", TIME));
        }
      }
      return List.copyOf(byPath.values());
    });
  }

  private static SnapshotHeader header() {
    return new SnapshotHeader(
        "/home/me/project",
        "040755",
        TIME,
        IDENTITY,
        JsonObject.of("ignore", List.of(".git/")),
        JsonObject.of("ignored", JsonObject.of("count", 1)));
  }

  private static List<SnapshotEntry> entries() {
    return List.of(
        new SnapshotEntry.Link("a", "../b"),
        new SnapshotEntry.Directory("src", "040755", TIME),
        new SnapshotEntry.File("src/a.txt", "100644", TIME, HASH, 7),
        new SnapshotEntry.File("src/run.sh", "100755", TIME, HASH, 0));
  }

  private static SnapshotManifest parse(List<String> lines) throws DocumentFormatException {
    return SnapshotManifest.parse(text(lines).getBytes(StandardCharsets.UTF_8), "test");
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
