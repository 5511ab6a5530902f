import huge.Ends;
import sidl.CharArray;
import sidl.Holder;

/** As in_c.c: java InJava.java URL. */
final class InJava {
  private static final long COUNT = (1L << 31) + 5;
  private static final long HALF = COUNT / 2;

  private InJava() {}

  private static void expect(boolean isRight, String what) {
    if (!isRight) {
      throw new AssertionError(what);
    }
  }

  public static void main(String[] arguments) {
    try (Ends ends = Ends._type.connect(arguments[0])) {
      final CharArray all = CharArray.create(COUNT);
      all.set(new long[] {COUNT - 1}, 'z');
      all.set(new long[] {HALF - 1}, 'h');
      expect(ends.last(all) == 'z', "last");
      final CharArray first = all.slice(new long[] {HALF}, null, null, null);
      final CharArray second = all.slice(new long[] {COUNT - HALF}, new long[] {HALF}, null, null);
      expect(ends.last(first) == 'h', "the first half");
      expect(ends.last(second) == 'z', "the second half");
      first.close();
      second.close();
      final Holder<CharArray> changed = new Holder<>(all);
      ends.mark(changed);
      expect(changed.get().get(new long[] {COUNT - 1}) == 'm', "mark");
      changed.get().close();
      final CharArray made = ends.make(COUNT);
      expect(made.length(0) == COUNT, "make");
      expect(made.get(new long[] {made.upper(0)}) == 'r', "the last one made");
      made.close();
    }
  }
}
