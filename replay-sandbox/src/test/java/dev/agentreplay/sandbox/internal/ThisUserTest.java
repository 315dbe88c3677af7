package dev.agentreplay.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ThisUserTest {

  @Test
  void name_that_java_does_not_know_is_not_known() {
    assertThat(ThisUser.name("me")).isEqualTo("me");
    assertThat(ThisUser.name("?")).isNull();
    assertThat(ThisUser.name("")).isNull();
    assertThat(ThisUser.name(null)).isNull();
  }

  @Test
  void home_that_java_does_not_know_is_that_of_the_environment() {
    assertThat(ThisUser.home("/home/me", "/other")).isEqualTo(Path.of("/home/me"));
    assertThat(ThisUser.home("?", "/nonexistent")).isEqualTo(Path.of("/nonexistent"));
    assertThat(ThisUser.home("?", "relative")).isNull();
    assertThat(ThisUser.home("?", "a\0b")).isNull();
    assertThat(ThisUser.home(null, null)).isNull();
  }
}
