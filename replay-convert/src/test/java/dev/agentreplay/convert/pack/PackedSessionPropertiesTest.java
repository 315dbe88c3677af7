package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Unpacking restores the packed files of any directory; packing them again makes the same file. */
class PackedSessionPropertiesTest {

  private Path root;

  @BeforeTry
  void create() throws IOException {
    root = Files.createTempDirectory("packed");
  }

  @AfterTry
  void delete() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Property(tries = 150)
  @Tag("slow")
  void directory_is_the_same_behind_packing_and_unpacking(
      @ForAll("directories") Map<String, byte[]> files) throws IOException {
    Path directory = Files.createDirectory(root.resolve("a"));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    Path packed = root.resolve("p.tar.gz");
    PackedSession written = TestPacks.pack(directory, packed);
    Path unpacked = root.resolve("b");
    PackedSession read = TestPacks.unpack(packed, unpacked);

    assertThat(read).usingRecursiveComparison().isEqualTo(written);
    assertThat(contents(unpacked)).isEqualTo(contents(directory)).hasSize(files.size());
    assertThat(read.files()).hasSize(files.size());
    Path again = root.resolve("q.tar.gz");
    TestPacks.pack(unpacked, again);
    assertThat(again).hasSameBinaryContentAs(packed);
  }

  @Provide
  Arbitrary<Map<String, byte[]>> directories() {
    // upper and lower case would collide, and files and directories have different names
    Arbitrary<String> name = Arbitraries.strings()
        .withChars("abz059_-!~\u00e4\u4e2d".toCharArray())
        .ofMinLength(1)
        .ofMaxLength(60)
        .filter(text -> !text.startsWith("-"));
    Arbitrary<String> path = name.map(n -> n + ".d")
        .list()
        .ofMaxSize(4)
        .flatMap(directories -> name.map(n -> n + ".f")
            .map(
                file -> directories.isEmpty() ? file : String.join("/", directories) + "/" + file));
    Arbitrary<byte[]> content = Arbitraries.oneOf(
        Arbitraries.bytes().array(byte[].class).ofMaxSize(20),
        Arbitraries.of(List.of(511, 512, 513, 1_024, 70_000)).map(PackedSessionPropertiesTest::of));
    return Arbitraries.maps(path, content).ofMaxSize(8).map(files -> {
      Map<String, byte[]> withLog = new HashMap<>(files);
      withLog.put("REPLAY.jsonl", new byte[] {'{', '}', '\n'});
      return withLog;
    });
  }

  private static byte[] of(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) length);
    return bytes;
  }

  private static Map<String, ByteBuffer> contents(Path directory) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        contents.put(
            directory.relativize(path).toString(), ByteBuffer.wrap(Files.readAllBytes(path)));
      }
    }
    return contents;
  }
}
