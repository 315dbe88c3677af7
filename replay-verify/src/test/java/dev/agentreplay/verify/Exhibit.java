package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files of a session that an auditor receives. Lines count from 1. Immutable except for arrays.
 *
 * @param lines the lines of the log, without their line feeds
 * @param receipt the content of the receipt; null when there is none
 * @param envelope the content of the envelope; null when there is none
 * @param blobs the blobs by file name
 */
record Exhibit(List<String> lines, byte[] receipt, byte[] envelope, Map<String, byte[]> blobs) {

  Exhibit {
    lines = List.copyOf(lines);
  }

  static Exhibit read(Path directory) throws IOException {
    Session session = Session.open(directory);
    Map<String, byte[]> blobs = new TreeMap<>();
    if (session.blobs() != null) {
      try (var files = Files.list(session.blobs())) {
        for (Path file : files.toList()) {
          blobs.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
      }
    }
    return new Exhibit(
        Files.readAllLines(session.log()),
        session.receipt() == null ? null : Files.readAllBytes(session.receipt()),
        session.envelope() == null ? null : Files.readAllBytes(session.envelope()),
        blobs);
  }

  /** Writes all files to a directory; other files of an earlier exhibit are deleted. */
  Session write(Path directory) throws IOException {
    Path log = Files.write(directory.resolve(Session.LOG_NAME), log());
    Path keep = Files.createDirectories(directory.resolve(Session.BLOBS_NAME));
    try (Stream<Path> earlier = Files.list(keep)) {
      for (Path file : earlier.toList()) {
        Files.delete(file);
      }
    }
    for (Map.Entry<String, byte[]> blob : blobs.entrySet()) {
      Files.write(keep.resolve(blob.getKey()), blob.getValue());
    }
    return new Session(
        log,
        write(receipt, directory.resolve(Session.RECEIPT_NAME)),
        write(envelope, directory.resolve(Session.ENVELOPE_NAME)),
        null,
        keep,
        ReaderOptions.defaults());
  }

  private static Path write(byte[] bytes, Path file) throws IOException {
    if (bytes == null) {
      Files.deleteIfExists(file);
      return null;
    }
    return Files.write(file, bytes);
  }

  byte[] log() {
    StringBuilder log = new StringBuilder();
    lines.forEach(line -> log.append(line).append('\n'));
    return log.toString().getBytes(StandardCharsets.UTF_8);
  }

  int size() {
    return lines.size();
  }

  String line(int number) {
    return lines.get(number - 1);
  }

  JsonObject json(int number) {
    return JsonText.parse(line(number)).asObject();
  }

  /** The event type of a line. */
  String kind(int number) {
    JsonObject line = json(number);
    return line.at(line.has("event") ? "/event" : "/type").asString();
  }

  /** The numbers of all lines. */
  List<Integer> numbers() {
    return IntStream.rangeClosed(1, size()).boxed().toList();
  }

  /** The numbers of the lines with an event type. */
  List<Integer> numbers(String kind) {
    return numbers().stream().filter(number -> kind(number).equals(kind)).toList();
  }

  /** The tree head over the first lines. */
  TreeHead tree(int size) {
    MerkleTree tree = new MerkleTree();
    lines.subList(0, size).forEach(line -> tree.add(line.getBytes(StandardCharsets.UTF_8)));
    return tree.head();
  }

  JsonObject receiptJson() {
    return JsonText.parse(receipt).asObject();
  }

  Exhibit withLines(List<String> newLines) {
    return new Exhibit(newLines, receipt, envelope, blobs);
  }

  Exhibit withReceipt(byte[] newReceipt) {
    return new Exhibit(lines, newReceipt, envelope, blobs);
  }

  Exhibit withReceipt(JsonObject newReceipt) {
    return withReceipt(JsonText.pretty(newReceipt).getBytes(StandardCharsets.UTF_8));
  }

  Exhibit withEnvelope(byte[] newEnvelope) {
    return new Exhibit(lines, receipt, newEnvelope, blobs);
  }

  Exhibit withBlobs(Map<String, byte[]> newBlobs) {
    return new Exhibit(lines, receipt, envelope, newBlobs);
  }

  Exhibit replace(int number, JsonObject line) {
    List<String> copy = new ArrayList<>(lines);
    copy.set(number - 1, CanonicalJson.SERDE.text(line));
    return withLines(copy);
  }

  /** Inserts lines before the line of a number. */
  Exhibit insert(int number, String... added) {
    List<String> copy = new ArrayList<>(lines);
    copy.addAll(number - 1, Arrays.asList(added));
    return withLines(copy);
  }

  Exhibit remove(int number) {
    List<String> copy = new ArrayList<>(lines);
    copy.remove(number - 1);
    return withLines(copy);
  }

  Exhibit swap(int one, int other) {
    List<String> copy = new ArrayList<>(lines);
    Collections.swap(copy, one - 1, other - 1);
    return withLines(copy);
  }

  /** Returns the session with only the first lines. */
  Exhibit truncate(int size) {
    return withLines(lines.subList(0, size));
  }
}
