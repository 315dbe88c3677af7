package dev.agentreplay.langchain4j;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An object that is created when it is first requested. Safe for use by several threads. */
final class CreatedOnce<T> {

  private final Supplier<? extends T> supplier;
  private @Nullable T created;

  CreatedOnce(Supplier<? extends T> supplier) {
    this.supplier = Objects.requireNonNull(supplier, "supplier");
  }

  synchronized T get() {
    T value = created;
    if (value == null) {
      value = Objects.requireNonNull(supplier.get(), "the supplier returned null");
      created = value;
    }
    return value;
  }
}
