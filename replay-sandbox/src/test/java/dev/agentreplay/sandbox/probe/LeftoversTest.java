package dev.agentreplay.sandbox.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LeftoversTest {

  private final String text = "left-" + UUID.randomUUID();

  @Test
  void shell_is_found_until_it_has_ended() throws Exception {
    // a child that has not executed its program yet would be counted as well
    Process shell = new ProcessBuilder("sh", "-c", "read -r line; : " + text).start();
    try {
      assertThat(Leftovers.await(text, true)).isTrue();
      assertThat(Leftovers.exist(text)).isTrue();
    } finally {
      Leftovers.kill(text);
    }
    shell.waitFor();
    assertThat(Leftovers.exist(text)).isFalse();
  }

  /**
   * Otherwise the shell would be taken for ended at the moment that the other program starts it.
   */
  @Test
  void program_that_is_about_to_start_the_shell_is_not_counted() throws Exception {
    String script = "read -r line; exec sh -c \"sleep 60; : $1\"";
    Process starter = new ProcessBuilder("/bin/sh", "-c", script, "starter", text).start();
    try {
      assertThat(Leftovers.exist(text)).isFalse();
      starter.getOutputStream().write('\n');
      starter.getOutputStream().close();
      assertThat(Leftovers.await(text, true)).isTrue();
    } finally {
      Leftovers.kill(text);
      starter.waitFor();
    }
  }

  @Test
  void shell_in_a_session_of_its_own_is_seen_without_a_gap() throws Exception {
    for (int i = 0; i < 20; i++) {
      String each = text + "-" + i + ".";
      Process setsid = new ProcessBuilder("setsid", "sh", "-c", "sleep 60; : " + each).start();
      try {
        assertThat(Leftovers.await(each, true)).isTrue();
        for (int look = 0; look < 5; look++) {
          assertThat(Leftovers.exist(each)).isTrue();
        }
      } finally {
        Leftovers.kill(each);
        setsid.waitFor();
      }
    }
  }
}
