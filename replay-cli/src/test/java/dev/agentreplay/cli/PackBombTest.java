package dev.agentreplay.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small pack of many names is refused before any of them is made. */
@Tag("slow")
class PackBombTest {

  private static final Duration CPU = Duration.ofSeconds(60);
  private static final int BLOCK = 512;

  @TempDir
  Path home;

  @Test
  void many_directories_are_refused_before_one_is_made() throws Exception {
    List<String> paths = IntStream.range(0, 19_000)
        .mapToObj(i -> "snapshot/%05d/".formatted(i) + "d/".repeat(28) + "f")
        .toList();

    refused(pack(paths), "5018 directories, at most 5000 are made (--max-directories)");
  }

  @Test
  void many_empty_files_are_refused_before_one_is_made() throws Exception {
    List<String> paths =
        IntStream.range(0, 99_990).mapToObj(i -> "snapshot/%05d".formatted(i)).toList();

    refused(pack(paths), "99991 files, at most 20000 are read (--max-files)");
  }

  @Test
  void as_many_empty_files_as_are_allowed_are_unpacked() throws Exception {
    List<String> paths =
        IntStream.range(0, 5_000).mapToObj(i -> "snapshot/%05d".formatted(i)).toList();
    Path target = home.resolve("target");

    BoundedRun run = BoundedRun.of(CPU, home, "unpack", pack(paths), target, "--max-files", "5001");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(target.resolve("snapshot").toFile().list()).hasSize(5_000);
  }

  private void refused(Path pack, String why) throws Exception {
    BoundedRun run = BoundedRun.of(CPU, home, "unpack", pack, home.resolve("target"));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
    assertThat(run.err()).contains(why);
    assertThat(home.toFile().list()).noneMatch(name -> name.endsWith(".tmp"));
    assertThat(home.resolve("target")).doesNotExist();
  }

  private Path pack(List<String> paths) throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put("REPLAY.jsonl", "{}\n");
    paths.forEach(path -> files.put(path, ""));
    String manifest = files.entrySet().stream()
        .map(file -> "{\"bytes\":%d,\"path\":\"%s\",\"sha256\":\"%s\"}"
            .formatted(
                file.getValue().length(),
                file.getKey(),
                ContentHash.sha256(file.getValue().getBytes(UTF_8))))
        .collect(Collectors.joining(",", "{\"files\":[", "],\"schema\":\"replay.pack/1\"}"));
    Path pack = home.resolve("pack.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(pack))) {
      entry("MANIFEST.json", manifest, out);
      for (Map.Entry<String, String> file : files.entrySet()) {
        entry(file.getKey(), file.getValue(), out);
      }
      out.write(new byte[2 * BLOCK]);
    }
    return pack;
  }

  private static void entry(String path, String content, OutputStream out) throws IOException {
    byte[] bytes = content.getBytes(UTF_8);
    ByteArrayOutputStream header = new ByteArrayOutputStream(BLOCK);
    field(path, 100, header);
    field("0000644\0", 8, header);
    field("0000000\0", 8, header);
    field("0000000\0", 8, header);
    field("%011o\0".formatted(bytes.length), 12, header);
    field("00000000000\0", 12, header);
    field("        ", 8, header);
    field("0", 1, header);
    field("", 100, header);
    field("ustar\00000", 8, header);
    field("", 247, header);
    byte[] block = header.toByteArray();
    int sum = 0;
    for (byte each : block) {
      sum += each & 0xff;
    }
    byte[] checksum = "%06o\0 ".formatted(sum).getBytes(UTF_8);
    System.arraycopy(checksum, 0, block, 148, checksum.length);
    out.write(block);
    out.write(bytes);
    out.write(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
  }

  private static void field(String text, int length, ByteArrayOutputStream header)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    header.write(bytes);
    header.write(new byte[length - bytes.length]);
  }
}
