package sidl.binding;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/** Finds classes that are implemented in Java. Called by native code. */
final class Implementations {
  private static final Loader LOADER = new Loader();

  private Implementations() {}

  /** Beside those that the program has: jars that lie beside native libraries. */
  private static final class Loader extends URLClassLoader {
    Loader() {
      super(new URL[0], Implementations.class.getClassLoader());
    }

    /** False if it was known. */
    boolean add(Path jar) {
      try {
        final URL url = jar.toUri().toURL();
        for (final URL known : getURLs()) {
          if (known.sameFile(url)) {
            return false;
          }
        }
        addURL(url);
        return true;
      } catch (MalformedURLException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** A package that another one uses: its library was loaded with the other's. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException missing) {
        boolean knowsMore = false;
        for (final byte[] each : Native.libraries()) {
          final String file = Text.decode(each);
          final Path jar = file.contains(".so") ? jarBeside(file) : null;
          knowsMore |= jar != null && add(jar);
        }
        if (!knowsMore) {
          throw missing;
        }
        return super.findClass(name);
      }
    }
  }

  /** Where classes are looked for, of which native code has the names. */
  static List<ClassLoader> loaders() {
    final List<ClassLoader> all = new ArrayList<>(Library.loaders());
    if (Thread.currentThread().getContextClassLoader() != null) {
      all.add(0, Thread.currentThread().getContextClassLoader());
    }
    all.add(LOADER);
    return all;
  }

  /** The skeleton "pkg/Type_Skel" of a class whose native library is the file {@code library}. */
  static Class<?> find(String path, byte[] library) throws ClassNotFoundException {
    final String name = path.replace('/', '.');
    final Path jar = jarBeside(Text.decode(library));
    if (jar != null) {
      LOADER.add(jar);
    }
    for (final ClassLoader each : loaders()) {
      try {
        return withImplementation(Class.forName(name, false, each));
      } catch (ClassNotFoundException elsewhere) {
        // The next one may have it.
      }
    }
    throw new ClassNotFoundException(
        name
            + " is not on the class path ("
            + System.getProperty("java.class.path").replace(File.pathSeparator, ", ")
            + (jar == null ? "" : ", " + jar)
            + "); put its jar on SIDL_CLASS_PATH, or beside "
            + Text.decode(library));
  }

  /** The skeleton, ready for use. Without its implementation Java says no more than a name. */
  private static Class<?> withImplementation(Class<?> skeleton) throws ClassNotFoundException {
    final String name = skeleton.getName().replaceFirst("_Skel$", "_Impl");
    try {
      Class.forName(name, false, skeleton.getClassLoader());
      return Class.forName(skeleton.getName(), true, skeleton.getClassLoader());
    } catch (ClassNotFoundException missing) {
      final CodeSource source = skeleton.getProtectionDomain().getCodeSource();
      throw new NoClassDefFoundError(
          name
              + " is missing, though "
              + skeleton.getName()
              + " is there"
              + (source == null ? "" : " (" + source.getLocation().getPath() + ")")
              + "; compile "
              + name.substring(name.lastIndexOf('.') + 1)
              + ".java with the rest of its package");
    }
  }

  /** libdemo.so has demo.jar beside it. */
  private static Path jarBeside(String library) {
    final Path file = Path.of(library).toAbsolutePath();
    String name = file.getFileName().toString();
    final int end = name.indexOf(".so");
    name = (end < 0 ? name : name.substring(0, end)).replaceFirst("^lib", "") + ".jar";
    final Path jar = file.resolveSibling(name);
    return Files.isRegularFile(jar) ? jar : null;
  }

  /** What calls a method of an interface of SIDL, of an object that is written in Java. */
  static Method findCall(Object target, String type, String method) throws ClassNotFoundException {
    final ObjectType<?> known = Types.find(type, target.getClass().getClassLoader());
    if (known == null) {
      throw new ClassNotFoundException("Java has no class for " + type);
    }
    final Class<?> calls =
        Class.forName(known.javaClass.getName() + "$_Calls", true, known.javaClass.getClassLoader());
    for (final Method each : calls.getDeclaredMethods()) {
      if (each.getName().equals(method)) {
        return each;
      }
    }
    throw new ClassNotFoundException(calls.getName() + " has no " + method);
  }
}
