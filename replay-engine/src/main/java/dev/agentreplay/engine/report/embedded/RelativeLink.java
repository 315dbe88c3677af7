package dev.agentreplay.engine.report.embedded;

import java.nio.charset.StandardCharsets;

/** Encodes relative paths as links, which can never name a scheme or a host (RFC 3986). */
public final class RelativeLink {

  private static final String UNRESERVED = "-._~";

  private RelativeLink() {}

  /** The link to a file, by a relative path with slashes. */
  public static String to(String path) {
    StringBuilder link = new StringBuilder("./");
    for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean isPlain = (c < 0x80 && Character.isLetterOrDigit(c))
          || UNRESERVED.indexOf(c) >= 0
          // a second slash would begin an empty name
          || (c == '/' && link.charAt(link.length() - 1) != '/');
      if (isPlain) {
        link.append(c);
      } else if (c != '/') {
        link.append('%').append("%02X".formatted((int) c));
      }
    }
    return link.toString();
  }
}
