package dev.agentreplay.engine.report;

import dev.agentreplay.engine.view.Prices;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options of the page of a folder of sessions.
 *
 * @param title the title of the page
 * @param directory the directory that the rows do not repeat: paths below it are shown relative to
 *     it; null shows them as they are
 * @param prices the prices of models; without any the page has no costs
 * @param pages the page of a session, given its path: a path relative to the folder of the page to
 *     be written, with {@code /} between its names; null for a session without a page. The page
 *     encodes it as a link
 */
public record FolderOptions(
    String title, @Nullable Path directory, Prices prices, Function<Path, @Nullable String> pages) {

  /** Checks for null. */
  public FolderOptions {
    Objects.requireNonNull(title, "title");
    Objects.requireNonNull(prices, "prices");
    Objects.requireNonNull(pages, "pages");
  }

  /** The options of a page with this title, without a directory, prices and links. */
  public static FolderOptions titled(String title) {
    return new FolderOptions(title, null, Prices.NONE, path -> null);
  }

  /** Returns these options with a different directory. */
  public FolderOptions withDirectory(@Nullable Path newDirectory) {
    return new FolderOptions(title, newDirectory, prices, pages);
  }

  /** Returns these options with different prices. */
  public FolderOptions withPrices(Prices newPrices) {
    return new FolderOptions(title, directory, newPrices, pages);
  }

  /** Returns these options with different links. */
  public FolderOptions withPages(Function<Path, @Nullable String> newPages) {
    return new FolderOptions(title, directory, prices, newPages);
  }
}
