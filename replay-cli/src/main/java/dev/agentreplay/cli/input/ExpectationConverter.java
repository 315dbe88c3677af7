package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.text.NearestName;
import dev.agentreplay.verify.Expectation;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a fact that is expected of a session: {@code session_id=ID}, {@code root=HASH} or
 * {@code shown=EVENT/POINTER}.
 */
public final class ExpectationConverter implements ITypeConverter<Expectation> {

  private static final String SESSION_ID = "session_id=";
  private static final String ROOT = "root=";
  private static final String SHOWN = "shown=";

  @Override
  public Expectation convert(String text) {
    if (text.startsWith(SESSION_ID)) {
      return Expectation.sessionId(text.substring(SESSION_ID.length()));
    } else if (text.startsWith(SHOWN)) {
      return shown(text.substring(SHOWN.length()));
    } else if (!text.startsWith(ROOT)) {
      throw new TypeConversionException(
          "expected session_id=ID, root=sha256:HEX or shown=EVENT/POINTER, found \"%s\""
              .formatted(Style.plain(text)));
    }
    try {
      return Expectation.root(ContentHash.parse(text.substring(ROOT.length())));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "expected root=sha256:HEX: " + Style.plain(String.valueOf(e.getMessage())));
    }
  }

  private static Expectation shown(String place) {
    int slash = place.indexOf('/');
    String tag = slash < 0 ? place : place.substring(0, slash);
    EventKind kind = EventKind.ofTag(tag);
    if (kind == EventKind.UNKNOWN) {
      List<String> tags = Arrays.stream(EventKind.values()).map(EventKind::id).toList();
      throw new TypeConversionException(
          "expected shown=EVENT/POINTER with an event such as ToolCall, found \"%s\"%s"
              .formatted(Style.plain(tag), NearestName.suggestion(tag, tags)));
    }
    try {
      return Expectation.shown(kind, JsonPointer.parse(slash < 0 ? "" : place.substring(slash)));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "expected shown=EVENT/POINTER: " + Style.plain(String.valueOf(e.getMessage())));
    }
  }
}
