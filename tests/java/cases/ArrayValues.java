import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.List;
import jv.Tool;
import jv.Worker;
import sidl.BaseArray;
import sidl.DoubleArray;
import sidl.FloatArray;
import sidl.Holder;
import sidl.IntArray;
import sidl.LongArray;
import sidl.StructArray;

/** Arrays: their shapes, their memory, and what they are of. */
final class ArrayValues extends Checks {
  static void arraysAreClosedAndForgotten() {
    final DoubleArray array = DoubleArray.of(1, 2, 3);
    array.close();
    array.close();
    thrown(IllegalStateException.class, "closed", () -> array.get(0));
    thrown(IllegalStateException.class, "closed", () -> array.set(0, 1));
    thrown(IllegalStateException.class, "closed", array::copy);
    try (Tool tool = Tool.create()) {
      thrown(IllegalStateException.class, "closed", () -> tool.total(array));
    }
  }

  static void arraysOfTheWrongShape() {
    try (Tool tool = Tool.create()) {
      equal(tool.total(DoubleArray.of(new double[][] {{1, 2}, {3, 4}})), 10.0);
      thrown(sidl.CastException.class, "a has 1 dimension, not 2", () -> tool.total(DoubleArray.of(1, 2)));
    }
    final DoubleArray matrix = DoubleArray.create(2, 3);
    thrown(IllegalArgumentException.class, "2 dimensions", () -> matrix.get(1));
    thrown(IndexOutOfBoundsException.class, "index 3 of dimension 1", () -> matrix.get(0, 3));
    thrown(IndexOutOfBoundsException.class, "index -1 of dimension 0", () -> matrix.set(-1, 0, 1));
    thrown(IndexOutOfBoundsException.class, "index 0 of dimension 0", () -> DoubleArray.of().get(0));
    final IntArray three = IntArray.of(1, 2, 3);
    thrown(IndexOutOfBoundsException.class, "is not within 0 to 2", () -> three.get(3));
    thrown(IndexOutOfBoundsException.class, "index -1 of dimension 0", () -> three.set(-1, 4));
    equal(three.get(2), 3);
    thrown(IllegalArgumentException.class, "1 to 7 dimensions", DoubleArray::create);
    thrown(IllegalArgumentException.class, "negative length", () -> DoubleArray.create(-2));
    thrown(IllegalArgumentException.class, "row 1 has 1", () -> DoubleArray.of(new double[][] {{1, 2}, {3}}));
    thrown(IllegalArgumentException.class, "slice", () -> matrix.slice(new long[] {3, 3}, null, null, null));
    final long most = 1L << 62;
    thrown(
        IllegalArgumentException.class,
        "dimension 0 cannot be from " + -most + " to " + (-most - 1) + ": indices are " + -most,
        () -> DoubleArray.createBetween(new long[] {-most}, new long[] {-most - 1}));
    thrown(IllegalArgumentException.class, "to " + Long.MIN_VALUE, () -> DoubleArray.create(Long.MIN_VALUE));
    thrown(
        IllegalArgumentException.class,
        "dimension 1 of the slice has 3 elements and cannot begin at " + (most - 1),
        () -> matrix.slice(new long[] {2, 3}, null, null, new long[] {0, most - 1}));
    equal(matrix.slice(new long[] {0, 3}, null, null, new long[] {most - 2}).upper(0), most);
    thrown(OutOfMemoryError.class, "memory", () -> LongArray.create(1L << 60));
    thrown(IllegalArgumentException.class, "2 dimensions", () -> matrix.copyFrom(DoubleArray.of(1, 2)));
    try (Worker worker = Worker.create()) {
      equal(worker.corner(DoubleArray.of(new double[][] {{1, 2}, {3, 4}})), 4.0);
      for (final DoubleArray wrong : List.of(DoubleArray.of(1, 2), DoubleArray.create(1, 1, 1))) {
        final String text = "a has " + wrong.dimension() + " dimension";
        thrown(sidl.CastException.class, text, () -> worker.corner(wrong));
        thrown(sidl.CastException.class, text, () -> worker.corner(wrong, 1, 1));
      }
    }
  }

  static DoubleBuffer bufferOfForgottenArray() {
    final DoubleArray array = DoubleArray.create(100000);
    array.set(99999, 7);
    return array.buffer();
  }

  static void buffersKeepTheirArrays() {
    final DoubleBuffer seen = bufferOfForgottenArray().duplicate();
    final long[] mark = {0};
    final WeakReference<Object> other = new WeakReference<>(DoubleArray.create(3));
    eventually(() -> other.get() == null && ++mark[0] > 3, "others are collected");
    final DoubleArray[] over = new DoubleArray[100];
    for (int i = 0; i < over.length; ++i) {
      over[i] = DoubleArray.create(100000);
    }
    equal(seen.get(99999), 7.0);
  }

  static void rawArraysBeginAtZero() {
    try (Worker worker = Worker.create()) {
      final DoubleArray a = DoubleArray.createBetween(new long[] {5}, new long[] {7});
      final DoubleArray b = DoubleArray.createBetween(new long[] {-1}, new long[] {1});
      a.set(5, 1);
      a.set(7, 3);
      b.set(1, 9);
      equal(worker.ends(a, b), 9.0);
      equal(b.get(-1), 4.0);
      equal(a.lower(0), 5L);
      final DoubleArray none = DoubleArray.createBetween(new long[] {1}, new long[] {0});
      equal(worker.ends(none, none), 0.0);
      equal(none.lower(0), 1L);
    }
  }

  static void arraysShareMemory() {
    final DoubleBuffer buffer =
        ByteBuffer.allocateDirect(80).order(ByteOrder.nativeOrder()).asDoubleBuffer();
    final DoubleArray array = DoubleArray.wrap(buffer, 2, 5);
    buffer.put(7, 3.5);
    equal(array.get(1, 2), 3.5);
    array.set(0, 1, 9);
    equal(buffer.get(1), 9.0);
    array.buffer().put(2, 4);
    equal(buffer.get(2), 4.0);
    final DoubleArray row = array.slice(new long[] {0, 3}, new long[] {1, 0}, new long[] {1, 2}, null);
    equal(row.get(1), 3.5);
    row.set(1, 1);
    equal(buffer.get(7), 1.0);
    final DoubleArray backwards = array.slice(new long[] {2, 5}, new long[] {1, 4}, new long[] {-1, -1}, null);
    equal(backwards.get(1, 3), 9.0);
    equal(backwards.copy().toArray2()[0][2], 1.0);
    thrown(IllegalStateException.class, "dense", row::buffer);
    thrown(IllegalArgumentException.class, "direct", () -> DoubleArray.wrap(DoubleBuffer.allocate(3)));
    thrown(IllegalArgumentException.class, "elements", () -> DoubleArray.wrap(buffer, 11));
    thrown(
        IllegalArgumentException.class, "more than", () -> DoubleArray.wrap(buffer, 1L << 32, 1L << 32));
    final DoubleBuffer other = ByteBuffer.allocateDirect(80).asDoubleBuffer();
    thrown(IllegalArgumentException.class, "byte order", () -> DoubleArray.wrap(other));
    final ByteBuffer bytes = ByteBuffer.allocateDirect(80);
    for (final int begin : new int[] {1, 4, 8}) {
      final ByteBuffer part = bytes.slice(begin, 72 - begin).order(ByteOrder.nativeOrder());
      if (begin % 8 != 0) {
        thrown(IllegalArgumentException.class, "alignedSlice(8)", () -> DoubleArray.wrap(part.asDoubleBuffer()));
        thrown(IllegalArgumentException.class, "alignedSlice(8)", () -> LongArray.wrap(part.asLongBuffer()));
      }
      if (begin % 4 != 0) {
        thrown(IllegalArgumentException.class, "alignedSlice(4)", () -> IntArray.wrap(part.asIntBuffer()));
        thrown(IllegalArgumentException.class, "alignedSlice(4)", () -> FloatArray.wrap(part.asFloatBuffer()));
      } else {
        equal(IntArray.wrap(part.asIntBuffer()).length(0), (72L - begin) / 4);
      }
    }
    final WeakReference<DoubleBuffer> seen = new WeakReference<>(buffer);
    require(seen.get() != null, "it is kept");
  }

  static void arraysOfStructs() {
    final StructArray<ty.Inner> array = StructArray.create(ty.Inner._type, 2);
    array.set(0, new ty.Inner("first", null));
    array.set(1, new ty.Inner("second", ty.Item.create()));
    equal(array.get(1).name(), "second");
    require(array.get(1).item() != null && array.get(0).item() == null, "items");
    equal(array.copy().get(0).name(), "first");
    thrown(NullPointerException.class, "element", () -> array.set(0, null));
    final BaseArray any = array;
    equal(any.count(), 2L);
  }

  static void structsInGenericArraysAreKnown() {
    try (ty.InCxx generic = ty.InCxx.create()) {
      final StructArray<ty.Inner> array = StructArray.of(ty.Inner._type, List.of(new ty.Inner("in", null)));
      final BaseArray back = generic.same(array);
      require(back instanceof StructArray<?> structs && structs.get(0).equals(new ty.Inner("in", null)),
          back + " has the structs");
      final Holder<BaseArray> out = new Holder<>();
      equal(generic.anyKind(array, out, new Holder<>(array)), 112);
      require(out.get() instanceof StructArray<?>, out.get() + " is of structs");
    }
  }

  /** Left raw, a StructArray is one of any structs to javac; they were read as the wanted ones. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static void arraysOfOtherStructsAreRefused() {
    try (Tool tool = Tool.create()) {
      final StructArray<jv.Grid> grids = StructArray.create(jv.Grid._type, 3);
      equal(tool.edges(grids, new Holder<>(grids)), 0);
      equal(tool.edges(grids, new Holder<>(null)), 0);
      final StructArray others = StructArray.create(ty.Inner._type, 3);
      final String text = "is no array of struct jv.Grid";
      thrown(IllegalArgumentException.class, text, () -> tool.edges(others, new Holder<>(grids)));
      thrown(IllegalArgumentException.class, text, () -> tool.edges(grids, new Holder<>(others)));
      equal(others.count(), 3L);
    }
    try (Worker worker = Worker.create()) {
      for (String wrong : List.of("a", "result")) {
        final String what = (wrong.equals("a") ? "a" : "the result") + " is no array of struct jv.Grid";
        final Holder<StructArray<jv.Grid>> holder = new Holder<>(StructArray.create(jv.Grid._type, 1));
        thrown(sidl.CastException.class, what, () -> worker.grids(wrong, holder));
      }
      equal(worker.grids("", new Holder<>()).count(), 2L);
      for (String closed : List.of("a", "the result")) {
        final Holder<StructArray<jv.Grid>> holder = new Holder<>(StructArray.create(jv.Grid._type, 1));
        thrown(IllegalStateException.class, "'" + closed + "' cannot be passed: the array is closed",
            () -> worker.grids("closed " + closed, holder));
      }
    }
  }
}
