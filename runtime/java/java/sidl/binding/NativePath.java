package sidl.binding;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Where native libraries are looked for. */
final class NativePath {
  private NativePath() {}

  /** Those that the user has named, and where the runtime is installed. */
  static List<Path> folders() {
    final List<Path> result = new ArrayList<>();
    final String searched = System.getenv("SIDL_DLL_PATH");
    if (searched != null) {
      add(result, searched.split(searched.contains(";") ? ";" : ":"));
    }
    add(result, System.getProperty("java.library.path", "").split(":"));
    final Path installed = installed();
    if (installed != null) {
      result.add(installed);
    }
    return result;
  }

  private static void add(List<Path> folders, String[] parts) {
    for (final String each : parts) {
      if (each.isEmpty()) {
        continue;
      }
      final Path path = Path.of(each).toAbsolutePath();
      folders.add(Files.isDirectory(path) || path.getParent() == null ? path : path.getParent());
    }
  }

  /** PREFIX/lib, of a shinar.jar in PREFIX/lib/shinar/java. */
  private static Path installed() {
    try {
      final Path jar =
          Path.of(NativePath.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      final Path folder = jar.getParent();
      if (folder == null || folder.getParent() == null) {
        return null;
      }
      return folder.getParent().getParent();
    } catch (URISyntaxException | NullPointerException elsewhere) {
      return null;
    }
  }

  /** A library from the resources of a jar, in a file of its own; null if it is not there. */
  static Path unpack(ClassLoader loader, String name) {
    final String resource = "META-INF/sidl/native/" + System.getProperty("os.arch") + "/" + name;
    final ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    try (InputStream stream = from.getResourceAsStream(resource)) {
      if (stream == null) {
        return null;
      }
      final Path folder = Files.createTempDirectory("shinar-java");
      final Path file = folder.resolve(name);
      Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING);
      folder.toFile().deleteOnExit(); // deleted in the reverse order
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException failure) {
      throw new UnsatisfiedLinkError(
          name + " cannot be unpacked from its jar: " + failure.getMessage());
    }
  }

  /** A JVM has it once, whatever classes there are twice. */
  private static void load(String file) {
    try {
      System.load(file);
    } catch (UnsatisfiedLinkError failure) {
      final String reason = String.valueOf(failure.getMessage());
      if (!reason.contains("already loaded in another")) {
        throw failure;
      }
      throw new UnsatisfiedLinkError(
          reason
              + ": shinar.jar is loaded a second time, by "
              + NativePath.class.getClassLoader()
              + "; put it, and the jars of SIDL packages, where a class loader finds it that all its"
              + " users share");
    }
  }

  /** Loads the runtime's own library. */
  static void loadRuntime() {
    final String given = System.getProperty("sidl.library");
    if (given != null) {
      load(given);
      return;
    }
    for (final Path each : folders()) {
      final Path file = each.resolve("libsidl_java.so");
      if (Files.isRegularFile(file)) {
        load(file.toString());
        return;
      }
    }
    final Path unpacked = unpack(NativePath.class.getClassLoader(), "libsidl_java.so");
    if (unpacked == null) {
      throw new UnsatisfiedLinkError(
          "libsidl_java.so was not found; put its folder on java.library.path or SIDL_DLL_PATH");
    }
    load(unpacked.toString());
  }
}
