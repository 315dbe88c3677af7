package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.testkit.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid gzip data: damage is never taken for the end of the stream. */
public class GzipInputTest {

  private static final byte[] DATA = "one line\nand another\n".getBytes(StandardCharsets.UTF_8);

  @Property(tries = 300)
  void any_bytes_in_any_members_read_in_any_pieces_are_the_bytes(
      @ForAll @Size(max = 5) byte[][] members, @ForAll @IntRange(min = 1, max = 9) int piece)
      throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.write(TestFiles.gzip(new byte[0]));
    for (byte[] member : members) {
      plain.write(member);
      packed.write(TestFiles.gzip(member));
    }
    assertThat(read(packed.toByteArray(), piece)).isEqualTo(plain.toByteArray());
  }

  @Test
  void large_members_cross_the_buffer() throws IOException {
    byte[] noise = new byte[200_000];
    new Random(1).nextBytes(noise);
    byte[] twice = TestFiles.concat(TestFiles.gzip(noise), TestFiles.gzip(noise));
    assertThat(read(twice, 4_096)).isEqualTo(TestFiles.concat(noise, noise));
  }

  @Test
  void optional_parts_of_a_header_are_skipped_and_its_sum_is_checked() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.write(new byte[] {0x1f, (byte) 0x8b, 8, 0x1f, 1, 2, 3, 4, 0, 3});
    header.write(new byte[] {3, 0, 'a', 'b', 'c'});
    header.write("name\0comment\0".getBytes(StandardCharsets.US_ASCII));
    CRC32 sum = new CRC32();
    sum.update(header.toByteArray());
    header.write((int) sum.getValue());
    header.write((int) sum.getValue() >> 8);
    byte[] plain = TestFiles.gzip(DATA);
    byte[] whole =
        TestFiles.concat(header.toByteArray(), Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(read(whole, 100)).isEqualTo(DATA);

    whole[6]++;
    assertThatThrownBy(() -> read(whole, 100)).hasMessageContaining("check sum of the header");
  }

  @Test
  void every_truncation_is_an_error_that_says_so() {
    byte[] whole = TestFiles.concat(TestFiles.gzip(DATA), TestFiles.gzip(DATA));
    int first = TestFiles.gzip(DATA).length;
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length == first) {
        continue;
      }
      assertThatThrownBy(() -> read(cut, 100))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessage("test.gz: byte " + length + ": the compressed data is cut short");
    }
  }

  @Test
  void every_flipped_bit_is_an_error_or_changes_nothing() {
    byte[] whole = TestFiles.gzip(DATA);
    int same = 0;
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(read(flipped, 100)).as("bit %d", bit).isEqualTo(DATA);
        same++;
        // the text flag, the time, the hint, the system; what fills the last byte of the data
        assertThat(bit / 8).isIn(3, 4, 5, 6, 7, 8, 9, whole.length - 9);
      } catch (IOException expected) {
        assertThat(expected).hasMessageStartingWith("test.gz: byte ");
      }
    }
    assertThat(same).isBetween(1 + 6 * 8, 1 + 6 * 8 + 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\0", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "\u001fx", "\n"})
  void garbage_behind_a_member_is_an_error_with_its_place(String garbage) {
    byte[] member = TestFiles.gzip(DATA);
    byte[] whole = TestFiles.concat(member, garbage.getBytes(StandardCharsets.ISO_8859_1));
    int at = member.length + (garbage.charAt(0) == 0x1f ? 1 : 0);
    assertThatThrownBy(() -> read(whole, 100))
        .hasMessage("test.gz: byte %d: expected the end or another gzip member, found the byte %s"
            .formatted(at, "0x%02x".formatted((int) garbage.charAt(at - member.length))));
  }

  @Test
  void invalid_gzip_and_unsupported_methods_are_reported() {
    byte[] method = TestFiles.gzip(DATA);
    method[2] = 7;
    assertThatThrownBy(() -> read(method, 9)).hasMessageContaining("method 7 is not deflate");
    byte[] flags = TestFiles.gzip(DATA);
    flags[3] = 0x20;
    assertThatThrownBy(() -> read(flags, 9)).hasMessageContaining("reserved flags are set: 0x20");
    byte[] data = TestFiles.gzip(DATA);
    data[10] = (byte) 0xff;
    assertThatThrownBy(() -> read(data, 9)).hasMessageContaining("not valid deflate data");
    assertThatThrownBy(() -> read(new byte[] {'P', 'K'}, 9)).hasMessageContaining("not a gzip");
    assertThatThrownBy(() -> read(new byte[0], 9)).hasMessageContaining("the file is empty");
  }

  @Test
  void length_other_than_the_stated_one_is_reported() {
    byte[] wrong = TestFiles.gzip(DATA);
    wrong[wrong.length - 4]++;
    assertThatThrownBy(() -> read(wrong, 100))
        .hasMessageContaining("the length of the data is 0x15, but 0x16 is stated");
  }

  @Test
  void closing_closes_the_stream_below() throws IOException {
    boolean[] closed = {false};
    InputStream below = new ByteArrayInputStream(TestFiles.gzip(DATA)) {
      @Override
      public void close() {
        closed[0] = true;
      }
    };
    try (GzipInput in = new GzipInput(below, "test.gz")) {
      assertThat(in.read()).isEqualTo('o');
      assertThat(in.read(new byte[0])).isZero();
    }
    assertThat(closed[0]).isTrue();
  }

  private static byte[] read(byte[] packed, int piece) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GzipInput in = new GzipInput(new ByteArrayInputStream(packed), "test.gz")) {
      byte[] bytes = new byte[piece];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        out.write(bytes, 0, read);
      }
    }
    return out.toByteArray();
  }
}
