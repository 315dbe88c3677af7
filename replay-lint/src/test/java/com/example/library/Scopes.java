package com.example.library;

import java.util.function.Consumer;

/** Takes an agent as a function of the JDK. */
public final class Scopes {

  private Scopes() {}

  /** A scope of agents. */
  public static final class Scope {}

  public static Consumer<Scope> agent() {
    return scope -> System.out.println(System.nanoTime());
  }
}
