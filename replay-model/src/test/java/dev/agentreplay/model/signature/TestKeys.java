package dev.agentreplay.model.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The files that OpenSSL made. */
final class TestKeys {

  static final String PRIVATE = text("ed25519.pem");
  static final String PUBLIC = text("ed25519.pub.pem");
  static final String KEY_ID = text("ed25519.keyid").strip();

  private TestKeys() {}

  static String text(String name) {
    try (InputStream stream = TestKeys.class.getResourceAsStream("/keys/" + name)) {
      return new String(Objects.requireNonNull(stream, name).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
