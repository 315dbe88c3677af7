package dev.agentreplay.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The program that opens a page. */
class BrowserTest {

  @TempDir
  private Path home;

  @Test
  void each_system_has_its_program_and_the_variable_takes_precedence() {
    assertThat(Browser.on("Linux", null).command()).containsExactly("xdg-open");
    assertThat(Browser.on("Mac OS X", "").command()).containsExactly("open");
    assertThat(Browser.on("Windows 11", null).command())
        .containsExactly("rundll32", "url.dll,FileProtocolHandler");
    assertThat(Browser.on("Linux", "firefox").command()).containsExactly("firefox");
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void program_gets_the_address_of_the_page_as_one_argument() throws Exception {
    Path program = home.resolve("browser");
    Files.writeString(program, "#!/bin/sh\nprintf '%s|%s' \"$#\" \"$1\" > \"$0.opened\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Path page = home.resolve("a page; rm -rf x.html");

    Process process = Browser.on("Linux", program.toString()).open(page);

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(home.resolve("browser.opened")).hasContent("1|" + page.toUri());
    assertThat(page.toUri().toString()).contains("a%20page;%20rm");
  }

  @Test
  void missing_program_is_named_with_what_to_do() {
    assertThatThrownBy(() -> Browser.on("Linux", "no-such-browser").open(home.resolve("x.html")))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot open the page with no-such-browser: set $BROWSER to the program of a"
            + " browser");
  }
}
