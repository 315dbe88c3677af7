package dev.agentreplay.sandbox.probe;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listeners of this process, outside the sandbox, and the sides from which they were reached. They
 * listen at the loopback address, and at one other address of the machine if there is one.
 */
final class ProbeListeners implements Closeable {

  private final String nonce;
  private final List<Closeable> open = new ArrayList<>();
  private final List<String> tcp = new ArrayList<>();
  private final List<String> udp = new ArrayList<>();
  private final Set<String> reached = ConcurrentHashMap.newKeySet();

  private ProbeListeners(String nonce) {
    this.nonce = nonce;
  }

  @SuppressWarnings("MustBeClosed") // closed by close()
  static ProbeListeners start(String nonce, Path socket) throws IOException {
    ProbeListeners listeners = new ProbeListeners(nonce);
    try {
      for (InetAddress address : addresses()) {
        ServerSocket server = new ServerSocket(0, 50, address);
        listeners.open.add(server);
        listeners.tcp.add(address.getHostAddress() + ":" + server.getLocalPort());
        listeners.serve("tcp", () -> listeners.accept(server));
        DatagramSocket datagrams = new DatagramSocket(0, address);
        listeners.open.add(datagrams);
        listeners.udp.add(address.getHostAddress() + ":" + datagrams.getLocalPort());
        listeners.serve("udp", () -> listeners.answer(datagrams));
      }
      ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listeners.open.add(unix);
      unix.bind(UnixDomainSocketAddress.of(socket));
      listeners.serve("unix", () -> unix.accept().close());
      return listeners;
    } catch (IOException | RuntimeException e) {
      listeners.close();
      throw e;
    }
  }

  /** The addresses at which TCP connections are accepted, with ports. */
  List<String> tcp() {
    return tcp;
  }

  /** The addresses at which datagrams are answered, with ports. */
  List<String> udp() {
    return udp;
  }

  /** Whether a side of the probe has reached a listener of a protocol. */
  boolean isReached(String protocol, String side) {
    return reached.contains(protocol + " " + side);
  }

  private void accept(ServerSocket server) throws IOException {
    try (Socket client = server.accept()) {
      client.setSoTimeout(ProbeProgram.TIMEOUT_MILLIS);
      reached.add("tcp " + firstWord(client.getInputStream().readNBytes(6)));
      client.getOutputStream().write(nonce.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void answer(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[512], 512);
    socket.receive(packet);
    byte[] bytes = new byte[packet.getLength()];
    System.arraycopy(packet.getData(), packet.getOffset(), bytes, 0, bytes.length);
    reached.add("udp " + firstWord(bytes));
    socket.send(packet);
  }

  private static String firstWord(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).split("\\s", 2)[0];
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Repeats a step until the listeners are closed. */
  private void serve(String name, Step step) {
    Thread thread = new Thread(
        () -> {
          while (!isClosed) {
            try {
              step.run();
            } catch (IOException e) {
              // a client that went away, or the end: the probe judges what did arrive
            }
          }
        },
        "replay-probe-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private volatile boolean isClosed;

  @Override
  public void close() throws IOException {
    isClosed = true;
    IOException failure = null;
    for (Closeable closeable : open) {
      try {
        closeable.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static Set<InetAddress> addresses() throws IOException {
    Set<InetAddress> addresses = new LinkedHashSet<>();
    addresses.add(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    for (NetworkInterface link : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(link.getInetAddresses())) {
        if (addresses.size() < 2
            && link.isUp()
            && address instanceof Inet4Address
            && !address.isLoopbackAddress()) {
          addresses.add(address);
        }
      }
    }
    return addresses;
  }
}
