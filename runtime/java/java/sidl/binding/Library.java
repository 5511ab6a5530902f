package sidl.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The native library of an outermost SIDL package. The package's jar says what it is called, in
 * META-INF/sidl/PACKAGE.properties.
 */
final class Library {
  private static final ConcurrentHashMap<String, Long> LOADED = new ConcurrentHashMap<>();

  /** Of the packages' classes: a program may have them elsewhere than on the class path. */
  private static final CopyOnWriteArrayList<ClassLoader> LOADERS = new CopyOnWriteArrayList<>();

  /** Words of Java that SIDL allows as names; sidlc has the same. */
  private static final Set<String> WORDS = Set.of("permits", "record", "sealed", "var");

  private Library() {}

  /** "demo.record.Solver" becomes "demo.record_.Solver". */
  static String javaName(String name) {
    final StringBuilder result = new StringBuilder();
    for (final String part : name.split("\\.")) {
      result.append(result.length() == 0 ? "" : ".").append(part);
      if (WORDS.contains(part)) {
        result.append('_');
      }
    }
    return result.toString();
  }

  /** The tables of the package that a type is in. */
  static long of(String type, Class<?> javaClass) {
    final String top = type.substring(0, type.indexOf('.'));
    if (javaClass.getClassLoader() != null) {
      LOADERS.addIfAbsent(javaClass.getClassLoader());
    }
    final Long known = LOADED.get(top);
    if (known != null) {
      return known;
    }
    return LOADED.computeIfAbsent(top, each -> loadPrepared(each, javaClass.getClassLoader()));
  }

  /**
   * A class whose initialisation fails at the end of a stack can never be used again, and exceptions
   * are often met there for the first time. On a thread of its own, as it waits for others that
   * initialise classes, such as this one.
   */
  private static long loadPrepared(String top, ClassLoader loader) {
    final long tables = load(top, loader);
    final byte[][] names = top.equals("sidl") ? new byte[0][] : Native.exceptionsIn(tables);
    if (names.length > 0) {
      final Thread preparation =
          new Thread(
              () -> {
                for (final byte[] name : names) {
                  Types.initialize(Text.decode(name), loader);
                }
              },
              "sidl-exceptions");
      preparation.setDaemon(true);
      try {
        preparation.start();
      } catch (OutOfMemoryError noThread) {
        // They are initialised when they are met.
      }
    }
    return tables;
  }

  /** Those that classes of packages have come from, in this order. */
  static List<ClassLoader> loaders() {
    return LOADERS;
  }

  private static long load(String top, ClassLoader loader) {
    final byte[] symbol = Text.encode(javaName(top) + "__java");
    final long here = Native.findSymbol(symbol);
    if (here != 0) {
      return here;
    }
    final List<String> tried = new ArrayList<>();
    for (final Path each : candidates(top, loader)) {
      if (Files.isRegularFile(each)) {
        return Native.openPackage(Text.encode(each.toString()), symbol);
      }
      tried.add(each.toString());
    }
    throw new UnsatisfiedLinkError(
        "the native library of SIDL package "
            + top
            + " was not found; put its folder on SIDL_DLL_PATH or java.library.path. Tried: "
            + String.join(", ", tried));
  }

  private static List<Path> candidates(String top, ClassLoader loader) {
    final List<Path> result = new ArrayList<>();
    final List<String> names = new ArrayList<>();
    final String resource = "META-INF/sidl/" + top + ".properties";
    final Properties properties = new Properties();
    try (InputStream stream = resourceOf(loader, resource)) {
      if (stream != null) {
        properties.load(stream);
      }
    } catch (IOException unreadable) {
      throw new UnsatisfiedLinkError(resource + " cannot be read: " + unreadable.getMessage());
    }
    final String named = properties.getProperty("library");
    if (named != null) {
      names.add(named);
    }
    names.add("lib" + top + "_java.so");
    names.add("lib" + top + ".so");
    final List<Path> folders = new ArrayList<>(NativePath.folders());
    final Path jar = folderOf(loader, resource);
    if (jar != null) {
      folders.add(0, jar);
    }
    for (final String name : names) {
      for (final Path folder : folders) {
        result.add(folder.resolve(name));
      }
      final Path unpacked = NativePath.unpack(loader, name);
      if (unpacked != null) {
        result.add(unpacked);
      }
    }
    return result;
  }

  private static InputStream resourceOf(ClassLoader loader, String name) {
    return loader == null
        ? ClassLoader.getSystemResourceAsStream(name)
        : loader.getResourceAsStream(name);
  }

  /** The folder of the jar, or of classes, that has the resource. */
  private static Path folderOf(ClassLoader loader, String resource) {
    final java.net.URL url =
        loader == null ? ClassLoader.getSystemResource(resource) : loader.getResource(resource);
    if (url == null) {
      return null;
    }
    String text = url.toString();
    if (text.startsWith("jar:")) {
      text = text.substring(4, text.indexOf("!/"));
    }
    if (!text.startsWith("file:")) {
      return null;
    }
    final Path path = Path.of(java.net.URI.create(text));
    return path.toString().endsWith(".jar") ? path.getParent() : path.getParent().getParent().getParent();
  }
}
