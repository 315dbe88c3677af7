package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permissions of keys, and of files that commands write. */
class OwnerOnlyTest extends AuditedSession {

  @BeforeEach
  void needPermissions() throws IOException {
    Assumptions.assumeThat(Files.getFileStore(home).supportsFileAttributeView("posix"))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-r-----", "rw--w----", "rw----r--"})
  void key_that_others_have_access_to_is_refused_without_force(String permissions)
      throws IOException {
    share(key, permissions);
    for (Console refused : new Console[] {
      console("sign", session, "--key", key), console("checkpoint", session, "--key", key)
    }) {
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err())
          .isEqualTo(("replay: %s: other users can access this private key (permissions %s); run"
                  + " chmod 600, or sign with it all the same with --force\n")
              .formatted(key, permissions));
    }
    assertThat(session.resolve("RECEIPT.dsse.json")).doesNotExist();
    Console forced = console("checkpoint", session, "--key", key, "--force");
    assertThat(forced.exit()).isZero();
    assertThat(forced.err()).startsWith("replay: warning: " + key).hasLineCount(1);
    assertThat(console("sign", session, "--key", key, "--force").exit()).isZero();
  }

  @Test
  void key_that_its_owner_alone_has_may_be_read_only() throws IOException {
    share(key, "r--------");
    assertThat(console("sign", session, "--key", key).exit()).isZero();
  }

  @Test
  void new_key_in_the_place_of_a_shared_one_is_for_its_owner_alone() throws IOException {
    share(key, "rw-rw-rw-");
    assertThat(console("keygen", key, "--overwrite").exit()).isZero();
    assertThat(permissions(key)).isEqualTo("rw-------");
  }

  @Test
  void public_key_has_the_permissions_of_any_file() throws IOException {
    assertThat(permissions(pub())).isEqualTo(permissions(Files.createFile(home.resolve("any"))));
  }

  @Test
  void files_with_what_was_recorded_are_for_their_owner_alone() throws IOException {
    Path page = home.resolve("page.html");
    assertThat(console("show", session, "--html", page).exit()).isZero();
    assertThat(permissions(page)).isEqualTo("rw-------");
    assertThat(permissions(run("receipt", "receipt", session))).isEqualTo("rw-------");
    assertThat(permissions(run("checkpoint", "checkpoint", session))).isEqualTo("rw-------");
  }

  private static void share(Path file, String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
