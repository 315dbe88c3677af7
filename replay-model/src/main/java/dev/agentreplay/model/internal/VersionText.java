package dev.agentreplay.model.internal;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.text.Excerpt;
import org.jspecify.annotations.Nullable;

/** What is to be said of the version that a header states. */
public final class VersionText {

  private VersionText() {}

  /** Why a log may not be read as it is meant, in words; null when all is well. */
  public static @Nullable String fault(ReplayHeader header) {
    return switch (header.support()) {
      case SUPPORTED -> null;
      case NEWER ->
        "the log is of version %s, later than 1: what it may have added is kept, but not understood"
            .formatted(Excerpt.of(header.version()));
      case UNSUPPORTED ->
        (header.version().isEmpty()
                ? "the header states no version that can be read"
                : "the log is of version " + Excerpt.of(header.version()))
            + ", and only version 1 and what was added to it are supported";
    };
  }
}
