package dev.agentreplay.springai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The directories of sessions whose ids come from the caller. */
class DirectoryNameTest {

  private static final String GENERATED = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  @ParameterizedTest
  @ValueSource(strings = {"night-7", "a", "A_1.b-2", "console", "nul-1", "com10"})
  void fileName_isTheNameOfTheDirectory(String id) {
    assertThat(SpringAiRecorder.directoryName(id)).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".", "..", "../x", "/x", "a/b", "a\\b", "C:x", "a.", "NUL", "con.txt", "Com1", "ü"
      })
  void otherId_hasAGeneratedName(String id) {
    assertThat(SpringAiRecorder.directoryName(id)).matches(GENERATED);
  }

  @Test
  void missingId_hasAGeneratedName() {
    assertThat(SpringAiRecorder.directoryName(null)).matches(GENERATED);
  }
}
