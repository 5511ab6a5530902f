package sidl.binding;

import java.util.concurrent.ConcurrentHashMap;

/** The types that Java knows, by their names in SIDL. */
final class Types {
  private static final ConcurrentHashMap<String, ObjectType<?>> KNOWN = new ConcurrentHashMap<>();

  private static final ConcurrentHashMap<String, StructType<?>> STRUCTS = new ConcurrentHashMap<>();

  private Types() {}

  static void add(ObjectType<?> type) {
    KNOWN.putIfAbsent(type.name, type);
  }

  /** The type called {@code name}; null if Java has no class for it. */
  static ObjectType<?> find(String name, ClassLoader loader) {
    final ObjectType<?> known = KNOWN.get(name);
    if (known != null) {
      return known;
    }
    initialize(name, loader);
    for (final ClassLoader each : Implementations.loaders()) {
      if (!KNOWN.containsKey(name)) {
        initialize(name, each);
      }
    }
    return KNOWN.get(name);
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
  private static void initialize(String name, ClassLoader loader) {
    try {
      Class.forName(Library.javaName(name), true, loader);
    } catch (ClassNotFoundException | LinkageError failure) {
      return;
    }
  }

  /**
   * What an object becomes that comes as {@code declared}: its own class, if Java knows it, else the
   * nearest parent that is of the declared type, else that. Classes of other versions, whose tables
   * do not fit, are passed over. Null if it stands for an object that is written in Java.
   */
  static ObjectType<?> best(long ior, long own, ObjectType<?> declared) {
    for (long each = own; each != 0; each = Native.parentOf(each)) {
      final String name = Text.decode(Native.nameOf(each));
      if (name.endsWith(Plain.SUFFIX)) {
        return null;
      }
      if (name.equals(declared.name) || name.equals("sidl.BaseClass")) {
        break;
      }
      final ObjectType<?> found = find(name, declared.javaClass.getClassLoader());
      if (found != null
          && declared.javaClass.isAssignableFrom(found.javaClass)
          && Native.isOf(ior, found.info)) {
        return found;
      }
    }
    return declared;
  }
}
