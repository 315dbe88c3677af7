import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ASM9;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.TypePath;

/**
 * Writes the API of a module into a jar: the public and protected declarations of its exported
 * packages, without bodies. What is not API leaves no trace in it, so that it changes only with the
 * API, whichever compiler the classes are from.
 *
 * <p>Arguments: the folder of the module's classes, and the jar.
 */
class ApiBaseline {

  private static final int WITHOUT_BODIES =
      ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

  private final Map<String, Header> headers = new HashMap<>();

  public static void main(String... args) throws IOException {
    new ApiBaseline().write(Path.of(args[0]), Path.of(args[1]));
  }

  /** The folders of the packages that are exported to everybody; all that there are of an automatic module. */
  private static List<String> exported(Path classes) throws IOException {
    Path module = classes.resolve("module-info.class");
    if (Files.exists(module)) {
      try (InputStream in = Files.newInputStream(module)) {
        return ModuleDescriptor.read(in).exports().stream()
            .filter(export -> !export.isQualified())
            .map(export -> export.source().replace('.', '/'))
            .toList();
      }
    }
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> classes.relativize(file).getParent().toString().replace('\\', '/'))
          .distinct()
          .toList();
    }
  }

  private void write(Path classes, Path jar) throws IOException {
    for (String exported : exported(classes)) {
      try (Stream<Path> files = Files.list(classes.resolve(exported))) {
        for (Path file : (Iterable<Path>)
            files.filter(f -> f.toString().endsWith(".class"))::iterator) {
          Header header = new Header(Files.readAllBytes(file));
          headers.put(header.name, header);
        }
      }
    }
    SortedSet<String> api = new TreeSet<>();
    headers.values().stream().filter(this::isApi).forEach(header -> addWithSupertypes(header, api));

    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      // Git compresses, and finds what two versions have in common only in what is not compressed.
      zip.setMethod(ZipOutputStream.STORED);
      for (String name : api) {
        byte[] bytes = declarations(headers.get(name).bytes);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        ZipEntry entry = new ZipEntry(name + ".class");
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(bytes);
      }
    }
    System.out.printf("%s: %d types, %d bytes%n", jar, api.size(), Files.size(jar));
  }

  private boolean isApi(Header header) {
    return isShown(header.access)
        && !header.isLocal
        && (header.outer == null || isApi(headers.get(header.outer)));
  }

  /** A type that is hidden itself passes on what a public one inherits from it. */
  private void addWithSupertypes(Header header, SortedSet<String> api) {
    if (api.add(header.name)) {
      header.supertypes.stream()
          .filter(headers::containsKey)
          .forEach(name -> addWithSupertypes(headers.get(name), api));
    }
  }

  private static boolean isShown(int access) {
    return (access & (ACC_PUBLIC | ACC_PROTECTED)) != 0;
  }

  private static byte[] declarations(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes).accept(new Declarations(writer), WITHOUT_BODIES);
    return writer.toByteArray();
  }

  /** What a class file says of its class as a whole. */
  private static final class Header extends ClassVisitor {

    private final byte[] bytes;
    private final SortedSet<String> supertypes = new TreeSet<>();
    private String name;
    private String outer;
    private int access;
    private boolean isLocal;

    Header(byte[] bytes) {
      super(ASM9);
      this.bytes = bytes;
      new ClassReader(bytes).accept(this, WITHOUT_BODIES);
    }

    @Override
    public void visit(
        int version, int flags, String type, String signature, String parent, String... parents) {
      name = type;
      access = flags;
      supertypes.addAll(List.of(parents));
      if (parent != null) {
        supertypes.add(parent);
      }
    }

    @Override
    public void visitInnerClass(String inner, String outerName, String innerName, int flags) {
      if (inner.equals(name)) {
        access = flags;
        outer = outerName;
        isLocal = outerName == null;
      }
    }
  }

  /** Leaves out what is not declared for others. */
  private static final class Declarations extends ClassVisitor {

    private String name;

    Declarations(ClassVisitor next) {
      super(ASM9, next);
    }

    @Override
    public void visit(
        int version, int flags, String type, String signature, String parent, String... parents) {
      name = type;
      super.visit(version, flags, type, signature, parent, parents);
    }

    // Of others, javac lists whatever the bodies use as well.
    @Override
    public void visitInnerClass(String inner, String outer, String innerName, int flags) {
      if (inner.equals(name) || name.equals(outer) && isShown(flags)) {
        super.visitInnerClass(inner, outer, innerName, flags);
      }
    }

    @Override
    public FieldVisitor visitField(
        int flags, String field, String type, String signature, Object value) {
      return isShown(flags) ? super.visitField(flags, field, type, signature, value) : null;
    }

    @Override
    public MethodVisitor visitMethod(
        int flags, String method, String type, String signature, String... exceptions) {
      return isShown(flags) ? super.visitMethod(flags, method, type, signature, exceptions) : null;
    }

    // Compilers differ in them, and japicmp does not look at them.
    @Override
    public AnnotationVisitor visitTypeAnnotation(
        int type, TypePath path, String annotation, boolean visible) {
      return null;
    }

    @Override
    public void visitNestHost(String host) {}

    @Override
    public void visitNestMember(String member) {}
  }
}
