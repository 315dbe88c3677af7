package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Markdown document whose fenced blocks are the output of commands. {@link #check} compares a
 * block with that output, or rewrites it in the document when the tests run with
 * {@code -Dreplay.documents=write}. In continuous integration, where the environment variable
 * {@code CI} is set, a document is never written.
 */
final class MarkdownDocument {

  private static final String PROPERTY = "replay.documents";
  private static final String FENCE = "```";

  /** The root of the project. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final Path file;
  private final List<String> lines;

  /**
   * A section: a heading and the lines up to the next heading of any level.
   *
   * @param level the number of {@code #} characters of the heading
   * @param title the text of the heading
   * @param text the lines below the heading, each with its line feed
   * @param blocks the fenced blocks in these lines
   */
  record Section(int level, String title, String text, List<Block> blocks) {

    /** Returns the only block of a language. */
    Block block(String language) {
      List<Block> found =
          blocks.stream().filter(block -> block.language.equals(language)).toList();
      assertThat(found).as("blocks of %s in section %s", language, title).hasSize(1);
      return found.get(0);
    }
  }

  /**
   * A fenced block.
   *
   * @param language the first word after the opening fence, which may be empty
   * @param name the rest of that line: the name of a file, or empty
   * @param text the lines between the fences, each with its line feed
   * @param line the index of the line of the opening fence
   */
  record Block(String language, String name, String text, int line) {}

  private MarkdownDocument(Path file, List<String> lines) {
    this.file = file;
    this.lines = new ArrayList<>(lines);
  }

  /** Reads a document. */
  static MarkdownDocument read(Path file) throws IOException {
    return new MarkdownDocument(file, Files.readAllLines(file));
  }

  /** Returns the documents of the project: at its root, in docs/ and in examples/. */
  static List<Path> all() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT)) {
      files.filter(MarkdownDocument::isMarkdown).sorted().forEach(documents::add);
    }
    for (Path folder : List.of(ROOT.resolve("docs"), ROOT.resolve("examples"))) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(MarkdownDocument::isMarkdown)
            .filter(file -> !ROOT.relativize(file).toString().contains("/target/"))
            .sorted()
            .forEach(documents::add);
      }
    }
    return documents;
  }

  static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md");
  }

  /** Returns a Markdown text with an empty line in place of each line of its blocks. */
  static String withoutBlocks(String markdown) {
    StringBuilder text = new StringBuilder();
    boolean inBlock = false;
    for (String line : markdown.split("\n")) {
      boolean isFence = line.strip().startsWith(FENCE);
      inBlock ^= isFence;
      text.append(inBlock || isFence ? "" : line).append('\n');
    }
    return text.toString();
  }

  /** Whether {@link #check} rewrites documents instead of comparing them. */
  static boolean isRewriting() {
    return isRewriting(System.getProperty(PROPERTY), System.getenv());
  }

  static boolean isRewriting(String property, Map<String, String> environment) {
    return "write".equals(property) && !environment.containsKey("CI");
  }

  /**
   * Compares the only block of a language in a section with what it should show. In rewriting mode,
   * puts that into the block and writes the document.
   */
  void check(String section, String language, String expected) throws IOException {
    Block block = section(section).block(language);
    if (isRewriting()) {
      if (!block.text.equals(expected)) {
        replaceBlock(block, expected);
        save();
      }
      return;
    }
    assertThat(block.text)
        .as("%s, section %s; -D%s=write rewrites it", file.getFileName(), section, PROPERTY)
        .isEqualTo(expected);
  }

  /** Returns the sections in their order. A heading in a fenced block is not a heading. */
  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    int heading = nextHeading(0);
    while (heading < lines.size()) {
      int end = nextHeading(heading + 1);
      sections.add(section(heading, end));
      heading = end;
    }
    return sections;
  }

  /** Returns the only section with a title. */
  Section section(String title) {
    List<Section> found =
        sections().stream().filter(section -> section.title.equals(title)).toList();
    assertThat(found).as("sections %s of %s", title, file).hasSize(1);
    return found.get(0);
  }

  /**
   * Replaces the text of a block. Sections and blocks that were obtained before are outdated then.
   *
   * @param block a block of this document as it is now
   * @param text lines, each with its line feed
   */
  void replaceBlock(Block block, String text) {
    assertThat(text).as("a block").doesNotContain(FENCE);
    assertThat(text.isEmpty() || text.endsWith("\n"))
        .as("text ends with a line feed")
        .isTrue();
    List<String> content =
        lines.subList(block.line + 1, block.line + 1 + (int) block.text.lines().count());
    assertThat(content).as("the block is outdated").isEqualTo(block.text.lines().toList());
    content.clear();
    content.addAll(text.lines().toList());
  }

  /** Writes the document, with line feeds. */
  void save() throws IOException {
    Files.writeString(file, toString());
  }

  @Override
  public String toString() {
    return text(lines);
  }

  private Section section(int heading, int end) {
    String line = lines.get(heading);
    int level = line.indexOf(' ');
    String below = text(lines.subList(heading + 1, end));
    return new Section(level, line.substring(level).strip(), below, blocks(heading + 1, end));
  }

  /** Returns all blocks in their order. */
  List<Block> blocks() {
    return blocks(0, lines.size());
  }

  private List<Block> blocks(int from, int end) {
    List<Block> blocks = new ArrayList<>();
    int opening = -1;
    for (int i = from; i < end; i++) {
      if (!lines.get(i).startsWith(FENCE)) {
        continue;
      }
      if (opening < 0) {
        opening = i;
      } else {
        String[] info = (lines.get(opening).substring(FENCE.length()).strip() + " ").split(" ", 2);
        String text = text(lines.subList(opening + 1, i));
        blocks.add(new Block(info[0], info[1].strip(), text, opening));
        opening = -1;
      }
    }
    return blocks;
  }

  /** The index of the first heading from a line that is outside of blocks; else of the end. */
  private int nextHeading(int from) {
    boolean inBlock = false;
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).startsWith(FENCE)) {
        inBlock = !inBlock;
      } else if (!inBlock && lines.get(i).matches("#{1,6} .*")) {
        return i;
      }
    }
    assertThat(inBlock).as("a block without its closing fence in %s", file).isFalse();
    return lines.size();
  }

  private static String text(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }
}
