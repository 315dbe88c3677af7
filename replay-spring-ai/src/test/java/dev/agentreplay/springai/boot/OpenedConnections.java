package dev.agentreplay.springai.boot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The connections that this process opened and the processes that it started, while this is open.
 * Java asks the proxy selector before each connection of a socket, of HttpClient and of a URL; the
 * flight recorder sees each byte of a socket and each process.
 */
final class OpenedConnections implements AutoCloseable {

  private static final List<String> EVENTS =
      List.of("jdk.ProcessStart", "jdk.SocketRead", "jdk.SocketWrite");

  private final Recording recording = new Recording();
  private final ProxySelector before = ProxySelector.getDefault();
  private final Set<String> asked = new ConcurrentSkipListSet<>();

  private OpenedConnections() {
    EVENTS.forEach(event -> recording.enable(event).withoutThreshold().withoutStackTrace());
    ProxySelector.setDefault(new ProxySelector() {
      @Override
      public List<Proxy> select(URI address) {
        asked.add("connection to " + address);
        return List.of(Proxy.NO_PROXY);
      }

      @Override
      public void connectFailed(URI address, SocketAddress proxy, IOException failure) {}
    });
    recording.start();
  }

  static OpenedConnections observe() {
    InetAddress.getLoopbackAddress();
    return new OpenedConnections();
  }

  /** The events seen so far, such as "jdk.ProcessStart". */
  Set<String> seen() throws IOException {
    Set<String> seen = new ConcurrentSkipListSet<>(asked);
    Path file = Files.createTempFile("connections", ".jfr");
    try {
      recording.stop();
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (EVENTS.contains(event.getEventType().getName())) { // others may be enabled by JUnit
          seen.add(event.getEventType().getName());
        }
      }
    } finally {
      Files.delete(file);
    }
    return seen;
  }

  @Override
  public void close() {
    ProxySelector.setDefault(before);
    recording.close();
  }
}
