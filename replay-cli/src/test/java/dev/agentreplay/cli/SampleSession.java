package dev.agentreplay.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.commitment.PublishedHeader;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.canonical.commitment.Seed;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.cli.input.KeyFiles;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.KeyPem;
import dev.agentreplay.model.text.LabelledText;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A small session that is changed step by step, and on which commands are run. Keeps a transcript
 * of the steps in the form of a document: changes are comments, commands follow a prompt.
 */
final class SampleSession implements Closeable {

  /** The directory of the session, and its id. */
  static final String NAME = "fix-login";

  static final String LOG = NAME + "/REPLAY.jsonl";
  static final String RECEIPT = NAME + "/RECEIPT.json";

  /** The directory of the fork of the session, and its log. */
  static final String FORK = NAME + "-fork";

  static final String FORK_LOG = FORK + "/REPLAY.jsonl";

  static final String ENVELOPE = NAME + "/RECEIPT.dsse.json";

  /** The private key of the first test of RFC 8032, section 7.1. */
  private static final String KEY =
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
      -----END PRIVATE KEY-----
      """;

  private static final String DETAIL = " ".repeat(6);
  private static final String HINT = DETAIL + "hint: ";

  private final Path home;
  private final StringBuilder shown = new StringBuilder();
  private final List<Closeable> open = new ArrayList<>();

  /**
   * A session in a directory.
   *
   * @param home an empty directory
   * @param log the lines of the log
   */
  SampleSession(Path home, String log) throws IOException {
    this.home = home;
    Files.createDirectories(file(NAME));
    write(LOG, log);
  }

  /** The changes and commands so far. */
  String shown() {
    return shown.toString();
  }

  /** Replaces the only occurrence of a text in a line, which counts from 1. */
  SampleSession replace(int line, String from, String to) throws IOException {
    comment("line %d: %s", line, describe(from, to));
    return replaceSilently(line, from, to);
  }

  private SampleSession replaceSilently(int line, String from, String to) throws IOException {
    List<String> lines = lines();
    lines.set(line - 1, replaced(lines.get(line - 1), from, to));
    return setLines(lines);
  }

  /** Replaces the only occurrence of a text in a file. */
  SampleSession replaceIn(String name, String from, String to) throws IOException {
    comment("%s: %s", name, describe(from, to));
    write(name, replaced(Files.readString(file(name)), from, to));
    return this;
  }

  /** Inserts a line before a given line. */
  SampleSession insert(int before, String line) throws IOException {
    List<String> lines = lines();
    boolean atEnd = before > lines.size();
    comment("%s %d: %s", atEnd ? "after line" : "before line", atEnd ? before - 1 : before, line);
    lines.add(before - 1, line);
    return setLines(lines);
  }

  /** Inserts lines once more. */
  SampleSession repeat(int first, int last, int before) throws IOException {
    comment("before line %d: %s again", before, name(first, last));
    List<String> lines = lines();
    lines.addAll(before - 1, List.copyOf(lines.subList(first - 1, last)));
    return setLines(lines);
  }

  /** Deletes lines. */
  SampleSession delete(int first, int last) throws IOException {
    comment("%s deleted", name(first, last));
    List<String> lines = lines();
    lines.subList(first - 1, last).clear();
    return setLines(lines);
  }

  /** Cuts bytes off the end of the log. */
  SampleSession cut(int bytes, String why) throws IOException {
    comment("the last %s of REPLAY.jsonl deleted: %s", bytes == 1 ? "byte" : bytes + " bytes", why);
    byte[] whole = Files.readAllBytes(file(LOG));
    Files.write(file(LOG), Arrays.copyOf(whole, whole.length - bytes));
    return this;
  }

  /** Moves the output in line 7 to a blob, and edits that. */
  SampleSession editBlob() throws IOException {
    comment("line 7: \"output_ref\" instead of \"output\"; the blob that it names was edited");
    String output = "\"fn login() {}\\n\"";
    String hash = "365f3614f2ef781f143818cf3af3d398ad2c94aafa8bcbef17690fa8480b159a";
    replaceSilently(7, "\"output\":%s,".formatted(output), "");
    replaceSilently(
        7,
        ",\"step_utility\"",
        ",\"output_ref\":{\"blob\":\"sha256:%s\",\"bytes\":%d},\"step_utility\""
            .formatted(hash, output.length()));
    Files.createDirectories(file(NAME + "/blobs"));
    write(NAME + "/blobs/sha256-" + hash + ".json", output.replace("login", "Login"));
    return this;
  }

  /** Ends each line of log and receipt with CR LF. */
  SampleSession convertLineEnds() throws IOException {
    comment("REPLAY.jsonl and RECEIPT.json checked out by git with core.autocrlf=true");
    for (String name : new String[] {LOG, RECEIPT}) {
      write(name, Files.readString(file(name)).replace("\n", "\r\n"));
    }
    return this;
  }

  /**
   * Publishes the session with commitments: withholds its salt, the value of one member, and
   * everything else that is not shown unchanged; the checkpoint of the public tree is not signed.
   */
  SampleSession publish(int line, String hidden) throws IOException {
    comment("published: the salt, and \"%s\" in line %d, withheld", hidden, line);
    Salt salt = Salt.of(new byte[Salt.BYTES]);
    Committer committer = new Committer(PublicForm.DEFAULT);
    PublicTree tree = new PublicTree(PublicForm.DEFAULT, salt);
    PublishedHeader header = new PublishedHeader(
        PublicForm.DEFAULT.id(), "private_repo", ContentHash.sha256(new byte[0]), null, "valid");
    List<String> published = new ArrayList<>();
    for (String text : lines()) {
      int number = published.size() + 1;
      JsonObject original = JsonText.parse(text).asObject();
      JsonObject whole = number == 1 ? original.with("salt", salt.text()) : original;
      byte[] raw = CanonicalJson.SERDE.bytes(whole);
      tree.add(raw, whole, CanonicalJson.SERDE);
      Set<String> withheld = number == line ? Set.of(hidden, hidden + "_hash") : Set.of();
      JsonObject shown = withhold(
              committer,
              whole,
              committer.line(salt, number, raw),
              number == 1 ? Set.of("salt") : withheld)
          .toJson();
      published.add(
          CanonicalJson.SERDE.text(number == 1 ? shown.with("published", header.toJson()) : shown));
    }
    write(
        NAME + "/PUBLIC_CHECKPOINT.json",
        PublicCheckpoint.of(PublicForm.DEFAULT, tree.head(), tree.original()) + "\n");
    return setLines(published);
  }

  /** A line without some members; a hash among them is replaced by its commitment. */
  private static PublishedLine withhold(
      Committer committer, JsonObject line, Seed seed, Set<String> hidden) {
    Opening.Members all = (Opening.Members) committer.expand(line, new Opening.Complete(seed));
    Map<String, Opening> members = new TreeMap<>(all.members());
    JsonObject shown = line;
    for (String name : hidden) {
      boolean isHash = name.endsWith("_hash");
      String text = isHash ? name.replace("_hash", "") : name; // the hash shows its commitment
      members.put(
          name,
          new Opening.Withheld(
              committer.commit(line.get(name), committer.member(seed, name)),
              isHash ? "commitment" : null));
      Commitment commitment = committer.commit(line.get(text), committer.member(seed, text));
      shown = isHash ? shown.with(name, commitment.toHash().toString()) : shown.without(name);
    }
    return new PublishedLine(shown, new Opening.Members(all.blinding(), members, List.of()));
  }

  /** Opens the log to append to it, until this is closed. */
  SampleSession openWriter() throws IOException {
    comment("a writer has the log open");
    open.add(ReplayWriter.append(file(LOG), WriterOptions.defaults()));
    return this;
  }

  /** Copies the session to a directory next to it. */
  SampleSession copyTo(String name) throws IOException {
    shown.append("$ cp -r %s %s\n".formatted(NAME, name));
    Files.createDirectories(file(name));
    Files.copy(file(LOG), file(name + "/REPLAY.jsonl"));
    return this;
  }

  /** Creates a fork at a line, which repeats what is before it and ends there. */
  SampleSession fork(int line) throws IOException {
    comment("%s: a fork of %s at line %d", FORK, NAME, line);
    List<String> lines = lines().subList(0, line - 1);
    MerkleTree tree = new MerkleTree();
    lines.forEach(each -> tree.add(each.getBytes(UTF_8)));
    ForkOrigin origin = new ForkOrigin(NAME, tree.head(), JsonArray.EMPTY);
    List<String> repeated = new ArrayList<>();
    for (String text : lines) {
      JsonObject event = JsonText.parse(text).asObject();
      JsonObject stated = repeated.isEmpty()
          ? event.with("forked_from", origin.json())
          : event.with(
              "replayed",
              JsonObject.of("action", "served", "line", repeated.size() + 1, "match", "exact"));
      repeated.add(CanonicalJson.SERDE.text(stated));
    }
    Files.createDirectories(file(FORK));
    write(FORK_LOG, text(repeated));
    return this;
  }

  /** Creates the receipt. */
  SampleSession receipt(String... options) {
    List<String> words = new ArrayList<>(List.of("receipt", NAME, "--out", RECEIPT));
    words.addAll(List.of(options));
    return run(words.toArray(String[]::new));
  }

  /** Signs the receipt. */
  SampleSession sign() throws IOException {
    KeyFiles.write(Ed25519Signer.of(KeyPem.parsePrivateKey(KEY)), file("key"), false);
    return run("sign", NAME, "--key", "key");
  }

  /** Runs a command that succeeds, and whose output is not shown. */
  SampleSession run(String... words) {
    Console console = console(words);
    assertThat(console.exit()).as(console.err()).isZero();
    return this;
  }

  /** Runs a command, of whose output nothing is shown yet. */
  Console console(String... words) {
    shown.append("$ replay ").append(String.join(" ", words)).append('\n');
    return Console.run(Arrays.stream(words)
        .map(word -> isPath(word) ? file(word).toString() : word)
        .toArray(String[]::new));
  }

  /**
   * The first finding of a code in the output of {@code replay verify}, as it is printed. Where it
   * names a file below the home directory, the name is relative to that, and lines are broken as
   * they are for that name.
   */
  String finding(FindingCode code, String output) {
    List<String> lines = output.lines().toList();
    String head = "^ *(%s +)?%s( .*)?$".formatted(code.severity().id(), code);
    int first = 0;
    while (first < lines.size() && !lines.get(first).matches(head)) {
      first++;
    }
    assertThat(first).as("the line of %s in\n%s", code, output).isLessThan(lines.size());
    int end = first + 1;
    while (end < lines.size() && lines.get(end).startsWith(DETAIL)) {
      end++;
    }
    String printed = text(lines.subList(first, end));
    return printed.contains(home.toString())
        ? text(lines.subList(first, first + 1)).replace(home + File.separator, "")
            + relative(lines.subList(first + 1, end))
        : printed;
  }

  private String relative(List<String> details) {
    StringBuilder message = new StringBuilder();
    StringBuilder hint = new StringBuilder();
    StringBuilder current = message;
    for (String line : details) {
      current = line.startsWith(HINT) ? hint : current;
      current.append(current.isEmpty() ? "" : " ").append(line.substring(DETAIL.length()));
    }
    LabelledText text = new LabelledText();
    for (StringBuilder part : List.of(message, hint)) {
      if (!part.isEmpty()) {
        text.wrap(DETAIL, part.toString().replace(home + File.separator, ""));
      }
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    for (Closeable each : open) {
      each.close();
    }
  }

  private static boolean isPath(String word) {
    return word.matches("(%s|key|monday)([-./].*)?".formatted(NAME));
  }

  private Path file(String name) {
    return home.resolve(name);
  }

  private List<String> lines() throws IOException {
    return new ArrayList<>(Files.readAllLines(file(LOG)));
  }

  private SampleSession setLines(List<String> lines) throws IOException {
    write(LOG, text(lines));
    return this;
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(file(name), text);
  }

  private void comment(String format, Object... arguments) {
    String comment = format.formatted(arguments);
    shown.append("# ").append(comment).append('\n');
  }

  private static String describe(String from, String to) {
    return to.isEmpty() ? from + " deleted" : "%s becomes %s".formatted(from, to);
  }

  private static String replaced(String text, String from, String to) {
    assertThat(text).containsOnlyOnce(from);
    return text.replace(from, to);
  }

  private static String name(int first, int last) {
    return first == last ? "line " + first : "lines %d to %d".formatted(first, last);
  }

  private static String text(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }
}
