package dev.agentreplay.publish.policy;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import java.util.Arrays;

/**
 * The rules for texts that a policy shows. Secrets are always replaced.
 *
 * @param userPaths whether the names of users in paths are replaced
 * @param emails whether email addresses are replaced
 * @param urlUsers whether the users and passwords in URLs are replaced
 * @param maxLength the maximum length of a text in code points
 */
record TextOptions(boolean userPaths, boolean emails, boolean urlUsers, int maxLength) {

  /** The rules of a policy that does not state any. */
  static final TextOptions DEFAULTS = new TextOptions(true, true, true, Integer.MAX_VALUE);

  /** The smallest limit of the length, so that beginning and end say something. */
  static final int LEAST_LENGTH = 16;

  private static final String USER_PATHS = "user_paths";
  private static final String EMAILS = "emails";
  private static final String URL_USERS = "url_users";
  private static final String MAX_LENGTH = "max_length";
  private static final String MAP = "map";
  private static final String SHOW = "show";

  /** Reads the rules; those that are missing are taken from {@code base}. */
  static TextOptions parse(StrictObject json, TextOptions base) throws DocumentFormatException {
    json.only(USER_PATHS, EMAILS, URL_USERS, MAX_LENGTH);
    long length = base.maxLength;
    if (json.json().has(MAX_LENGTH)) {
      length = json.integer(MAX_LENGTH, LEAST_LENGTH);
      if (length >= Integer.MAX_VALUE) {
        throw json.mustBe("less than 2^31-1", MAX_LENGTH, json.json().get(MAX_LENGTH));
      }
    }
    return new TextOptions(
        isMapped(json, USER_PATHS, base.userPaths),
        isMapped(json, EMAILS, base.emails),
        isMapped(json, URL_USERS, base.urlUsers),
        (int) length);
  }

  private static boolean isMapped(StrictObject json, String name, boolean base)
      throws DocumentFormatException {
    if (!json.json().has(name)) {
      return base;
    }
    String word = json.string(name);
    if (!Arrays.asList(MAP, SHOW).contains(word)) {
      throw json.mustBe("\"map\" or \"show\"", name, json.json().get(name));
    }
    return word.equals(MAP);
  }

  JsonObject toJson() {
    JsonObject json =
        JsonObject.of(EMAILS, word(emails), URL_USERS, word(urlUsers), USER_PATHS, word(userPaths));
    return maxLength == Integer.MAX_VALUE ? json : json.with(MAX_LENGTH, maxLength);
  }

  private static String word(boolean isMapped) {
    return isMapped ? MAP : SHOW;
  }
}
