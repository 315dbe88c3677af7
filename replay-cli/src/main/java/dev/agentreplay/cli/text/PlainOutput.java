package dev.agentreplay.cli.text;

import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An output stream of UTF-8 that replaces control characters, so that a terminal shows every
 * character and obeys none, even in a name that a command forgot to escape. Line ends, tabs and, if
 * colors are on, the escape sequences of {@link Style} and of the usage help pass.
 */
final class PlainOutput extends OutputStream {

  private static final char ESCAPE = 0x1b;

  /** The forms of escape sequences, which are compiled when text first has one. */
  private static final class Sequences {

    /** Select Graphic Rendition (ECMA-48, 8.3.117), without what would hide or blink. */
    private static final Pattern STYLE =
        Pattern.compile("\u001b\\[(?:(?:[01234]|2[1234]|3[12369])(?:;|(?=m))){0,4}m");

    /** The beginning of an escape sequence or line end that the next write may complete. */
    private static final Pattern UNDECIDED =
        Pattern.compile("(?:\u001b(?:\\[[0-9;]{0,12})?|\r)\\z");
  }

  private final PrintStream out;
  private final boolean isStyled;
  private final boolean isJson;

  /** The undecided bytes at the end of the last write. */
  private byte[] undecided = new byte[0];

  private int before;

  private PlainOutput(PrintStream out, boolean isStyled, boolean isJson) {
    this.out = out;
    this.isStyled = isStyled;
    this.isJson = isJson;
  }

  /** A stream of text; invisible characters become visible symbols. */
  static Stream text(PrintStream out, boolean isStyled) {
    return new Stream(out, new PlainOutput(out, isStyled, false));
  }

  /** A stream of JSON; invisible characters become escapes, which keeps the JSON value. */
  static Stream json(PrintStream out) {
    return new Stream(out, new PlainOutput(out, false, true));
  }

  /** A plain stream with access to the stream below it. */
  static final class Stream extends PrintStream {

    private final PrintStream raw;

    private Stream(PrintStream raw, PlainOutput plain) {
      super(plain, false, StandardCharsets.UTF_8);
      this.raw = raw;
    }

    PrintStream raw() {
      return raw;
    }

    @Override
    public boolean checkError() {
      return super.checkError() || raw.checkError();
    }
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    if (undecided.length == 0 && isPrintable(bytes, from, length)) {
      before = 0;
      out.write(bytes, from, length);
      return;
    }
    byte[] all = Arrays.copyOf(undecided, undecided.length + length);
    System.arraycopy(bytes, from, all, undecided.length, length);
    int end = wholeCharacters(all);
    String text = new String(all, 0, end, StandardCharsets.UTF_8);
    if (end == all.length && (text.indexOf(ESCAPE) >= 0 || text.endsWith("\r"))) {
      Matcher rest = Sequences.UNDECIDED.matcher(text);
      if (rest.find()) {
        end -= text.length() - rest.start();
        text = text.substring(0, rest.start());
      }
    }
    undecided = Arrays.copyOfRange(all, end, all.length);
    print(text);
  }

  @Override
  public void flush() {
    if (undecided.length > 0) {
      String rest = new String(undecided, StandardCharsets.UTF_8);
      undecided = new byte[0];
      print(rest);
    }
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }

  private void print(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    Matcher style = isStyled && text.indexOf(ESCAPE) >= 0 ? Sequences.STYLE.matcher(text) : null;
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      if (c == ESCAPE && style != null && style.region(i, text.length()).lookingAt()) {
        shown.append(text, i, style.end());
        next = style.end();
      } else if (isShown(c, text, next)) {
        shown.appendCodePoint(c);
      } else if (isJson) {
        PlainText.escape(c, shown);
      } else {
        shown.appendCodePoint(PlainText.picture(c));
      }
      before = c;
      i = next;
    }
    byte[] bytes = shown.toString().getBytes(StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
  }

  private boolean isShown(int c, String text, int next) {
    return switch (c) {
      case '\n', '\t' -> true;
      case '\r' -> next < text.length() && text.charAt(next) == '\n';
      default -> isJson ? PlainText.isShown(c) : PlainText.isShown(c, before);
    };
  }

  private static boolean isPrintable(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if ((bytes[i] < 0x20 && bytes[i] != '\n') || bytes[i] == 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** The offset of an incomplete last character, or the length if there is none. */
  private static int wholeCharacters(byte[] utf8) {
    for (int i = utf8.length - 1; i >= 0 && i >= utf8.length - 3; i--) {
      int b = utf8[i] & 0xff;
      if (b >= 0xc0) {
        int needed = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
        return utf8.length - i < needed ? i : utf8.length;
      }
      if (b < 0x80) {
        break;
      }
    }
    return utf8.length;
  }
}
