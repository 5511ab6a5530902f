package sidl.binding;

import java.util.concurrent.ConcurrentHashMap;

/** The types that Java knows, by their names in SIDL. */
final class Types {
  private static final ConcurrentHashMap<String, ObjectType<?>> KNOWN = new ConcurrentHashMap<>();

  /** As above, of a type that several class loaders have; by their classes. */
  private static final ConcurrentHashMap<Class<?>, ObjectType<?>> NAMESAKES =
      new ConcurrentHashMap<>();

  private static final ConcurrentHashMap<String, StructType<?>> STRUCTS = new ConcurrentHashMap<>();

  private Types() {}

  static void add(ObjectType<?> type) {
    final ObjectType<?> known = KNOWN.putIfAbsent(type.name, type);
    if (known != null && known.javaClass != type.javaClass) {
      NAMESAKES.put(type.javaClass, type);
    }
  }

  /** True if several class loaders have one type, and who calls decides which class is meant. */
  static boolean hasNamesakes() {
    return !NAMESAKES.isEmpty();
  }

  /** The type called {@code name}; null if Java has no class for it. */
  static ObjectType<?> find(String name, ClassLoader loader) {
    final ObjectType<?> known = KNOWN.get(name);
    if (known != null) {
      return hasNamesakes() ? namesake(known, loader) : known;
    }
    initialize(name, loader);
    for (final ClassLoader each : Implementations.loaders()) {
      if (!KNOWN.containsKey(name)) {
        initialize(name, each);
      }
    }
    return KNOWN.get(name);
  }

  /** The type whose class is the loader's, if it has another class than {@code known}. */
  private static ObjectType<?> namesake(ObjectType<?> known, ClassLoader loader) {
    if (known.javaClass.getClassLoader() == loader) {
      return known;
    }
    try {
      final Class<?> own = Class.forName(known.javaClass.getName(), true, loader);
      return NAMESAKES.getOrDefault(own, known);
    } catch (ClassNotFoundException | LinkageError failure) {
      return known;
    }
  }

  static void add(StructType<?> type) {
    STRUCTS.putIfAbsent(type.name(), type);
  }

  /** The struct called {@code name}; null if Java has no record for it. */
  static StructType<?> findStruct(String name) {
    final StructType<?> known = STRUCTS.get(name);
    if (known != null) {
      return known;
    }
    for (final ClassLoader each : Implementations.loaders()) {
      if (!STRUCTS.containsKey(name)) {
        initialize(name, each);
      }
    }
    return STRUCTS.get(name);
  }

  /** A class whose initializer adds its type here, if there is one. */
  static void initialize(String name, ClassLoader loader) {
    try {
      Class.forName(Library.javaName(name), true, loader);
    } catch (ClassNotFoundException | LinkageError failure) {
      return;
    }
  }

  /**
   * What an object becomes that comes as {@code declared}: its own class, if Java knows it, else the
   * nearest parent that is of the declared type, else that. Classes of other versions, whose tables
   * do not fit, are passed over. Null if it stands for an object that is written in Java. Of classes
   * that several loaders have it is that of {@code loader}.
   */
  static ObjectType<?> best(long ior, long own, ObjectType<?> declared, ClassLoader loader) {
    for (long each = own; each != 0; each = Native.parentOf(each)) {
      final String name = Text.decode(Native.nameOf(each));
      if (name.endsWith(Plain.SUFFIX)) {
        return null;
      }
      if (name.equals(declared.name) || name.equals("sidl.BaseClass")) {
        break;
      }
      final ObjectType<?> found = find(name, loader);
      if (found != null
          && declared.javaClass.isAssignableFrom(found.javaClass)
          && Native.isOf(ior, found.info)) {
        return found;
      }
    }
    return declared;
  }
}
