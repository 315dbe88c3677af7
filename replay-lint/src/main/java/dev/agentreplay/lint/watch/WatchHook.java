package dev.agentreplay.lint.watch;

/** The method that watched classes call before a nondeterministic call. Not for other callers. */
public final class WatchHook {

  private WatchHook() {}

  /**
   * Announces a call to the listener of a {@link ContextWatch}.
   *
   * @param watch the number of the watch; one that was closed announces nothing
   * @param site the number of the call in the watch
   */
  public static void called(int watch, int site) {
    ContextWatch.announce(watch, site);
  }
}
