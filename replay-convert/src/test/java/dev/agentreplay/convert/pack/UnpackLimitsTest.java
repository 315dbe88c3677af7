package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Unpacking accepts a packed session up to the limits, and not beyond them. */
class UnpackLimitsTest {

  private static final String LOG = TestPacks.LOG;
  private static final String DEEP = "a/b/c/d";
  private static final String LONG = "bb/\u00e9\u00e9\u00e9\u00e9\u00e9";
  private static final int MANIFEST_BYTES = TestTar.manifest(
          TestTar.listed(LOG, "1234567"), TestTar.listed(DEEP, "12"), TestTar.listed(LONG, "12"))
      .length;

  @TempDir
  private Path root;

  private TestPacks packs;

  @BeforeEach
  void create() throws IOException {
    packs = new TestPacks(root);
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        limit(Reason.LIMIT, limits -> limits.withMaxFiles(2), limits -> limits.withMaxFiles(3)),
        limit(
            Reason.LIMIT,
            limits -> limits.withMaxDirectories(3),
            limits -> limits.withMaxDirectories(4)),
        limit(
            Reason.SIZE,
            limits -> limits.withMaxTotalBytes(10),
            limits -> limits.withMaxTotalBytes(11)),
        limit(
            Reason.SIZE,
            limits -> limits.withMaxFileBytes(6),
            limits -> limits.withMaxFileBytes(7)),
        limit(
            Reason.LIMIT,
            limits -> limits.withMaxPathBytes(12),
            limits -> limits.withMaxPathBytes(13)),
        limit(Reason.LIMIT, limits -> limits.withMaxDepth(3), limits -> limits.withMaxDepth(4)),
        limit(
            Reason.LIMIT,
            limits -> limits.withMaxManifestBytes(MANIFEST_BYTES - 1),
            limits -> limits.withMaxManifestBytes(MANIFEST_BYTES)));
  }

  private static Arguments limit(
      Reason reason, UnaryOperator<UnpackLimits> tooLittle, UnaryOperator<UnpackLimits> enough) {
    return Arguments.of(
        reason, tooLittle.apply(UnpackLimits.defaults()), enough.apply(UnpackLimits.defaults()));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void limit_is_the_most_that_is_taken(Reason reason, UnpackLimits tooLittle, UnpackLimits enough)
      throws IOException {
    byte[] tar = TestTar.of(LOG, "1234567", DEEP, "12", LONG, "12").end();
    assertThat(packs.refuse(tar, tooLittle).reason()).isEqualTo(reason);
    Path file = Files.write(root.resolve("p"), TestFiles.gzip(tar));
    assertThat(TestPacks.unpack(file, root.resolve("t"), enough).files()).hasSize(3);
  }

  @Test
  void lengths_that_overflow_together_are_refused() throws IOException {
    JsonObject huge = TestTar.listed("a", "").with("bytes", Long.MAX_VALUE);
    byte[] manifest = TestTar.manifest(
        TestTar.listed(LOG, "x"), huge, TestTar.listed("b", "").with("bytes", Long.MAX_VALUE));
    UnpackLimits wide =
        UnpackLimits.defaults().withMaxFileBytes(Long.MAX_VALUE).withMaxTotalBytes(Long.MAX_VALUE);
    byte[] tar = new TestTar().file("MANIFEST.json", manifest).end();
    assertThat(packs.refuse(tar, wide).reason()).isEqualTo(Reason.SIZE);
  }

  @Test
  void manifest_that_only_says_it_is_large_is_refused_before_it_is_read() throws IOException {
    byte[] tar =
        new TestTar().header("MANIFEST.json", '0', 1L << 32, header -> {}).open();
    PackFormatException refused = packs.refuse(tar);
    assertThat(refused.reason()).isEqualTo(Reason.LIMIT);
    assertThat(refused).hasMessageContaining("a manifest of 4294967296 bytes, at most 33554432");
    byte[] extended = new TestTar().header("x", 'x', 1L << 32, header -> {}).open();
    assertThat(packs.refuse(extended))
        .hasMessageContaining("an extended header of 4294967296 bytes, at most 1064 are read");
  }

  @Test
  @Tag("slow")
  void bomb_is_refused_without_being_inflated() throws IOException {
    long size = 200L << 20;
    byte[] manifest =
        TestTar.manifest(TestTar.listed(LOG, "").with("bytes", size)); // the hash is never reached
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(new TestTar()
          .file("MANIFEST.json", manifest)
          .header(LOG, '0', size, header -> {})
          .open());
      zeros(gzip, size);
    }
    PackFormatException refused = packs.refusePacked(packed.toByteArray(), UnpackLimits.defaults());
    assertThat(refused.reason()).isEqualTo(Reason.RATIO);
    assertThat(refused).hasMessageContaining("more than 200 times as many");
    assertThat(refused.offset()).isBetween(64L << 20, 65L << 20);
  }

  @Test
  @Tag("slow")
  void ratio_of_the_first_64_mebibytes_is_free() throws IOException {
    String text = "x".repeat((64 << 20) - 4_096);
    Path file =
        Files.write(root.resolve("p"), TestFiles.gzip(TestTar.of(LOG, text).end()));
    UnpackLimits strict = UnpackLimits.defaults().withMaxRatio(1);
    assertThat(TestPacks.unpack(file, root.resolve("t"), strict).ratio()).isEqualTo(1);
    assertThat(root.resolve("t/" + LOG)).hasSize(text.length());
  }

  @Test
  void zeros_behind_the_end_are_limited() throws IOException {
    byte[] sound = TestTar.of(LOG, "x").end();
    int most = 1 << 20;
    UnpackLimits anyRatio = UnpackLimits.defaults().withMaxRatio(100_000);
    assertThat(packs.unpack(TestFiles.concat(sound, new byte[most]))).isEqualTo(Map.of(LOG, "x"));
    PackFormatException refused =
        packs.refuse(TestFiles.concat(sound, new byte[most + 1]), anyRatio);
    assertThat(refused.reason()).isEqualTo(Reason.LIMIT);
    assertThat(refused).hasMessageContaining("more than 1048576 zero bytes follow the end");
  }

  @Test
  void reader_counts_what_it_inflates_byte_by_byte_too() throws IOException {
    int free = 64 << 20;
    byte[] packed = TestFiles.gzip(new byte[2 * free]);
    try (InputStream in =
        new RatioLimit(new GzipInput(new ByteArrayInputStream(packed), "t"), "t", 10)) {
      in.skipNBytes(free - 1);
      assertThat(in.read()).isZero();
      assertThatThrownBy(in::read)
          .isInstanceOf(PackFormatException.class)
          .hasMessageStartingWith("t: byte 67108865: ");
    }
  }

  @Test
  void limit_that_is_not_positive_is_refused() {
    UnpackLimits limits = UnpackLimits.defaults();
    assertThatThrownBy(() -> limits.withMaxFiles(0)).hasMessage("maxFiles must be positive: 0");
    assertThatThrownBy(() -> limits.withMaxTotalBytes(-1)).hasMessageContaining("maxTotalBytes");
    assertThatThrownBy(() -> limits.withMaxFileBytes(0)).hasMessageContaining("maxFileBytes");
    assertThatThrownBy(() -> limits.withMaxManifestBytes(0)).hasMessageContaining("maxManifest");
    assertThatThrownBy(() -> limits.withMaxPathBytes(0)).hasMessageContaining("maxPathBytes");
    assertThatThrownBy(() -> limits.withMaxDepth(0)).hasMessageContaining("maxDepth");
    assertThatThrownBy(() -> limits.withMaxRatio(0)).hasMessageContaining("maxRatio");
  }

  private static void zeros(OutputStream out, long bytes) throws IOException {
    byte[] chunk = new byte[1 << 20];
    for (long left = bytes; left > 0; left -= chunk.length) {
      out.write(chunk, 0, (int) Math.min(chunk.length, left));
    }
  }
}
