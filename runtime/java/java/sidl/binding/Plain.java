package sidl.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.WeakHashMap;

/**
 * Objects of users' classes that implement SIDL interfaces. Such an object exists only in Java
 * until it is passed somewhere: then a SIDL object stands for it, as long as that is referenced.
 * Where it comes back to Java, it is the user's object again.
 */
final class Plain {
  /** What ends the names of their classes in SIDL; no name of a SIDL type has a bracket. */
  static final String SUFFIX = " (Java)";

  private static final WeakHashMap<Class<?>, Long> CLASSES = new WeakHashMap<>();

  private Plain() {}

  static boolean isPlain(Object object) {
    return !(object instanceof Stub) && !(object instanceof ThrowableStub);
  }

  /** A SIDL object that stands for this one, with a reference for the caller. */
  static long standIn(Handled object) {
    return Native.standIn(object, System.identityHashCode(object), classOf(object.getClass()));
  }

  /** A handle of that. */
  static Handle handleOf(Handled object) {
    return new Handle(standIn(object), sidl.BaseInterface._type.info);
  }

  private static synchronized long classOf(Class<?> type) {
    final Long known = CLASSES.get(type);
    if (known != null) {
      return known;
    }
    final List<ObjectType<?>> interfaces = new ArrayList<>();
    collect(type, interfaces);
    final long[] infos = interfaces.stream().mapToLong(each -> each.info).toArray();
    final long made = Native.plainClass(Text.encode(type.getName() + SUFFIX), infos);
    CLASSES.put(type, made);
    return made;
  }

  private static void collect(Class<?> type, List<ObjectType<?>> interfaces) {
    if (type == null) {
      return;
    }
    for (final Class<?> each : type.getInterfaces()) {
      final ObjectType<?> found = typeOf(each);
      if (found != null && !interfaces.contains(found)) {
        interfaces.add(found);
      }
      collect(each, interfaces);
    }
    collect(type.getSuperclass(), interfaces);
  }

  /** The SIDL type of a generated interface; null if it is none. */
  private static ObjectType<?> typeOf(Class<?> type) {
    if (!sidl.BaseInterface.class.isAssignableFrom(type)) {
      return null;
    }
    try {
      return (ObjectType<?>) type.getDeclaredField("_type").get(null);
    } catch (NoSuchFieldException none) {
      return null;
    } catch (IllegalAccessException hidden) {
      throw new IllegalStateException(type + " is a generated interface, which must be public", hidden);
    }
  }
}
