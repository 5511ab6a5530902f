package sidl.binding;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * For generated code: a class or an interface.
 *
 * @param <T> its type in Java
 */
public final class ObjectType<T> {
  final String name;
  final Class<T> javaClass;

  /** The address of its table. */
  final long info;

  private final Function<Handle, ? extends T> maker;

  /** What objects become that come as this type, by the tables of their own classes. */
  private final ConcurrentHashMap<Long, ObjectType<?>> seen = new ConcurrentHashMap<>();

  /**
   * Describes a type.
   *
   * @param name in SIDL
   * @param javaClass in Java
   * @param stub the class of objects that are not known better
   * @param maker makes one
   */
  public ObjectType(
      String name, Class<T> javaClass, Class<?> stub, Function<Handle, ? extends T> maker) {
    this.name = name;
    this.javaClass = javaClass;
    this.maker = maker;
    info = Native.bind(Library.of(name, javaClass), name, stub);
    Types.add(this);
  }

  /**
   * A new object.
   *
   * @return the object
   */
  public T create() {
    return wrap(Native.create(info));
  }

  /**
   * A new object on a server.
   *
   * @param url of the server
   * @return the object
   */
  public T create(String url) {
    return wrap(Native.createRemote(info, needed(url)));
  }

  /**
   * Attaches to an object that is there.
   *
   * @param url of the object
   * @return the object
   */
  public T connect(String url) {
    return wrap(Native.connect(info, needed(url)));
  }

  /**
   * Switches the hooks of its static methods on or off.
   *
   * @param enable true: on
   */
  public void _set_hooks_static(boolean enable) {
    Native.setStaticHooks(info, enable);
  }

  /**
   * Switches the check of its static methods' contracts on or off; while on, {@code sidl.EnfPolicy}
   * holds.
   *
   * @param enable true: on
   * @param file of cost estimates; may be null
   * @param reset whether counters begin at zero again
   */
  public void _set_contracts_static(boolean enable, String file, boolean reset) {
    Native.setStaticContracts(info, enable, Text.encode(file), reset);
  }

  /**
   * Writes what was counted of its static methods' contracts to a file.
   *
   * @param filename the file; empty: "ContractStats.out"
   * @param prefix heads the section
   */
  public void _dump_stats_static(String filename, String prefix) {
    Native.dumpStaticStats(info, Text.encode(filename), Text.encode(prefix));
  }

  private static byte[] needed(String url) {
    if (url == null) {
      throw Values.missing("url");
    }
    return Text.encode(url);
  }

  /**
   * Any object as this type.
   *
   * @param object the object, or null
   * @return the same object; null if it is not of this type
   */
  public T cast(sidl.BaseInterface object) {
    if (object == null) {
      return null;
    }
    return wrap(Native.cast(object._handle(), info));
  }

  /**
   * A new exception.
   *
   * @return the reference to it
   */
  public Handle make() {
    return new Handle(Native.create(info), info);
  }

  /**
   * A new exception.
   *
   * @param note its message
   * @return the reference to it
   */
  public Handle make(String note) {
    final Handle made = make();
    Native.setNote(made, Text.encode(note == null ? "" : note));
    return made;
  }

  /** Takes over a reference. */
  T wrap(long ior) {
    if (ior == 0) {
      return null;
    }
    final ObjectType<?> best = bestOf(ior);
    if (best == null) {
      return wrapPlain(ior);
    }
    if (best == this) {
      return madeOf(ior);
    }
    // 0: another thread destroys it, and has come to a class that it is derived from.
    final long view = Native.viewAs(ior, best.info);
    return view == 0 ? madeOf(ior) : javaClass.cast(best.madeOf(view));
  }

  private ObjectType<?> bestOf(long ior) {
    final long own = Native.typeOf(ior);
    ObjectType<?> best = seen.get(own);
    if (best == null) {
      best = Types.best(ior, own, this, javaClass.getClassLoader());
      if (best != null) {
        seen.put(own, best);
      }
    }
    return best;
  }

  /**
   * An object that the caller keeps, with a reference of its own: where a stack ends, nothing is lost
   * with it. It is as the class that the loader has; null: that of this type.
   */
  T share(long ior, ClassLoader loader) {
    final ObjectType<?> best =
        loader == null ? bestOf(ior) : Types.best(ior, Native.typeOf(ior), this, loader);
    if (best != null) {
      try {
        return javaClass.cast(best.maker.apply(Handle.shared(ior, best.info)));
      } catch (ClassCastException changed) {
        // As in wrap.
      }
    }
    Native.share(ior);
    final long view = Native.viewAs(ior, info);
    return view == 0 ? madeOf(ior) : wrapPlain(view);
  }

  /** An object that is written in Java comes home as itself. */
  private T wrapPlain(long ior) {
    final Object plain = Native.plainBehind(ior);
    if (!javaClass.isInstance(plain)) {
      return madeOf(ior);
    }
    Native.drop(ior);
    return javaClass.cast(plain);
  }

  private T madeOf(long view) {
    return maker.apply(new Handle(view, info));
  }

  /**
   * Takes an object out of a slot.
   *
   * @param frame the frame
   * @param at the slot
   * @return the object, or null
   */
  public T take(Frame frame, int at) {
    final long ior = frame.getLong(at);
    frame.putLong(at, 0);
    return wrap(ior);
  }

  /**
   * The same of an inout argument.
   *
   * @param frame the frame
   * @param at the slot
   * @param old what it was before
   * @return the object, or null
   */
  public T take(Frame frame, int at, T old) {
    final long ior = frame.getLong(at);
    if (ior != 0 && old != null && Native.isThis(Handle.of(old), ior)) {
      frame.putLong(at, 0);
      Native.drop(ior);
      return old;
    }
    return take(frame, at);
  }

  /**
   * Reads an object that stays where it is.
   *
   * @param frame the frame
   * @param at the slot
   * @return the object, with a reference of its own, or null
   */
  public T get(Frame frame, int at) {
    final long ior = frame.getLong(at);
    if (ior == 0) {
      return null;
    }
    Native.share(ior);
    return wrap(ior);
  }

  /**
   * Writes a reference of its own to a slot.
   *
   * @param frame the frame
   * @param at the slot, whose old object is given back
   * @param value the object, or null
   * @param what it is, for messages
   */
  public void give(Frame frame, int at, T value, String what) {
    final long given;
    try {
      given = value == null ? 0 : shared(value);
    } catch (IllegalStateException closed) {
      throw Values.closed(what, closed);
    }
    final long old = frame.getLong(at);
    frame.putLong(at, given);
    if (old != 0) {
      Native.drop(old);
    }
  }

  private long shared(T value) {
    return Plain.isPlain(value)
        ? Native.castOver(Plain.standIn((Handled) value), info)
        : Native.shareAs(Handle.of(value), info);
  }

  /**
   * The class of its objects.
   *
   * @return the class
   */
  public Class<T> javaClass() {
    return javaClass;
  }

  @Override
  public String toString() {
    return name;
  }
}
