package sidl.binding;

import sidl.BaseArray;

/**
 * For generated code: a struct.
 *
 * @param <S> its record
 */
public final class StructType<S> {
  /**
   * Reads a struct from memory, which keeps it.
   *
   * @param <S> its record
   */
  @FunctionalInterface
  public interface Reader<S> {
    /**
     * Reads it.
     *
     * @param frame the memory
     * @param at where it begins
     * @return the record
     */
    S read(Frame frame, int at);
  }

  /**
   * Writes a struct to memory, which is zero or has an old one.
   *
   * @param <S> its record
   */
  @FunctionalInterface
  public interface Writer<S> {
    /**
     * Writes it.
     *
     * @param frame the memory
     * @param at where it begins
     * @param value the record
     */
    void write(Frame frame, int at, S value);
  }

  private final String name;
  private final Class<S> javaClass;
  private final int size;
  private final Reader<S> reader;
  private final Writer<S> writer;
  private long info;
  private boolean owns;

  /**
   * Describes a struct.
   *
   * @param name in SIDL
   * @param javaClass in Java
   * @param size its bytes in memory
   * @param reader reads it
   * @param writer writes it
   */
  public StructType(String name, Class<S> javaClass, int size, Reader<S> reader, Writer<S> writer) {
    this.name = name;
    this.javaClass = javaClass;
    this.size = size;
    this.reader = reader;
    this.writer = writer;
    Types.add(this);
  }

  /**
   * The type of an array's elements.
   *
   * @param data the array
   * @return the type; null if they are no structs, or such as Java has no record for
   */
  public static StructType<?> of(ArrayData data) {
    if (data.structInfo == 0) {
      return null;
    }
    final StructType<?> found = Types.findStruct(Text.decode(Native.nameOfStruct(data.structInfo)));
    try {
      return found != null && Native.isArrayOf(data.handle, found.info()) ? found : null;
    } catch (LinkageError otherVersion) {
      return null;
    }
  }

  String name() {
    return name;
  }

  /**
   * The address of its table.
   *
   * @return the address
   */
  public synchronized long info() {
    if (info == 0) {
      info = Native.structInfo(Library.of(name, javaClass), name, size);
      owns = !Native.isPlain(info);
    }
    return info;
  }

  /**
   * Its bytes in memory.
   *
   * @return the number
   */
  public int size() {
    return size;
  }

  /**
   * The class of its records.
   *
   * @return the class
   */
  public Class<S> javaClass() {
    return javaClass;
  }

  /**
   * Reads one from memory, which keeps it.
   *
   * @param frame the memory
   * @param at where it begins
   * @return the record
   */
  public S get(Frame frame, int at) {
    return reader.read(frame, at);
  }

  /**
   * Reads one and empties the memory.
   *
   * @param frame the memory
   * @param at where it begins
   * @return the record
   */
  public S take(Frame frame, int at) {
    final S result = reader.read(frame, at);
    release(frame, at);
    return result;
  }

  /**
   * Writes one.
   *
   * @param frame the memory
   * @param at where it begins
   * @param value the record
   * @param what it is, for messages
   */
  public void give(Frame frame, int at, S value, String what) {
    if (value == null) {
      throw Values.missing(what);
    }
    writer.write(frame, at, value);
  }

  /** Frees what the struct in memory owns. */
  void release(Frame frame, int at) {
    info();
    if (owns) {
      Native.destroyStruct(info, frame.address(at));
    }
  }

  /**
   * Reads a raw array that is a member.
   *
   * @param <A> its class
   * @param frame the memory
   * @param at where the struct begins
   * @param member its number
   * @param arrayClass its class
   * @return a copy of its elements; null if it has none
   */
  public <A extends BaseArray> A getRaw(Frame frame, int at, int member, Class<A> arrayClass) {
    return arrayClass.cast(
        Arrays.wrap(Native.getRaw(info(), member, frame.address(at))));
  }

  /**
   * Writes one.
   *
   * @param frame the memory
   * @param at where the struct begins; the members with the array's lengths are there
   * @param member its number
   * @param value the array
   */
  public void giveRaw(Frame frame, int at, int member, BaseArray value) {
    Native.giveRaw(info(), member, frame.address(at), Arrays.handleOf(value));
  }
}
