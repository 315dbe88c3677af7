package dev.agentreplay.sandbox.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Properties;

/**
 * The program that runs in the sandbox, and, as the control, in this process: it attempts what its
 * parameters name, and prints the outcome of each attempt. Its class file is copied alone into the
 * workspace of the probe: it uses no class but those of {@code java.base}, has no nested class, and
 * no lambda, which keeps its start short.
 *
 * <p>A line of its output is {@code KIND\tNAME\tVALUE}, where control characters and backslashes of
 * the value are escaped.
 */
final class ProbeProgram {

  /** An attempt reached the machine. */
  static final String REACHED = "reached";

  /** An attempt failed. */
  static final String BLOCKED = "blocked";

  /** An attempt of the same kind, on what belongs to the sandbox, succeeded. */
  static final String WORKS = "works";

  /** A fact that the caller judges. */
  static final String SEEN = "seen";

  /** The time for one attempt; addresses that discard everything take all of it. */
  static final int TIMEOUT_MILLIS = 5000;

  private final Properties parameters;
  private final StringBuilder out = new StringBuilder();

  private ProbeProgram(Properties parameters) {
    this.parameters = parameters;
  }

  /** Reads parameters from the file that is the first argument, and writes the second. */
  public static void main(String[] args) throws IOException {
    Properties parameters = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      parameters.load(in);
    }
    Files.writeString(Path.of(args[1]), run(parameters));
  }

  static String run(Properties parameters) {
    ProbeProgram program = new ProbeProgram(parameters);
    program.files();
    program.tcp();
    program.udp();
    program.dns();
    program.unixSockets();
    program.environment();
    program.processes();
    program.kernel();
    program.line(SEEN, "end", "");
    return program.out.toString();
  }

  private void files() {
    String own = parameters.getProperty("own", "");
    try {
      line(WORKS, "read", Files.readString(Path.of(own, "marker")));
      Files.writeString(Path.of(own, "written-" + parameters.getProperty("side")), "written");
      line(WORKS, "write", "");
    } catch (IOException e) {
      line(SEEN, "files", reason(e));
    }
    for (String target : values("write")) {
      try {
        Path file = Path.of(target);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "written");
        line(SEEN, "write_outside", target);
      } catch (IOException | SecurityException e) {
        line(BLOCKED, "write_outside", reason(e));
      }
    }
    for (String file : values("kernel")) {
      // opened, and nothing written
      try (FileChannel open = FileChannel.open(Path.of(file), StandardOpenOption.WRITE)) {
        line(open.isOpen() ? REACHED : BLOCKED, "kernel", file);
      } catch (IOException e) {
        line(BLOCKED, "kernel", reason(e));
      }
    }
    for (String file : values("read")) {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        line(in.read() >= 0 ? SEEN : BLOCKED, "read", file + key(file));
      } catch (IOException e) {
        line(BLOCKED, "read", reason(e));
      }
    }
    for (String directory : values("list")) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(directory))) {
        line(entries.iterator().hasNext() ? SEEN : BLOCKED, "read", directory + key(directory));
      } catch (IOException e) {
        line(BLOCKED, "read", reason(e));
      }
    }
  }

  /** The identity of a file, which is the same at each of its paths. */
  private static String key(String file) throws IOException {
    return " "
        .concat(String.valueOf(
            Files.readAttributes(Path.of(file), BasicFileAttributes.class).fileKey()));
  }

  private void tcp() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket()) {
      client.connect(server.getLocalSocketAddress(), TIMEOUT_MILLIS);
      line(WORKS, "tcp", "");
    } catch (IOException e) {
      line(SEEN, "tcp", reason(e));
    }
    for (String address : values("tcp")) {
      try (Socket client = new Socket()) {
        client.connect(address(address), TIMEOUT_MILLIS);
        client.setSoTimeout(TIMEOUT_MILLIS);
        client.getOutputStream().write(bytes(parameters.getProperty("side")));
        banner(
            "tcp",
            address,
            new String(client.getInputStream().readNBytes(64), StandardCharsets.UTF_8));
      } catch (IOException e) {
        line(BLOCKED, "tcp", address + ": " + reason(e));
      }
    }
  }

  private void udp() {
    byte[] text = bytes(parameters.getProperty("side") + " " + parameters.getProperty("nonce"));
    try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        DatagramSocket client = new DatagramSocket()) {
      client.send(new DatagramPacket(text, text.length, server.getLocalSocketAddress()));
      server.setSoTimeout(TIMEOUT_MILLIS);
      server.receive(new DatagramPacket(new byte[64], 64));
      line(WORKS, "udp", "");
    } catch (IOException e) {
      line(SEEN, "udp", reason(e));
    }
    for (String address : values("udp")) {
      exchange("udp", address, text);
    }
  }

  private void dns() {
    // a query for the address of localhost, which discloses nothing to a name server
    byte[] query = {
      0x52, 0x50, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0,
      0, 1, 0, 1
    };
    for (String address : values("dns")) {
      exchange("dns", address, query);
    }
  }

  private void exchange(String name, String address, byte[] request) {
    try (DatagramSocket first = new DatagramSocket();
        DatagramSocket second = new DatagramSocket()) {
      // a socket whose port is that of the address would receive its own request
      boolean isOwn = first.getLocalPort() == address(address).getPort();
      DatagramSocket client = isOwn ? second : first;
      client.connect(address(address));
      client.setSoTimeout(TIMEOUT_MILLIS);
      client.send(new DatagramPacket(request, request.length));
      client.receive(new DatagramPacket(new byte[512], 512));
      line(REACHED, name, address);
    } catch (IOException | UncheckedIOException e) {
      line(BLOCKED, name, address + ": " + reason(e));
    }
  }

  private void unixSockets() {
    for (String name : new String[] {"unix_socket", "user_bus", "docker_socket", "resolver"}) {
      for (String path : values(name)) {
        unixSocket(name, path);
      }
    }
  }

  private void unixSocket(String name, String path) {
    try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      client.connect(UnixDomainSocketAddress.of(path));
      line(REACHED, name, path);
      client.write(ByteBuffer.wrap(bytes("\n")));
    } catch (IOException | UnsupportedOperationException e) {
      line(BLOCKED, name, path + ": " + reason(e));
    }
  }

  private void environment() {
    for (Map.Entry<String, String> entry : System.getenv().entrySet()) {
      line(SEEN, "environment", entry.getKey() + "=" + entry.getValue());
    }
    line(SEEN, "pid", String.valueOf(ProcessHandle.current().pid()));
  }

  private void processes() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path entry : entries) {
        read(entry.resolve("cmdline"), "process");
        read(entry.resolve("environ"), "environ");
      }
    } catch (IOException e) {
      line(BLOCKED, "processes", reason(e));
    }
    long host = Long.parseLong(parameters.getProperty("pid", "0"));
    if (!Files.isDirectory(Path.of("/proc/self")) && ProcessHandle.of(host).isPresent()) {
      line(REACHED, "processes", "process " + host);
    }
  }

  private void kernel() {
    for (String space : new String[] {"net", "mnt", "pid", "ipc", "user", "uts"}) {
      try {
        Path link = Files.readSymbolicLink(Path.of("/proc/self/ns", space));
        line(SEEN, "ns_" + space, link.toString());
      } catch (IOException notLinux) {
        line(BLOCKED, "ns_" + space, notLinux.toString());
      }
    }
    read(Path.of("/proc/self/status"), "status");
  }

  private void read(Path file, String name) {
    try {
      line(SEEN, name, Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      line(BLOCKED, name, reason(e));
    }
  }

  private void banner(String name, String address, String found) {
    boolean isHost = found.equals(parameters.getProperty("nonce"));
    line(isHost ? REACHED : BLOCKED, name, isHost ? address : address + ": a different listener");
  }

  private static String reason(Exception e) {
    String kind = e.getClass().getSimpleName();
    String message = e.getMessage();
    if (message == null) {
      return kind;
    }
    // the message of a subclass, such as of a missing file, is only the path
    boolean isPath = e instanceof FileSystemException && e.getClass() != FileSystemException.class;
    return isPath ? kind + ": " + message : message;
  }

  private InetSocketAddress address(String text) throws IOException {
    int colon = text.lastIndexOf(':');
    InetAddress host = InetAddress.getByName(text.substring(0, colon));
    return new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
  }

  private String[] values(String name) {
    String value = parameters.getProperty(name, "");
    return value.isEmpty() ? new String[0] : value.split("\n", -1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void line(String kind, String name, String value) {
    out.append(kind).append('\t').append(name).append('\t');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\n') {
        out.append("\\n");
      } else if (c == '\0') {
        out.append("\\0");
      } else if (c == '\\') {
        out.append("\\\\");
      } else {
        out.append(c < ' ' ? ' ' : c);
      }
    }
    out.append('\n');
  }
}
