package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Unpacks what a test made, in a directory in which nothing else may change. */
public final class TestPacks {

  /** The log of a valid packed session. */
  public static final String LOG = "REPLAY.jsonl";

  /** Takes every file, whatever its name. */
  public static final PackOptions ALL = PackOptions.defaults().withInclude("**");

  private final Path root;
  private final Path file;
  private final Path target;

  public TestPacks(Path root) throws IOException {
    this.root = root;
    Files.writeString(root.resolve("evil"), "not to be touched");
    Path inside = Files.createDirectories(root.resolve("a/b"));
    this.file = root.resolve("pack.tar.gz");
    this.target = inside.resolve("target");
  }

  /** Packs all files of a directory. */
  public static PackedSession pack(Path directory, Path file) throws IOException {
    return PackedSession.pack(directory, file, ALL);
  }

  public static PackedSession packReplacing(Path directory, Path file) throws IOException {
    return PackedSession.pack(directory, file, ALL.withOverwrite(true));
  }

  /** Unpacks all files, whatever their names. */
  public static PackedSession unpack(Path file, Path directory) throws IOException {
    return PackedSession.unpack(file, directory, ALL);
  }

  public static PackedSession unpack(Path file, Path directory, UnpackLimits limits)
      throws IOException {
    return PackedSession.unpack(file, directory, ALL.withLimits(limits));
  }

  /** Refuses a tar archive, and leaves nothing. */
  public PackFormatException refuse(byte[] tar) throws IOException {
    return refuse(tar, UnpackLimits.defaults());
  }

  public PackFormatException refuse(byte[] tar, UnpackLimits limits) throws IOException {
    return refusePacked(TestFiles.gzip(tar), limits);
  }

  /** Refuses an archive, into an empty directory as well. */
  public PackFormatException refusePacked(byte[] packed, UnpackLimits limits) throws IOException {
    PackFormatException refused = refusePackedOnce(packed, limits);
    Files.createDirectory(target);
    assertThat(refusePackedOnce(packed, limits).getMessage()).isEqualTo(refused.getMessage());
    assertThat(target).isEmptyDirectory();
    Files.delete(target);
    return refused;
  }

  public PackFormatException refuseOnce(byte[] tar) throws IOException {
    return refusePackedOnce(TestFiles.gzip(tar), UnpackLimits.defaults());
  }

  public PackFormatException refusePackedOnce(byte[] packed, UnpackLimits limits)
      throws IOException {
    Files.write(file, packed);
    Map<String, String> before = tree(root);
    PackFormatException refused =
        catchThrowableOfType(PackFormatException.class, () -> unpack(file, target, limits));
    assertThat(refused).as("refusal").isNotNull();
    assertThat(refused).hasMessageStartingWith(file + ": byte " + refused.offset());
    assertThat(tree(root)).isEqualTo(before);
    return refused;
  }

  /** Unpacks gzip, and returns the files with their contents. */
  public Map<String, String> unpackPacked(byte[] packed) throws IOException {
    Files.write(file, packed);
    unpack(file, target);
    Map<String, String> files = tree(target);
    for (String name : new ArrayList<>(files.keySet())) {
      Files.delete(target.resolve(name));
    }
    for (Path left : inside(target)) {
      Files.delete(left);
    }
    return files;
  }

  public Map<String, String> unpack(byte[] tar) throws IOException {
    return unpackPacked(TestFiles.gzip(tar));
  }

  /** The files below a directory, with their contents. */
  public static Map<String, String> tree(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path path : inside(directory)) {
      if (!Files.isDirectory(path)) {
        files.put(
            directory.relativize(path).toString(),
            Files.readString(path, StandardCharsets.ISO_8859_1));
      } else if (!path.equals(directory) && path.toFile().list().length == 0) {
        files.put(directory.relativize(path) + "/", "");
      }
    }
    return files;
  }

  private static List<Path> inside(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
