package dev.agentreplay.sandbox.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A processor architecture for which the seccomp filters know the numbers of system calls. */
public enum Architecture {
  X86_64(0xC000003E),
  AARCH64(0xC00000B7);

  private final int audit;

  Architecture(int audit) {
    this.audit = audit;
  }

  /** The value of {@code seccomp_data.arch}. */
  public int audit() {
    return audit;
  }

  /** The architecture that a value of {@code os.arch} names; null if it is not known. */
  public static @Nullable Architecture of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64", "x86-64" -> X86_64;
      case "aarch64", "arm64" -> AARCH64;
      default -> null;
    };
  }
}
