package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packed sessions that are made to harm: each is refused, says why, and leaves nothing. */
class UnpackRefusalTest {

  private static final String LOG = TestPacks.LOG;
  private static final byte[] NONE = {};

  @TempDir
  private Path root;

  private TestPacks packs;

  @BeforeEach
  void create() throws IOException {
    packs = new TestPacks(root);
  }

  static Stream<Arguments> paths() {
    return Stream.of(
        Arguments.of("/evil", "absolute"),
        Arguments.of("//evil", "absolute"),
        Arguments.of("../evil", "segment \"..\""),
        Arguments.of("../../../evil", "segment \"..\""),
        Arguments.of("a/../../evil", "segment \"..\""),
        Arguments.of("a/..", "segment \"..\""),
        Arguments.of("..", "segment \"..\""),
        Arguments.of(".", "segment \".\""),
        Arguments.of("./evil", "segment \".\""),
        Arguments.of("a/./b", "segment \".\""),
        Arguments.of("a//b", "empty segment"),
        Arguments.of("a/", "empty segment"),
        Arguments.of("", "the path is empty"),
        Arguments.of("..\\evil", "backslash"),
        Arguments.of("a\\b", "backslash"),
        Arguments.of("\\\\host\\share", "backslash"),
        Arguments.of("C:evil", "colon"),
        Arguments.of("C:/evil", "colon"),
        Arguments.of("a.txt:stream", "colon"),
        Arguments.of("a\nb", "control character"),
        Arguments.of("a\u001b[2J", "control character"),
        Arguments.of("a\u007f", "control character"),
        Arguments.of("a\u0085", "control character"),
        Arguments.of("con", "device"),
        Arguments.of("NUL.txt", "device"),
        Arguments.of("a/aux/b", "device"),
        Arguments.of("nul .tar.gz", "device"),
        Arguments.of("LPT9", "device"),
        Arguments.of("com\u00b9.x", "device"),
        Arguments.of("CONOUT$", "device"),
        Arguments.of("evil.", "dot or a space"),
        Arguments.of("a /b", "dot or a space"),
        Arguments.of("a<b", "which Windows does not allow"),
        Arguments.of("a>b", "which Windows does not allow"),
        Arguments.of("a\"b", "which Windows does not allow"),
        Arguments.of("a|b", "which Windows does not allow"),
        Arguments.of("what?", "which Windows does not allow"),
        Arguments.of("a/*", "which Windows does not allow"),
        Arguments.of("...", "dot or a space"));
  }

  @ParameterizedTest
  @MethodSource("paths")
  void path_that_leads_elsewhere_somewhere_is_refused(String path, String why) throws IOException {
    // listed and there; only there; there by a pax record; there by a prefix
    PackFormatException listed = packs.refuse(TestTar.of(LOG, "x", path, "evil").end());
    TestTar unlisted = TestTar.of(LOG, "x").file(path, "evil");
    TestTar extended =
        TestTar.of(LOG, "x").extended(TarWriter.record("path", path)).file("y", "evil");

    for (PackFormatException refused : new PackFormatException[] {
      listed, packs.refuse(unlisted.end()), packs.refuse(extended.end())
    }) {
      assertThat(refused.reason()).isEqualTo(Reason.PATH);
      assertThat(refused.entry()).isEqualTo(path);
      assertThat(refused).hasMessageContaining(why).hasMessageNotContainingAny("\n", "\u001b");
    }
  }

  @Test
  void path_of_prefix_and_name_is_joined_before_it_is_judged() throws IOException {
    TestTar tar = TestTar.of(LOG, "x")
        .header("evil", '0', 0, header -> TestTar.put(header, 345, "a/../../.."));
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.PATH);
    assertThat(refused.entry()).isEqualTo("a/../../../evil");
  }

  @ParameterizedTest
  @CsvSource({
    "1, a hard link",
    "2, a symbolic link",
    "3, a device",
    "4, a device",
    "5, a directory",
    "6, a named pipe",
    "7, of the type 0x37",
    "g, a global extended header",
    "L, a long name of GNU tar",
    "K, a long name of GNU tar",
    "S, of the type 0x53",
    "A, of the type 0x41"
  })
  void entry_of_any_other_type_is_refused(char type, String what) throws IOException {
    // listed, so that the type alone is wrong
    TestTar tar = new TestTar()
        .file("MANIFEST.json", TestTar.manifest(TestTar.listed(LOG, "x"), TestTar.listed("l", "")))
        .file(LOG, "x")
        .header("l", type, 0, header -> TestTar.put(header, 157, "../../evil"));
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.ENTRY_TYPE);
    assertThat(refused.entry()).isEqualTo("l");
    assertThat(refused).hasMessageContaining(what + ", and only regular files are read");
  }

  @Test
  void old_type_of_a_regular_file_and_one_with_a_target_are_refused() throws IOException {
    TestTar old = TestTar.of(LOG, "x").header("l", '\0', 0, header -> {});
    assertThat(packs.refuse(old.end()).reason()).isEqualTo(Reason.ENTRY_TYPE);
    TestTar target =
        TestTar.of(LOG, "x").header("l", '0', 0, header -> TestTar.put(header, 157, "/evil"));
    assertThat(packs.refuse(target.end()))
        .hasMessageContaining("a regular file that names the target of a link");
  }

  @Test
  void link_and_a_file_through_it_are_refused_at_the_link() throws IOException {
    TestTar tar = new TestTar()
        .file(
            "MANIFEST.json", TestTar.manifest(TestTar.listed(LOG, "x"), TestTar.listed("l/f", "y")))
        .file(LOG, "x")
        .header("l", '2', 0, header -> TestTar.put(header, 157, ".."))
        .file("l/f", "y");
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.ENTRY_TYPE);
  }

  @ParameterizedTest
  @CsvSource({
    "a, a, the path occurs twice",
    "A, a, the path collides with \"A\" on file systems that fold names",
    "\u00c9, \u00e9, the path collides with",
    "E\u0301, \u00e9, the path collides with",
    "STRASSE, stra\u00dfe, the path collides with",
    "a, a/b, the file \"a\" is used as a directory",
    "A, a/b, the file \"a\" is used as a directory",
    "A/b, a, the path is also a directory",
    "a, a/b/c, the file \"a\" is used as a directory",
    "D/a, d/b, the directory \"d\" collides with another on file systems that fold names",
    "MANIFEST.json, b, the name MANIFEST.json is reserved for the manifest",
    "Manifest.JSON, b, the name MANIFEST.json is reserved",
    "MANIFEST.json/b, c, the name MANIFEST.json is reserved"
  })
  void paths_of_one_file_are_refused(String first, String second, String why) throws IOException {
    TestTar tar = TestTar.of(first, "x", second, "x", LOG, "x");
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.DUPLICATE);
    assertThat(refused).hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {LOG, "replay.JSONL", "MANIFEST.json"})
  void entry_that_is_there_twice_but_listed_once_is_refused(String again) throws IOException {
    PackFormatException refused =
        packs.refuse(TestTar.of(LOG, "x").file(again, "x").end());
    assertThat(refused.reason()).isEqualTo(Reason.DUPLICATE);
    assertThat(refused.entry()).isEqualTo(again);
  }

  @Test
  void entry_that_is_not_listed_and_one_that_is_missing_are_refused() throws IOException {
    PackFormatException more =
        packs.refuse(TestTar.of(LOG, "x").file("more", "y").end());
    assertThat(more.reason()).isEqualTo(Reason.UNEXPECTED_ENTRY);
    assertThat(more.entry()).isEqualTo("more");

    byte[] manifest = TestTar.manifest(
        TestTar.listed(LOG, "x"), TestTar.listed("m", "y"), TestTar.listed("n", "z"));
    PackFormatException last = packs.refuse(
        new TestTar().file("MANIFEST.json", manifest).file(LOG, "x").end());
    assertThat(last.reason()).isEqualTo(Reason.MISSING_ENTRY);
    assertThat(last.entry()).isEqualTo("m");
    PackFormatException between = packs.refuse(new TestTar()
        .file("MANIFEST.json", manifest)
        .file(LOG, "x")
        .file("n", "z")
        .file("m", "y")
        .end());
    assertThat(between.reason()).isEqualTo(Reason.MISSING_ENTRY);
    assertThat(between).hasMessageContaining("\"m\": found \"n\" in its place");
  }

  @Test
  void file_of_another_length_or_hash_is_refused() throws IOException {
    byte[] manifest = TestTar.manifest(TestTar.listed(LOG, "expected"));
    for (String content : new String[] {"", "longer than expected", "short"}) {
      PackFormatException refused = packs.refuse(
          new TestTar().file("MANIFEST.json", manifest).file(LOG, content).end());
      assertThat(refused.reason()).isEqualTo(Reason.CONTENT);
      assertThat(refused.entry()).isEqualTo(LOG);
      assertThat(refused).hasMessageContaining("bytes, but the manifest says 8");
    }
    PackFormatException hash = packs.refuse(
        new TestTar().file("MANIFEST.json", manifest).file(LOG, "Expected").end());
    assertThat(hash.reason()).isEqualTo(Reason.CONTENT);
    assertThat(hash).hasMessageContaining("the bytes have the hash sha256:");
  }

  static Stream<Arguments> manifests() {
    JsonObject log = TestTar.listed(LOG, "x");
    return Stream.of(
        Arguments.of("", "not JSON"),
        Arguments.of("[]", "the manifest is not an object of files, schema"),
        Arguments.of("{\"files\":[]}", "the manifest is not an object of files, schema"),
        Arguments.of(
            "{\"files\":[],\"more\":1,\"schema\":\"replay.pack/1\"}",
            "the manifest is not an object of files, schema"),
        Arguments.of("{\"files\":[],\"schema\":\"replay.pack/2\"}", "found \"replay.pack/2\""),
        Arguments.of("{\"files\":{},\"schema\":\"replay.pack/1\"}", "files is not an array"),
        Arguments.of("{\"files\":[],\"schema\":\"replay.pack/1\"}", "holds no REPLAY.jsonl"),
        Arguments.of(
            text(TestTar.manifest(log, TestTar.listed(LOG + ".gz", "x"))),
            "holds both REPLAY.jsonl and REPLAY.jsonl.gz"),
        Arguments.of(
            text(TestTar.manifest(log)).replace(",\"schema\"", ", \"schema\""),
            "not in canonical form"),
        Arguments.of(text(TestTar.manifest(log)) + "\n", "not in canonical form"),
        Arguments.of(
            text(TestTar.manifest(log, TestTar.listed("A", "y"))), "files/1 is not in the order"),
        Arguments.of(text(TestTar.manifest(log.with("bytes", -1))), "files/0/bytes"),
        Arguments.of(text(TestTar.manifest(log.with("bytes", 1.5))), "files/0/bytes"),
        Arguments.of(text(TestTar.manifest(log.with("bytes", "1"))), "files/0/bytes"),
        Arguments.of(text(TestTar.manifest(log.with("path", 1))), "files/0/path"),
        Arguments.of(text(TestTar.manifest(log.with("sha256", "x"))), "files/0/sha256"),
        Arguments.of(text(TestTar.manifest(log.with("more", 1))), "files/0 is not an object of"),
        Arguments.of(
            text(TestTar.manifest(log)).replace("{\"bytes\":1,", "{\"bytes\":1.0,"),
            "not in canonical form"));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void manifest_that_makes_no_sense_is_refused(String manifest, String why) throws IOException {
    TestTar tar = new TestTar().file("MANIFEST.json", manifest).file(LOG, "x");
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.MANIFEST);
    assertThat(refused).hasMessageContaining(why);
  }

  @Test
  void manifest_that_is_not_first_or_missing_is_refused() throws IOException {
    byte[] manifest = TestTar.manifest(TestTar.listed(LOG, "x"));
    PackFormatException late = packs.refuse(
        new TestTar().file(LOG, "x").file("MANIFEST.json", manifest).end());
    assertThat(late.reason()).isEqualTo(Reason.MANIFEST);
    assertThat(packs.refuse(new TestTar().end()).reason()).isEqualTo(Reason.MANIFEST);
  }

  @Test
  void header_that_is_not_sound_is_refused() throws IOException {
    byte[] sound = TestTar.of(LOG, "x").open();
    archive(header(sound, header -> header[0] ^= 1), "the checksum of the header is");
    archive(header(sound, header -> TestTar.put(header, 148, "zzzzzz")), "the checksum is not an");
    archive(sealed("f", header -> TestTar.put(header, 257, "ustar  \0")), "not one of ustar");
    archive(sealed("f", header -> header[124] = (byte) 0x80), "the size is not an octal number");
    archive(sealed("f", header -> TestTar.put(header, 124, "-0000000001")), "size is not an octal");
    archive(sealed("f", header -> TestTar.put(header, 124, "0000000 001")), "size is not an octal");
    archive(
        sealed("f", header -> TestTar.put(header, 124, "            ")), "size is not an octal");
    archive(sealed("f", header -> header[50] = 'x'), "a name has a NUL within it");
    archive(sealed("f", header -> header[0] = (byte) 0xff), "a name is not UTF-8");
  }

  @Test
  void end_that_is_not_one_is_refused() throws IOException {
    byte[] open = TestTar.of(LOG, "x").open();
    archive(open, "the archive is cut short");
    archive(TestFiles.concat(open, new byte[512]), "the archive is cut short");
    TestTar one = TestTar.of(LOG, "x").block(new byte[512]).file("more", "y");
    archive(one.end(), "expected a second empty block");
    byte[] trailing = TestTar.of(LOG, "x").end();
    archive(TestFiles.concat(trailing, new byte[] {1}), "bytes that are not zero follow");
    archive(
        TestFiles.concat(trailing, TestTar.of(LOG, "x").end()), "bytes that are not zero follow");
    byte[] padded = TestTar.of(LOG, "x").open();
    padded[padded.length - 1] = 1;
    archive(TestFiles.concat(padded, new byte[1024]), "not filled with zeros");
    assertThat(packs.unpack(TestFiles.concat(trailing, new byte[10_240])))
        .isEqualTo(Map.of(LOG, "x"));
  }

  @ParameterizedTest
  @CsvSource({
    "'9 path=a', a record does not have the length that it states",
    "'8 path=a\n', a record does not have the length that it states",
    "'99 path=a\n', a record does not have the length that it states",
    "'2 \n', a record does not have the length that it states",
    "'010 path=a\n', a record does not begin with its length",
    "'path=a\n', a record does not begin with its length",
    "'-9 path=a\n', a record does not begin with its length",
    "'9999999999 path=a\n', a record does not begin with its length",
    "'8 patha\n', a record has no value",
    "'10 path=a\n10 path=b\n', occurs twice",
    "'18 linkpath=/evil\n', the record \"linkpath\" is not supported",
    "'22 GNU.sparse.major=1\n', the record \"GNU.sparse.major\" is not supported",
    "'11 mtime=1\n', the record \"mtime\" is not supported",
    "'10 size=x\n', the size is not a number",
    "'8 size=\n', the size is not a number",
    "'32 size=18446744073709551617000\n', the size is not a number",
    "'10 size=2\n', two sizes are stated: 1 and 2"
  })
  void pax_record_that_is_not_sound_is_refused(String records, String why) throws IOException {
    TestTar tar = TestTar.of(LOG, "x").extended(records).file("a", "x");
    archive(tar.end(), why);
  }

  @Test
  void extended_header_of_nothing_or_of_an_extended_header_is_refused() throws IOException {
    String record = TarWriter.record("path", "a");
    archive(TestTar.of(LOG, "x").extended(record).open(), "cut short");
    archive(TestTar.of(LOG, "x").extended(record).end(), "checksum");
    PackFormatException twice = packs.refuse(
        TestTar.of(LOG, "x").extended(record).extended(record).file("a", "").end());
    assertThat(twice).hasMessageContaining("an extended header of an extended header");
    TestTar link = TestTar.of(LOG, "x").extended(record).header("l", '2', 0, header -> {});
    assertThat(packs.refuse(link.end()).reason()).isEqualTo(Reason.ENTRY_TYPE);
  }

  @Test
  void nul_in_the_path_of_a_pax_record_is_a_control_character() throws IOException {
    String path = "REPLAY.jsonl\0.evil";
    TestTar tar = TestTar.of(LOG, "x").extended(TarWriter.record("path", path)).file("a", "x");
    PackFormatException refused = packs.refuse(tar.end());
    assertThat(refused.reason()).isEqualTo(Reason.PATH);
    assertThat(refused).hasMessageContaining("\"REPLAY.jsonl\\u0000.evil\"");
  }

  @Test
  void file_that_is_not_gzip_or_has_something_behind_it_is_refused() throws IOException {
    byte[] tar = TestTar.of(LOG, "x").end();
    UnpackLimits limits = UnpackLimits.defaults();
    for (byte[] file : new byte[][] {
      NONE, tar, TestFiles.concat(TestFiles.gzip(tar), new byte[] {0}),
    }) {
      assertThat(packs.refusePacked(file, limits).reason()).isEqualTo(Reason.COMPRESSION);
    }
  }

  @Test
  void target_that_is_there_is_refused_and_stays() throws IOException {
    Path file =
        Files.write(root.resolve("p"), TestFiles.gzip(TestTar.of(LOG, "x").end()));
    Path full = Files.createDirectory(root.resolve("full"));
    Files.writeString(full.resolve("mine"), "mine");
    Path empty = Files.createDirectory(root.resolve("empty"));
    Path link = Files.createSymbolicLink(root.resolve("link"), empty);
    Map<String, String> before = TestPacks.tree(root);
    for (Path target : new Path[] {full, full.resolve("mine"), link}) {
      assertThatThrownBy(() -> TestPacks.unpack(file, target))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("not an empty directory");
    }
    assertThatThrownBy(() -> TestPacks.unpack(file, root.resolve("no/where")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no such directory");
    assertThatThrownBy(() -> TestPacks.unpack(root.resolve("nothing"), empty))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(TestPacks.tree(root)).isEqualTo(before);
    TestPacks.unpack(file, empty);
    assertThat(TestPacks.tree(empty)).isEqualTo(Map.of(LOG, "x"));
  }

  @Test
  void segment_that_is_longer_than_names_may_be_is_refused() throws IOException {
    String longest = "a/" + "\u00e9".repeat(127) + "x";
    for (String path : new String[] {longest, longest + "y"}) {
      byte[] manifest = TestTar.manifest(TestTar.listed(LOG, "x"), TestTar.listed(path, ""));
      PackFormatException refused = packs.refuse(
          new TestTar().file("MANIFEST.json", manifest).file(LOG, "x").end());
      assertThat(refused.reason())
          .isEqualTo(path.equals(longest) ? Reason.MISSING_ENTRY : Reason.PATH);
    }
  }

  @Test
  void characters_that_are_not_seen_are_escaped_in_messages() throws IOException {
    PackFormatException refused = packs.refuse(
        TestTar.of(LOG, "x").file("a\u202egpj.\u2028\udb40\udc01:", "").end());
    assertThat(refused).hasMessageContaining("\"a\\u202egpj.\\u2028\\udb40\\udc01:\"");
  }

  private void archive(byte[] tar, String why) throws IOException {
    PackFormatException refused = packs.refuse(tar);
    assertThat(refused.reason()).isEqualTo(Reason.ARCHIVE);
    assertThat(refused).hasMessageContaining(why);
  }

  /** A sound archive with a header behind it that has the right checksum. */
  private static byte[] sealed(String name, Consumer<byte[]> edit) {
    return TestTar.of(LOG, "x").header(name, '0', 0, edit).end();
  }

  /** An archive with an edit of its first header that leaves the checksum. */
  private static byte[] header(byte[] tar, Consumer<byte[]> edit) {
    byte[] edited = tar.clone();
    edit.accept(edited);
    return edited;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
