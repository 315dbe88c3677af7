package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

class JUnitVersionTest {

  /** A context as JUnit 5.11 has it. */
  interface Old {
    void publishReportEntry(String value);
  }

  @Test
  void version_that_is_too_old_is_named() {
    assertThatThrownBy(() -> JUnitVersion.require(Old.class, "5.11.4"))
        .isInstanceOf(ExtensionConfigurationException.class)
        .hasMessage("replay-junit needs JUnit 5.12 or later, found 5.11.4");
    assertThatThrownBy(() -> JUnitVersion.require(Old.class, null))
        .hasMessageEndingWith("found an earlier version");
  }

  @Test
  void version_of_this_run_is_new_enough() {
    assertThatCode(JUnitVersion::require).doesNotThrowAnyException();
  }
}
