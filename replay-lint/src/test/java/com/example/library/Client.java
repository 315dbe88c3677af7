package com.example.library;

import java.util.ArrayList;
import java.util.List;

/** A library that is not scanned, and calls listeners. */
public final class Client {

  /** Is called by the client. */
  public interface Listener {
    void onRequest(String request);
  }

  private final List<Listener> listeners = new ArrayList<>();

  public Client with(Listener listener) {
    listeners.add(listener);
    return this;
  }

  public void send(String request) {
    listeners.forEach(listener -> listener.onRequest(request));
  }
}
