package sidl.binding;

import java.util.concurrent.ConcurrentHashMap;

/** The types that Java knows, by their names in SIDL. */
final class Types {
  private static final ConcurrentHashMap<String, ObjectType<?>> KNOWN = new ConcurrentHashMap<>();

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
    try {
      Class.forName(Library.javaName(name), true, loader);
    } catch (ClassNotFoundException | LinkageError failure) {
      return null;
    }
    return KNOWN.get(name);
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
