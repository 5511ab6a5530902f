package sidl.binding;

/** For generated code: a SIDL array and its shape, of which Java makes an array. */
public final class ArrayData {
  final Handle handle;
  final int dimension;
  final int type;
  final long elementBytes;
  final long first; // address of the element with the lowest indices; 0: not in host memory
  final long structInfo;
  final boolean isBorrowed; // references do not keep its elements
  final long[] lower;
  final long[] upper;
  final long[] stride;
  ArrayStub lender; // whose elements, lent for a call, it shares; most often null

  /** Of all elements together. */
  long bytes() {
    long count = elementBytes;
    for (int d = 0; d < dimension; ++d) {
      count *= upper[d] - lower[d] + 1;
    }
    return count;
  }

  /** Takes over a reference. */
  ArrayData(long ior) {
    final long[] all = new long[32];
    Native.describeArray(ior, all);
    dimension = (int) all[0];
    type = (int) all[1];
    elementBytes = all[2];
    first = all[3];
    structInfo = all[4];
    isBorrowed = all[5] != 0;
    lower = java.util.Arrays.copyOfRange(all, 8, 8 + dimension);
    upper = java.util.Arrays.copyOfRange(all, 16, 16 + dimension);
    stride = java.util.Arrays.copyOfRange(all, 24, 24 + dimension);
    handle = Handle.ofArray(ior, bytes());
  }
}
