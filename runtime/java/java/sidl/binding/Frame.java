package sidl.binding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import sidl.BaseArray;
import sidl.DoubleComplex;
import sidl.Enumerator;
import sidl.FloatComplex;

/**
 * For generated code: memory with a slot for each argument of a method and for its result, which
 * native code reads and writes. Strings, arrays and objects in it are addresses.
 *
 * <p>The frames of a thread are a stack. One belongs to a call from {@link #enter} to {@link
 * #leave}; those of calls that come from native code are made by that.
 */
public final class Frame {
  /** Before the first slot: flags. */
  private static final int HEADER = 8;

  private static final int HOOKS = 0; // set by native code
  private static final int LOANS = 4; // set here: there are arrays to be closed

  /** Larger ones are allocated for one call. Strings are behind the slots, if there is room. */
  private static final int USUAL = 2048;

  private static final ThreadLocal<Frame> BOTTOM = ThreadLocal.withInitial(() -> new Frame(null));

  private final Frame below;
  private Frame above;
  private Frame top; // of the bottom one: the innermost that is in use

  private ByteBuffer memory;
  private long base; // address of the first slot
  private ByteBuffer usualMemory;

  private ObjectType<?> type;
  private int number;
  private int end; // of the slots and strings
  private boolean isDone;
  private final List<Object> kept = new ArrayList<>(); // what native code uses meanwhile
  private final List<Handle> temporaries = new ArrayList<>(); // for objects that are no SIDL objects
  private final List<ArrayStub> loans = new ArrayList<>();
  private final Map<Integer, Handle> inPlace = new HashMap<>(); // of a nonblocking call

  private Frame(Frame below) {
    this.below = below;
    top = this;
  }

  /** A frame for calls from native code, and its address there. Called by native code. */
  private static Frame make(int size) {
    final Frame frame = new Frame(null);
    frame.use(ByteBuffer.allocateDirect(Math.max(size + HEADER, USUAL)));
    return frame;
  }

  /** For structs that lie in an array, or anywhere. */
  static Frame over(ByteBuffer memory) {
    final Frame frame = new Frame(null);
    frame.memory = memory;
    frame.base = Native.addressOf(memory) + HEADER;
    return frame;
  }

  /** The offset of what begins at the start of the memory. */
  static final int START = -HEADER;

  private void use(ByteBuffer other) {
    memory = other.order(ByteOrder.nativeOrder());
    base = Native.addressOf(other) + HEADER;
  }

  /**
   * A frame for a call from Java, all zero.
   *
   * @param type whose method it is
   * @param number of the method
   * @param size of all slots
   * @return the frame
   */
  public static Frame enter(ObjectType<?> type, int number, int size) {
    final Frame bottom = BOTTOM.get();
    Frame frame = bottom.top.above;
    if (frame == null) {
      frame = new Frame(bottom.top);
      bottom.top.above = frame;
    }
    if (frame.usualMemory == null) {
      frame.use(ByteBuffer.allocateDirect(USUAL));
      frame.usualMemory = frame.memory;
    }
    if (size + HEADER > USUAL) {
      frame.use(ByteBuffer.allocateDirect(size + HEADER));
    }
    frame.type = type;
    frame.number = number;
    frame.end = size + HEADER;
    frame.isDone = false;
    for (int at = 0; at < size; at += 8) {
      frame.memory.putLong(at + HEADER, 0);
    }
    bottom.top = frame;
    return frame;
  }

  /**
   * A frame for a nonblocking call, which ends on another thread.
   *
   * @param type whose method it is
   * @param number of the method
   * @param size of all slots
   * @return the frame
   */
  public static Frame apart(ObjectType<?> type, int number, int size) {
    final Frame frame = new Frame(null);
    frame.use(ByteBuffer.allocateDirect(size + HEADER));
    frame.usualMemory = frame.memory;
    frame.type = type;
    frame.number = number;
    frame.end = size + HEADER;
    return frame;
  }

  long send(Handle object) {
    final long ticket = Native.send(object, type.info, number, base);
    releaseKept();
    return ticket;
  }

  /** Raw arrays that are changed in place are passed once more, to get the answer. */
  void receive(Handle object, Handle ticket) {
    inPlace.forEach(this::keep);
    Native.receive(object, type.info, number, ticket, base);
    releaseKept();
  }

  /**
   * Writes a reference to an array that a nonblocking call changes.
   *
   * @param at the slot
   * @param array the array, or null
   */
  public void putInPlace(int at, BaseArray array) {
    final Handle handle = Arrays.handleOf(array);
    keep(at, handle);
    if (handle != null) {
      inPlace.put(at, handle);
    }
  }

  /** Ends a nonblocking call. */
  public void release() {
    if (!isDone) {
      Native.releaseFrame(type.info, number, base);
      isDone = true;
    }
    releaseKept();
    inPlace.clear();
  }

  /** All results were taken: nothing in the frame is owned by it any more. */
  public void done() {
    isDone = true;
  }

  /** Ends the call. What is left in the frame is released. */
  public void leave() {
    if (!isDone) {
      Native.releaseFrame(type.info, number, base);
    }
    releaseKept();
    if (memory != usualMemory) {
      use(usualMemory);
    }
    BOTTOM.get().top = below;
  }

  /**
   * Where native code finds it.
   *
   * @return the address of the first slot
   */
  public long address() {
    return base;
  }

  long address(int at) {
    return base + at;
  }

  /**
   * Whether hooks are to be called.
   *
   * @return true if they are switched on
   */
  public boolean hasHooks() {
    return memory.getInt(HOOKS) != 0;
  }

  /** Notes that an array is only lent for this call. */
  void lend(ArrayStub array) {
    array.beginLoan();
    loans.add(array);
    memory.putInt(LOANS, 1);
  }

  /** Called by native code at the end of a call to Java. */
  private void endLoans() {
    for (final ArrayStub each : loans) {
      each.endLoan();
    }
    loans.clear();
    memory.putInt(LOANS, 0);
  }

  // ---- numbers ------------------------------------------------------------------------------

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public boolean getBool(int at) {
    return memory.getInt(at + HEADER) != 0;
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putBool(int at, boolean value) {
    memory.putInt(at + HEADER, value ? 1 : 0);
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public char getChar(int at) {
    return Values.toChar(memory.get(at + HEADER));
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putChar(int at, char value) {
    memory.put(at + HEADER, Values.toByte(value));
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public int getInt(int at) {
    return memory.getInt(at + HEADER);
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putInt(int at, int value) {
    memory.putInt(at + HEADER, value);
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public long getLong(int at) {
    return memory.getLong(at + HEADER);
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putLong(int at, long value) {
    memory.putLong(at + HEADER, value);
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public float getFloat(int at) {
    return memory.getFloat(at + HEADER);
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putFloat(int at, float value) {
    memory.putFloat(at + HEADER, value);
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public double getDouble(int at) {
    return memory.getDouble(at + HEADER);
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   */
  public void putDouble(int at, double value) {
    memory.putDouble(at + HEADER, value);
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public FloatComplex getFloatComplex(int at) {
    return new FloatComplex(getFloat(at), getFloat(at + 4));
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   * @param what it is, for messages
   */
  public void putFloatComplex(int at, FloatComplex value, String what) {
    if (value == null) {
      throw Values.missing(what);
    }
    putFloat(at, value.real());
    putFloat(at + 4, value.imaginary());
  }

  /**
   * Reads a slot.
   *
   * @param at its offset
   * @return the value
   */
  public DoubleComplex getDoubleComplex(int at) {
    return new DoubleComplex(getDouble(at), getDouble(at + 8));
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the value
   * @param what it is, for messages
   */
  public void putDoubleComplex(int at, DoubleComplex value, String what) {
    if (value == null) {
      throw Values.missing(what);
    }
    putDouble(at, value.real());
    putDouble(at + 8, value.imaginary());
  }

  /**
   * Writes a slot.
   *
   * @param at its offset
   * @param value the enumerator
   * @param what it is, for messages
   */
  public void putEnum(int at, Enumerator value, String what) {
    putLong(at, Values.number(value, what));
  }

  // ---- strings ------------------------------------------------------------------------------

  /**
   * Writes the address of a string that the frame keeps.
   *
   * @param at the slot
   * @param text the string, or null
   */
  public void putString(int at, String text) {
    if (text == null) {
      return; // the slot is zero
    }
    final byte[] bytes = Text.encode(text);
    if (bytes.length <= memory.capacity() - end) {
      memory.put(end, bytes);
      putLong(at, base + end - HEADER);
      end += bytes.length;
      return;
    }
    final ByteBuffer own = ByteBuffer.allocateDirect(bytes.length);
    own.put(0, bytes);
    kept.add(own);
    putLong(at, Native.addressOf(own));
  }

  /**
   * Writes the address of a string that native code frees.
   *
   * @param at the slot, whose old string is freed
   * @param text the string, or null
   */
  public void giveString(int at, String text) {
    final long made = text == null ? 0 : Native.makeString(Text.encode(text));
    final long old = getLong(at);
    putLong(at, made);
    if (old != 0) {
      Native.freeString(old);
    }
  }

  /**
   * Reads a string that stays where it is.
   *
   * @param at the slot
   * @return the string, or null
   */
  public String getString(int at) {
    final long address = getLong(at);
    return address == 0 ? null : Text.decode(Native.string(address));
  }

  /**
   * Reads a string and frees it.
   *
   * @param at the slot
   * @return the string, or null
   */
  public String takeString(int at) {
    final String result = getString(at);
    final long address = getLong(at);
    if (address != 0) {
      putLong(at, 0);
      Native.freeString(address);
    }
    return result;
  }

  // ---- objects and arrays -------------------------------------------------------------------

  /**
   * Writes a reference that stays the caller's.
   *
   * @param at the slot
   * @param object the object, or null
   */
  public void putObject(int at, Handled object) {
    if (object == null || !Plain.isPlain(object)) {
      keep(at, Handle.of(object));
      return;
    }
    final Handle handle =
        Handle.temporary(Plain.standIn(object), sidl.BaseInterface._type.info);
    temporaries.add(handle);
    keep(at, handle);
  }

  private void releaseKept() {
    kept.clear();
    for (final Handle each : temporaries) {
      each.free();
    }
    temporaries.clear();
  }

  /**
   * Writes a reference that stays the caller's.
   *
   * @param at the slot
   * @param array the array, or null
   */
  public void putArray(int at, BaseArray array) {
    keep(at, Arrays.handleOf(array));
  }

  private void keep(int at, Handle handle) {
    if (handle != null) {
      kept.add(handle);
      putLong(at, handle.cell);
    }
  }

  /**
   * Writes a reference of its own.
   *
   * @param at the slot, whose old array is given back
   * @param array the array, or null
   * @param what it is, for messages
   */
  public void giveArray(int at, BaseArray array, String what) {
    final long given;
    try {
      given = array == null ? 0 : Native.shareArray(Arrays.handleOf(array));
    } catch (IllegalStateException closed) {
      throw Values.closed(what, closed);
    }
    final long old = getLong(at);
    putLong(at, given);
    if (old != 0) {
      Native.dropArray(old);
    }
  }

  /**
   * The same of a struct's member.
   *
   * @param at the slot, whose old array is given back
   * @param array the array, or null
   * @param dimension that it has to have
   * @param name of the member
   */
  public void giveArray(int at, BaseArray array, int dimension, String name) {
    giveArray(at, Values.ranked(array, dimension, name), name);
  }
}
