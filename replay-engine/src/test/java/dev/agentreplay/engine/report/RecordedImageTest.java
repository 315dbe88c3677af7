package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.report.embedded.RecordedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images in recorded texts. */
class RecordedImageTest {

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String webP(String chunk, String hex) {
    byte[] data = HexFormat.of().parseHex(hex);
    ByteBuffer bytes = ByteBuffer.allocate(40);
    bytes.put("RIFF\0\0\0\0WEBP".getBytes(StandardCharsets.US_ASCII));
    bytes.put(chunk.getBytes(StandardCharsets.US_ASCII)).putInt(0).put(data);
    return base64(bytes.array());
  }

  @ParameterizedTest
  @CsvSource({"png, image/png", "gif, image/gif", "jpg, image/jpeg"})
  void size_and_type_are_those_of_the_bytes(String format, String type) throws IOException {
    String data = TestImages.of(format, 320, 7);
    RecordedImage expected = new RecordedImage(type, 320, 7, data);

    assertThat(RecordedImage.of(data)).isEqualTo(expected);
    assertThat(RecordedImage.of("data:image/svg+xml;base64," + data)).isEqualTo(expected);
  }

  @Test
  void size_of_a_webp_is_read_in_each_of_its_forms() {
    List<RecordedImage> images = Stream.of(
            webP("VP8X", "00000000" + "3f0100" + "060000"),
            webP("VP8L", "2f" + "3f810100"),
            webP("VP8 ", "000000" + "9d012a" + "4001" + "0700"))
        .map(RecordedImage::of)
        .toList();

    assertThat(images).allSatisfy(image -> {
      assertThat(image).isNotNull();
      assertThat(image.type()).isEqualTo("image/webp");
      assertThat(List.of(image.width(), image.height())).isEqualTo(List.of(320, 7));
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "iVBORw0KGgo",
        "data:",
        "data:image/png;base64,",
        "data:image/png,iVBORw0KGgoAAAANSUhEUgAAAUAAAAAHCAIAAAA=",
        "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0PjwvaHRtbD48YSBocmVmPg==",
        "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIiB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="
      })
  void other_texts_are_refused(String text) {
    assertThat(RecordedImage.of(text)).isNull();
  }

  @Test
  void text_that_is_not_base64_is_refused() throws IOException {
    String data = TestImages.png(9, 9);

    assertThat(RecordedImage.of(data.substring(0, data.length() - 4) + "\"<x>")).isNull();
    assertThat(RecordedImage.of(data + "\n")).isNull();
    assertThat(RecordedImage.of(data.substring(1))).isNull();
  }

  @Test
  void image_that_would_fill_the_memory_or_the_page_is_refused() throws IOException {
    byte[] bytes = Base64.getDecoder().decode(TestImages.png(9, 9));
    ByteBuffer.wrap(bytes).putInt(16, 40_000).putInt(20, 1_000);
    assertThat(RecordedImage.of(base64(bytes))).isNotNull();
    ByteBuffer.wrap(bytes).putInt(20, 1_001);
    assertThat(RecordedImage.of(base64(bytes))).isNull();
    ByteBuffer.wrap(bytes).putInt(16, -1).putInt(20, -1);
    assertThat(RecordedImage.of(base64(bytes))).isNull();

    String data = TestImages.png(9, 9);
    byte[] long1 = Arrays.copyOf(Base64.getDecoder().decode(data), 3 << 20);
    assertThat(RecordedImage.of(base64(long1))).isNotNull();
    byte[] long2 = Arrays.copyOf(long1, (3 << 20) + 3);
    assertThat(RecordedImage.of(base64(long2))).isNull();
  }

  @Property(tries = 500)
  void bytes_that_begin_like_an_image_never_fail(
      @ForAll byte[] rest, @ForAll @IntRange(max = 3) int kind) {
    byte[][] heads = {
      {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'},
      {(byte) 0xff, (byte) 0xd8, (byte) 0xff},
      {'G', 'I', 'F', '8', '9', 'a'},
      {'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P', 'V', 'P', '8', 'X'}
    };
    byte[] head = heads[kind];
    byte[] bytes = Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, bytes, head.length, rest.length);

    RecordedImage image = RecordedImage.of(base64(bytes));
    if (image != null) {
      assertThat(image.width()).isPositive();
      assertThat(image.height()).isPositive();
    }
  }
}
