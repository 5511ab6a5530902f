package sidl.binding;

import java.nio.ByteBuffer;

/**
 * The functions of libsidl_java. Addresses are longs. Unless said otherwise, an {@code ior} is the
 * address of an object, which the function takes no reference from, and returned objects have a
 * reference for the caller.
 */
final class Native {
  static {
    NativePath.loadRuntime();
    final Thread preparation = new Thread(Native::prepare, "sidl-prepare");
    preparation.setDaemon(true);
    final Thread end = new Thread(() -> endAfter(preparation), "sidl-end");
    preparation.start();
    try {
      Runtime.getRuntime().addShutdownHook(end);
    } catch (IllegalStateException isEnding) {
      end.start(); // another hook is the first to use this
    }
  }

  /** The end of a short program waits so long for what is still being prepared. */
  private static final int PATIENCE_MS = 1000;

  private Native() {}

  private static void prepare() {
    try {
      Exceptions.prepare();
    } finally {
      prepared();
    }
  }

  private static void endAfter(Thread preparation) {
    try {
      preparation.join(PATIENCE_MS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    AtEnd.begin();
    end();
  }

  /** The objects that were made to prepare Java are gone. */
  private static native void prepared();

  /** Java ends: native code calls it no more. */
  private static native void end();

  /** Whether native code gave up objects in Java since the last time that this was asked. */
  static native boolean hasReleased();

  /** The files of the shared libraries that are loaded. */
  static native byte[][] libraries();

  // ---- cells (handles.c) --------------------------------------------------------------------

  /** A cell that takes over a reference; with {@code info} 0 to an array. */
  static native long cell(long ior, long info);

  /** A cell with a reference of its own to an object, as the type. */
  static native long sharedCell(long ior, long info);

  /** Makes it the implementation of the object. */
  static native void implement(Handle handle, Object implementation);

  /** The cell of an implementation, which ends with its object. */
  static native long ownCell(long ior, long info);

  /** A cell of the same object, with a reference of its own. */
  static native long another(Handle object);

  /** Gives the reference back; false if that was done before. */
  static native boolean close(long cell);

  /** The same, and frees the cell. */
  static native boolean free(long cell);

  /** What is in the cell; 0: it is closed. */
  static native long object(long cell);

  // ---- objects (objects.c) ------------------------------------------------------------------

  static native long create(long info);

  static native long createRemote(long info, byte[] url);

  static native long connect(long info, byte[] url);

  static native long cast(Handle object, long info);

  /** Takes a reference over; 0 if it is not of the type. */
  static native long castOver(long ior, long info);

  /** The same, but for 0 the caller keeps the reference: it is not of the type, or not any more. */
  static native long viewAs(long ior, long info);

  static native boolean isOf(long ior, long info);

  /** The table of the object's own class. */
  static native long typeOf(long ior);

  /** The table of the parent class; 0: there is none. */
  static native long parentOf(long info);

  static native byte[] nameOf(long info);

  static native void share(long ior);

  static native void drop(long ior);

  /** As the type, with a new reference. */
  static native long shareAs(Handle object, long info);

  static native boolean isThis(Handle object, long ior);

  static native boolean isEqual(Handle a, Handle b);

  static native int hash(Handle object);

  static native boolean isSame(Handle object, Handle other);

  static native boolean isType(Handle object, byte[] name);

  static native long classInfo(Handle object, long info);

  static native byte[] url(Handle object);

  static native boolean isRemote(Handle object);

  static native void setStaticHooks(long info, boolean enable);

  static native void setStaticContracts(long info, boolean enable, byte[] file, boolean reset);

  static native void dumpStaticStats(long info, byte[] file, byte[] prefix);

  static native void setHooks(Handle object, boolean enable);

  static native void setContracts(Handle object, boolean enable, byte[] file, boolean reset);

  static native void dumpStats(Handle object, byte[] filename, byte[] prefix);

  // ---- exceptions (exceptions.c) ------------------------------------------------------------

  static native byte[] note(Handle exception);

  static native void setNote(Handle exception, byte[] note);

  static native void addLine(long ior, byte[] line);

  /** 0: sidl.LangSpecificException, 1: sidl.MemAllocException, 2: sidl.NotImplementedException. */
  static native long makeException(int kind, byte[] note, Throwable origin);

  static native Throwable origin(long ior);

  // ---- packages (packages.c) ----------------------------------------------------------------

  static native long findSymbol(byte[] name);

  static native long openPackage(byte[] path, byte[] symbol);

  /** The names of a package's exceptions. */
  static native byte[][] exceptionsIn(long tables);

  /** Registers the native methods of a class, and returns the type's table. */
  static native long bind(long tables, String name, Class<?> stub);

  static native long structInfo(long tables, String name, int size);

  // ---- plain objects (plain.c) --------------------------------------------------------------

  static native long plainClass(byte[] name, long[] infos);

  static native long standIn(Object object, int identityHash, long plainClass);

  static native Object plainBehind(long ior);

  // ---- memory (memory.c) --------------------------------------------------------------------

  static native long addressOf(java.nio.Buffer memory);

  static native ByteBuffer memoryAt(long address, long bytes);

  static native void releaseFrame(long info, int number, long frame);

  static native byte[] string(long address);

  static native long makeString(byte[] text);

  static native void freeString(long address);

  static native boolean isPlain(long structInfo);

  static native byte[] nameOfStruct(long structInfo);

  static native void destroyStruct(long structInfo, long address);

  static native long getRaw(long structInfo, int member, long struct);

  static native void giveRaw(long structInfo, int member, long struct, Handle array);

  // ---- arrays (arrays.c) --------------------------------------------------------------------

  static native long createArray(int type, long structInfo, int order, long[] lower, long[] upper);

  /** Elements in the memory of a direct buffer, which stays as long as the array. */
  static native long borrowArray(
      int type, java.nio.Buffer memory, long offset, long[] lower, long[] upper, long[] stride);

  /**
   * Describes an array: 0 dimension, 1 type of elements, 2 bytes of one, 3 address of the first or
   * 0, 4 its struct, from 8 the lower bounds, from 16 the upper ones, from 24 the strides.
   */
  static native void describeArray(long ior, long[] result);

  static native long shareArray(Handle array);

  static native void dropArray(long ior);

  static native void addRefArray(long ior);

  static native long sliceArray(
      Handle array, int dimension, long[] lengths, long[] start, long[] stride, long[] lower);

  static native long ensureArray(Handle array, int dimension, int order);

  static native void copyArray(Handle from, Handle to);

  /** Whether its elements are such structs, in all their members. */
  static native boolean isArrayOf(Handle array, long structInfo);

  static native long arrayIn(Handle array, int deviceType, int deviceId);

  /** The type of the device, and in the lower 32 bits its number. */
  static native long spaceOf(Handle array);

  // ---- nonblocking calls (halves.c) ---------------------------------------------------------

  /** Begins a call, a static one if {@code object} is null; returns its ticket. */
  static native long send(Handle object, long info, int number, long frame);

  static native void receive(Handle object, long info, int number, Handle ticket, long frame);

  // ---- elements that are not numbers (arrays.c) ---------------------------------------------

  static native byte[] getText(Handle array, long[] index);

  static native void setText(Handle array, long[] index, byte[] text);

  static native long getObject(Handle array, long[] index);

  static native void setObject(Handle array, long[] index, Handle object);

  static native void setStruct(Handle array, long[] index, long struct);
}
