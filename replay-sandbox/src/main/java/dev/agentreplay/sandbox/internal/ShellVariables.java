package dev.agentreplay.sandbox.internal;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The environment variables that a shell passes on to a program, and those that it cannot. */
public final class ShellVariables {

  /** The variables that shells set themselves. */
  public static final List<String> SET_BY_SHELLS = List.of("PWD", "OLDPWD", "SHLVL", "_");

  private static final Set<String> READ_ONLY =
      Set.of("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private ShellVariables() {}

  /** Whether a shell knows a variable of this name; it may drop others. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether a script can set a variable for the program that it starts. */
  public static boolean canSet(String name) {
    return isName(name) && !READ_ONLY.contains(name) && !SET_BY_SHELLS.contains(name);
  }
}
