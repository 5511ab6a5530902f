import java.util.Arrays;
import java.util.List;
import jv.Level;
import jv.Tool;
import jv.Worker;
import sidl.DoubleArray;
import sidl.Holder;
import sidl.IntArray;
import sidl.StringArray;
import sidl.UnknownEnumeratorException;

/** Scalars, texts, enumerators and structs. */
final class Values extends Checks {
  static void nullsAreRefused() {
    try (Tool tool = Tool.create()) {
      thrown(NullPointerException.class, "'level' must not be null", () -> tool.number(null));
      thrown(NullPointerException.class, "'other' needs a Holder", () -> tool.level(1, null));
      equal(tool.number(Level.high), 7L);
    }
    thrown(NullPointerException.class, "'n' must not be null",
        () -> sidl.binding.Values.some(new Holder<Integer>(), "n"));
    try (ty.InCxx structs = ty.InCxx.create()) {
      thrown(NullPointerException.class, "'a' must not be null",
          () -> structs.every(null, new Holder<>(), new Holder<>(full())));
      thrown(NullPointerException.class, "'io' must not be null",
          () -> structs.every(full(), new Holder<>(), new Holder<>()));
    }
  }

  static void unknownEnumeratorsSayWhichTheyAre() {
    try (Tool tool = Tool.create()) {
      final Holder<Level> other = new Holder<>(Level.low);
      equal(tool.level(7, other), Level.high);
      equal(other.get(), Level.high);
      final UnknownEnumeratorException seen =
          thrown(UnknownEnumeratorException.class, "enum jv.Level has no enumerator with the value 5",
              () -> tool.level(5, other));
      equal(seen.value(), 5L);
      equal(seen.type(), "jv.Level");
      equal(other.get(), Level.high);
    }
  }

  static void stringsThatAreNone() {
    final Ear ear = new Ear();
    try (Tool tool = Tool.create()) {
      thrown(IllegalArgumentException.class, "NUL character at index 1", () -> tool.tell(ear, "a\0b"));
      thrown(IllegalArgumentException.class, "unpaired surrogate (U+D800) at index 2",
          () -> tool.tell(ear, "ab\ud800"));
      thrown(IllegalArgumentException.class, "unpaired surrogate (U+DC00) at index 0",
          () -> tool.tell(ear, "\udc00"));
      tool.tell(ear, "\ud83d\ude00 gr\u00fc\u00dfe");
      tool.tell(ear, "");
      tool.tell(ear, "x".repeat(100_000));
      equal(ear.heard, List.of("\ud83d\ude00 gr\u00fc\u00dfe", "", "x".repeat(100_000)));
    }
  }

  static void charsHaveEightBits() {
    try (Tool tool = Tool.create()) {
      equal(tool.letter('\u00e9'), '\u00e9');
      thrown(IllegalArgumentException.class, "U+20AC", () -> tool.letter('\u20ac'));
    }
  }

  static ty.Full full() {
    final ty.Item item = ty.Item.create();
    item.setNumber(4);
    return new ty.Full(true, new sidl.DoubleComplex(1, 2), 0x10, "text", ty.Color.blue, item, item,
        DoubleArray.of(new double[][] {{1, 2}, {3, 4}}), StringArray.of(Arrays.asList("a", null)),
        sidl.EnumArray.of(ty.Color._type, List.of(ty.Color.green)),
        sidl.ObjectArray.of(ty.Item._type, Arrays.asList(item, null)), null, IntArray.of(1, 2),
        sidl.OpaqueArray.of(1L), new ty.Inner("in", item));
  }

  static void structsWithEverything() {
    try (ty.InCxx structs = ty.InCxx.create()) {
      final ty.Full given = full();
      final Holder<ty.Full> copy = new Holder<>();
      final Holder<ty.Full> changed = new Holder<>(full());
      final ty.Full result = structs.every(given, copy, changed);
      for (final ty.Full each : List.of(result, copy.get())) {
        equal(each.text(), "text");
        equal(each.z(), new sidl.DoubleComplex(1, 2));
        equal(each.color(), ty.Color.blue);
        equal(each.item(), given.item());
        equal(each.matrix().get(1, 0), 3.0);
        equal(each.words().toList(), Arrays.asList("a", null));
        equal(each.colors().get(0), ty.Color.green);
        equal(each.items().get(0), given.item());
        equal(each.inner().name(), "in");
        require(each.grid() == null, "no grid");
      }
      require(!changed.get().equals(given), "it was changed");
      equal(given.withText("other").text(), "other");
      thrown(sidl.SIDLException.class, "",
          () -> structs.failStruct(given, new Holder<>(), new Holder<>(full())));
      thrown(sidl.CastException.class, "matrix has 1 dimension, not 2",
          () -> structs.every(given.withMatrix(DoubleArray.of(1, 2)), copy, changed));
      thrown(sidl.CastException.class, "words has 2 dimensions, not 1",
          () -> structs.every(given.withWords(StringArray.create(2, 2)), copy, changed));
    }
  }

  static void rawArraysInStructs() {
    try (ty.InCxx structs = ty.InCxx.create()) {
      final ty.Mesh mesh = new ty.Mesh(3, DoubleArray.of(1, 2, 3), IntArray.create(2, 6), "m");
      final Holder<ty.Pair> pair = new Holder<>(new ty.Pair(mesh, mesh.withLabel("n")));
      equal(structs.mesh(mesh, pair), 6.0);
      equal(pair.get().second().edges().get(1), 8.0);
      equal(pair.get().second().cells().get(1, 5), -1);
      equal(mesh.edges().get(1), 2.0);
      thrown(sidl.CastException.class, "edges",
          () -> structs.mesh(mesh.withEdges(DoubleArray.of(1)), pair));
    }
  }

  static void arraysInStructsStay() {
    try (Worker worker = Worker.create()) {
      final jv.Grid grid = new jv.Grid(2, DoubleArray.of(1, 2), DoubleArray.of(7, 8), "g");
      final Holder<jv.Grid> holder = new Holder<>(grid);
      worker.refine(holder, 3.0);
      equal(holder.get().label(), "refined");
      equal(holder.get().weights().get(0), 7.0);
      equal(holder.get().edges().get(1), 6.0);
      equal(grid.edges().get(1), 2.0);
      equal(grid.weights().get(1), 8.0);
    }
  }
}
