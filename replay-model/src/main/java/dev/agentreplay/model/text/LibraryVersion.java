package dev.agentreplay.model.text;

import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.Nullable;

/** Finds the version of this library. */
public final class LibraryVersion {

  private LibraryVersion() {}

  /**
   * Returns the version of the jar or module that contains a class; null when neither states one.
   */
  public static @Nullable String find(Class<?> type) {
    // a jar on the class path states the version in its manifest, a named module in its descriptor
    String inManifest = type.getPackage().getImplementationVersion();
    ModuleDescriptor module = type.getModule().getDescriptor();
    return inManifest != null || module == null
        ? inManifest
        : module.rawVersion().orElse(null);
  }
}
