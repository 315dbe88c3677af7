package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SaltTest {

  private static final String TEXT = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

  @Property
  void bytes_are_those_of_the_text(@ForAll @Size(Salt.BYTES) byte[] bytes) {
    Salt salt = Salt.of(bytes);

    assertThat(salt.text()).hasSize(43);
    assertThat(salt.toBytes()).isEqualTo(bytes);
    assertThat(Salt.tryParse(salt.text())).isEqualTo(salt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9",
        "+AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
      })
  void any_other_text_is_refused(String text) {
    assertThat(Salt.tryParse(text)).isNull();
    assertThatThrownBy(() -> new Salt(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("256 bits as base64url without padding, 43 characters, found");
  }

  @Test
  void another_number_of_bytes_is_refused() {
    assertThatThrownBy(() -> Salt.of(new byte[31])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Salt.of(new byte[33])).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void text_is_not_printed() {
    assertThat(ReplayHeader.of("p").withSalt(new Salt(TEXT)).toString())
        .doesNotContain(TEXT)
        .contains("salt=salt");
  }
}
