package sidl.binding;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A reference to a SIDL object or array, in native memory: a cell that says which one it is. It is
 * given back by {@link #close}, or when the handle is not reachable any more.
 *
 * <p>Calls may be under way on other threads when it is closed: the object goes when the last of
 * them has returned. The cell itself stays as long as the handle.
 */
public final class Handle {
  private static final Cleaner CLEANER = Cleaner.create();

  final long cell;

  /** See Identity; 0: nobody has asked for it. */
  int hash;

  /** Of an object whose implementation is being made. */
  private boolean isOfNew;

  /** Takes over a reference to an object. */
  Handle(long ior, long info) {
    this(Native.cell(ior, info));
    releaseWithThis();
  }

  /** A reference of its own to an object that the caller keeps. */
  static Handle shared(long ior, long info) {
    final Handle made = new Handle(Native.sharedCell(ior, info));
    made.releaseWithThis();
    return made;
  }

  /** If that fails, as at the end of a stack, the reference is given back at once. */
  private void releaseWithThis() {
    Release release = null;
    try {
      release = new Release(cell);
      CLEANER.register(this, release);
      IdleCollection.add();
    } catch (Throwable failure) {
      if (release != null) {
        release.run();
      }
      throw failure;
    }
  }

  /** Takes over a reference to an array with so many bytes. */
  static Handle ofArray(long ior, long bytes) {
    final Handle made = new Handle(Native.cell(ior, 0));
    CLEANER.register(made, new ArrayRelease(made.cell, bytes));
    HeldMemory.add(bytes);
    IdleCollection.add();
    return made;
  }

  private Handle(long cell) {
    this.cell = cell;
  }

  /** What an implementation has instead of a reference: it ends with the object. */
  static Handle ofImplementation(long ior, long info) {
    final Handle made = new Handle(Native.ownCell(ior, info));
    CLEANER.register(made, new Release(made.cell));
    made.isOfNew = true;
    return made;
  }

  /** A stub has this handle: if it is an implementation, calls reach it from its constructor on. */
  void attach(Object stub) {
    if (isOfNew) {
      isOfNew = false;
      Native.implement(this, stub);
    }
  }

  /** One that whoever made it frees; it takes over a reference. */
  static Handle temporary(long ior, long info) {
    return new Handle(Native.cell(ior, info));
  }

  /** A temporary one of the same object, which may be closed meanwhile; null of null. */
  static Handle another(Handle object) {
    return object == null ? null : new Handle(Native.another(object));
  }

  /** Ends a temporary one, which nobody uses any more. */
  void free() {
    Native.free(cell);
  }

  /** The handle of an object; null of null. */
  static Handle of(Object object) {
    if (object == null) {
      return null;
    }
    return ((Handled) object)._handle();
  }

  void close() {
    Native.close(cell);
  }

  /** It is not given back while the memory is in use, or a view of it. */
  void staysWith(ByteBuffer memory) {
    CLEANER.register(memory, new Kept(this));
  }

  private record Kept(Handle handle) implements Runnable {
    @Override
    public void run() {
      Reference.reachabilityFence(handle);
    }
  }

  /** The same of an array with so many bytes. */
  void closeArray(long bytes) {
    if (Native.close(cell)) {
      HeldMemory.remove(bytes);
    }
  }

  boolean isClosed() {
    return Native.object(cell) == 0;
  }

  private record ArrayRelease(long cell, long bytes) implements Runnable {
    @Override
    public void run() {
      if (Native.free(cell)) {
        HeldMemory.remove(bytes);
      }
    }
  }

  /** Has an effect once. */
  private static final class Release implements Runnable {
    private long cell;

    Release(long cell) {
      this.cell = cell;
    }

    @Override
    public synchronized void run() {
      final long own = cell;
      cell = 0;
      if (own != 0) {
        Native.free(own);
      }
    }
  }
}
