package dev.agentreplay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnceScanTest {

  private static final SecretMatch MATCH = new SecretMatch("rule", 0, 1);

  private final List<String> scanned = new ArrayList<>();

  private final OnceScan scan = new OnceScan(new TextScan() {
    @Override
    public List<SecretMatch> scan(String text) {
      scanned.add(text);
      return text.startsWith("secret") ? List.of(MATCH) : List.of();
    }

    @Override
    public List<SecretMatch> scan(String name, String text) {
      return name.equals("password") ? List.of(MATCH) : scan(text);
    }

    @Override
    public List<SecretMatch> scanIdentifier(String text) {
      return List.of();
    }
  });

  @Test
  void text_of_a_line_is_scanned_once() {
    String text = "text";

    scan.begin();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scanned).hasSize(1);
    scan.begin();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scanned).hasSize(2);
    scan.end();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scanned).hasSize(4);
  }

  @Test
  void text_is_scanned_again_for_another_member_and_as_another_object() {
    String text = "text";

    scan.begin();
    assertThat(scan.scanIdentifier(text)).isEmpty();
    assertThat(scan.scan("name", text)).isEmpty();
    assertThat(scan.scan("password", text)).containsExactly(MATCH);
    assertThat(scan.scan("name", new StringBuilder(text).toString())).isEmpty();
    assertThat(scanned).containsExactly("text", "text");
  }

  @Test
  void text_with_a_secret_is_never_clean() {
    String text = "secret";

    scan.begin();
    assertThat(scan.scan("name", text)).containsExactly(MATCH);
    assertThat(scan.scan("name", text)).containsExactly(MATCH);
  }
}
