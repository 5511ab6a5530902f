import java.util.List;
import java.util.concurrent.TimeUnit;
import rec.Bag;
import rec.Color;
import rec.Crate;
import rec.InC;
import rec.InCxx;
import rec.InFortran;
import rec.Item;
import rec.Page;
import rec.Particle;
import rec.Plain;
import rec.Record;
import rec.Store;
import rec.Tree;
import sidl.BaseArray;
import sidl.DoubleArray;
import sidl.DoubleComplex;
import sidl.FloatArray;
import sidl.FloatComplex;
import sidl.Holder;
import sidl.LongArray;
import sidl.StringArray;
import sidl.StructArray;

/**
 * Arrays of structs from Java: calls of the implementations that are named, in this process or in
 * that of a server (REC_SERVER).
 */
final class FromJava {
  private static final String SERVER = System.getenv("REC_SERVER");
  private static final int BYTES = 48; // of a particle

  private FromJava() {}

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static Store make(String language) {
    final boolean isFar = SERVER != null;
    return switch (language) {
      case "c" -> isFar ? InC.create(SERVER) : InC.create();
      case "cxx" -> isFar ? InCxx.create(SERVER) : InCxx.create();
      default -> isFar ? InFortran.create(SERVER) : InFortran.create();
    };
  }

  private static Particle particle(int i) {
    return new Particle(0.5 * i, -1, 1e300, i, -7, i % 2 == 1, (char) ('a' + i));
  }

  private static StructArray<Particle> particles(int count) {
    final StructArray<Particle> all = StructArray.create(Particle._type, count);
    for (int i = 0; i < count; ++i) {
      all.set(i, particle(i));
    }
    return all;
  }

  private static Record record(int i) {
    final Item item = Item.create();
    item.rename("item " + i);
    return new Record(1, "name " + i, i, new DoubleComplex(0.5, i), Color.green, particle(i),
        DoubleArray.of(1, 2), item, particles(3), DoubleArray.of(10), LongArray.of(i, -i));
  }

  private static void checkRecord(Record found, int i) {
    check(found.name().equals("name " + i) && found.a() == i && found.at().equals(particle(i)), "numbers");
    check(found.z().equals(new DoubleComplex(0.5, i)) && found.color() == Color.green, "an enum");
    check(found.values().get(1) == 2 && found.raw().get(0) == 10, "arrays");
    check(found.parts().get(2).equals(particle(2)) && found.ids().get(1) == -i, "arrays in it");
    check(found.companion().name().equals("item " + i), "an object");
  }

  /** Elements are where they were: those of Java are those that other languages see. */
  private static void shared(Store store, String language) {
    final StructArray<Particle> all = particles(6);
    final Holder<StructArray<Particle>> holder = new Holder<>(all);
    store.shift(holder);
    check(holder.get().get(5).x() == 3.5 && holder.get().get(0).x() == 1, "in place");
    if (SERVER != null) {
      return;
    }
    final long first = store.address(all);
    check(all.get(5).x() == 3.5 && store.address(holder.get()) == first, "it is the same array");
    check(store.address((StructArray<Particle>) typed(store.same(all))) == first, "any array");
    final StructArray<Particle> part = all.slice(new long[] {3}, new long[] {5}, new long[] {-2}, null);
    // Pointers of Fortran to structs show dense arrays only: of others the method has a copy.
    check(language.equals("fortran") || store.address(part) == first + 5 * BYTES, "a section");
    all.set(5, particle(9));
    check(part.get(0).equals(particle(9)), "of the same elements");
    final Holder<StructArray<Particle>> out = new Holder<>();
    store.rotate(all, out, new Holder<>());
    // What it gives of an argument, too, is a copy: it must not keep a pointer to one.
    check(language.equals("fortran") || store.address(out.get()) == first, "what comes back");
  }

  @SuppressWarnings("unchecked")
  private static StructArray<Particle> typed(BaseArray array) {
    return (StructArray<Particle>) array;
  }

  private static void modes(Store store) {
    final Holder<StructArray<Particle>> out = new Holder<>();
    final Holder<StructArray<Particle>> both = new Holder<>(particles(3));
    final StructArray<Particle> back = store.rotate(particles(4), out, both);
    check(back.toList().equals(particles(3).toList()), "result");
    check(out.get().toList().equals(particles(4).toList()) && both.get().get(1).id() == 77, "out, inout");
    check(store.rotate(null, out, new Holder<>()) == null && out.get() == null, "null");
    check(store.rotate(particles(0), out, new Holder<>(particles(0))).count() == 0, "none");

    final Holder<StructArray<Record>> records = new Holder<>();
    final Holder<StructArray<Record>> changed =
        new Holder<>(StructArray.of(Record._type, List.of(record(1))));
    final StructArray<Record> given = StructArray.of(Record._type, List.of(record(2), record(3)));
    checkRecord(store.rotateRecords(given, records, changed).get(0), 1);
    checkRecord(records.get().get(1), 3);
    check(changed.get().count() == 2, "new ones");
    final StructArray<Record> last = given.slice(new long[] {1}, new long[] {1}, null, null);
    store.rotateRecords(last, records, new Holder<>());
    checkRecord(records.get().get(0), 3);
  }

  private static void kinds(Store store) {
    final Plain plain = new Plain('c', new DoubleComplex(1, 2), particle(1), new FloatComplex(3, 4),
        Color.green, 0.5f, DoubleArray.of(1, 2, 3), FloatArray.of(new float[][] {{1, 2, 3}, {4, 5, 6}}));
    final Holder<StructArray<Plain>> plains = new Holder<>();
    store.rotatePlain(StructArray.of(Plain._type, List.of(plain)), plains, new Holder<>());
    final Plain found = plains.get().get(0);
    check(found.at().equals(particle(1)) && found.v().get(2) == 3 && found.m().get(1, 0) == 4, "plain");

    final Holder<StructArray<Bag>> bags = new Holder<>();
    final List<Bag> given = List.of(new Bag(null), new Bag(StringArray.of(List.of("text"))));
    store.rotateBags(StructArray.of(Bag._type, given), bags, new Holder<>());
    check(bags.get().get(0).texts() == null && bags.get().get(1).texts().get(0).equals("text"), "bags");

    final StructArray<Tree> leaves = StructArray.of(Tree._type, List.of(new Tree("leaf", null)));
    final Holder<Tree> out = new Holder<>();
    final Holder<Tree> io = new Holder<>(new Tree("root", leaves));
    check(store.forest(leaves, new Tree("branch", leaves), out, io).get(0).name().equals("leaf"), "trees");
    check(out.get().branches().get(0).name().equals("leaf") && io.get().name().equals("leaf"), "a tree");

    final Holder<Page> page = new Holder<>();
    final DoubleArray x = DoubleArray.create(4096);
    x.set(4095, 7);
    store.rotatePages(new Page(x, null), page, new Holder<>(new Page()));
    check(page.get().x().get(4095) == 7 && page.get().n().get(63, 63) == 0, "pages");
  }

  private static void ranks(Store store) {
    final long[] lower = {-1, 5_000_000_000L, 0, 1, 0, 0, 3};
    final long[] upper = {0, 5_000_000_001L, 1, 1, 2, 0, 4};
    final StructArray<Particle> all = StructArray.createBetween(Particle._type, lower, upper);
    all.set(upper, particle(5));
    final StructArray<Particle> back = store.ranks(all);
    check(back.lower(1) == 5_000_000_000L && back.get(upper).equals(particle(5)), "seven dimensions");
    final StructArray<Particle> table = StructArray.create(Particle._type, 2, 3);
    table.set(1, 2, particle(4));
    final StructArray<Particle> columns = store.columns(table);
    check(columns.isColumnOrder() && columns.get(1, 2).equals(particle(4)), "columns");
    check(store.rows(columns).isRowOrder(), "rows");
    final StructArray<Record> records = StructArray.createColumnMajor(Record._type, 2, 2);
    records.set(0, 1, record(6));
    final StructArray<Record> tables = store.tables(records);
    checkRecord(tables.get(0, 1), 6);
    check(tables.get(1, 1).name() == null, "no name");
  }

  private static void calls(Store store) throws Exception {
    final Holder<StructArray<Record>> both =
        new Holder<>(StructArray.of(Record._type, List.of(record(1), record(2))));
    final StructArray<Particle> later = store.laterAsync(particles(3), both).get(60, TimeUnit.SECONDS);
    check(later.get(2).equals(particle(2)) && both.get().get(0).name().equals("later"), "later");
    store.tell(particles(3));
    check(store.told() == 1.5 + 3, "told");
    final Store other = InCxx.create();
    checkRecord(store.relay(other, StructArray.of(Record._type, List.of(record(8)))).get(0), 8);
    final Crate crate = Crate.create();
    crate.put(particles(3), StructArray.of(Record._type, List.of(record(4))));
    final Crate copy = store.unchanged(crate);
    check(copy.particles().get(2).equals(particle(2)), "in a copy");
    checkRecord(copy.records().get(0), 4);
  }

  public static void main(String[] languages) throws Exception {
    for (String language : languages) {
      try (Store store = make(language)) {
        shared(store, language);
        modes(store);
        kinds(store);
        ranks(store);
        calls(store);
      }
    }
    System.out.println("ok");
  }
}
