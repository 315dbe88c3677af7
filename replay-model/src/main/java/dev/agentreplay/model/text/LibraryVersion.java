package dev.agentreplay.model.text;

import java.lang.module.ModuleDescriptor;
import org.jspecify.annotations.Nullable;

/** Tells the version of this library. */
public final class LibraryVersion {

  private LibraryVersion() {}

  /** The version of the jar or module that a class is in; null when it is in neither. */
  public static @Nullable String find(Class<?> type) {
    // a jar on the class path has it in its manifest, a named module in its descriptor
    String inManifest = type.getPackage().getImplementationVersion();
    ModuleDescriptor module = type.getModule().getDescriptor();
    return inManifest != null || module == null
        ? inManifest
        : module.rawVersion().orElse(null);
  }
}
