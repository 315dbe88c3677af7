package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.verify.Expectation;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a fact that is expected of a session: {@code session_id=ID} or {@code root=HASH}. */
public final class ExpectationConverter implements ITypeConverter<Expectation> {

  private static final String SESSION_ID = "session_id=";
  private static final String ROOT = "root=";

  @Override
  public Expectation convert(String text) {
    if (text.startsWith(SESSION_ID)) {
      return Expectation.sessionId(text.substring(SESSION_ID.length()));
    }
    if (!text.startsWith(ROOT)) {
      throw new TypeConversionException(
          "expected session_id=ID or root=sha256:HEX, found \"%s\"".formatted(Style.plain(text)));
    }
    try {
      return Expectation.root(ContentHash.parse(text.substring(ROOT.length())));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "expected root=sha256:HEX: " + Style.plain(String.valueOf(e.getMessage())));
    }
  }
}
