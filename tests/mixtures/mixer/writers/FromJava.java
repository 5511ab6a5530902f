package mx;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs scripts (model.py): FromJava URL|- SCRIPT [SCRIPT OF A THREAD]... */
final class FromJava {
  private static final int NEW = 1, CALL = 2, DROP = 3, COPY = 4, TELL = 5;
  private static final int SLOTS = 40, SHARED = 8, OBJECTS = 6;
  private static String url;

  private final Cell[] slots = new Cell[SLOTS];
  private final PrintStream out;

  /** A thread's own. */
  private FromJava(PrintStream out) {
    this.out = out;
  }

  private String call(long[] step) {
    final Cell[] given = new Cell[OBJECTS];
    for (int i = 0; i < OBJECTS; ++i) {
      final int place = (int) step[4 + i];
      given[i] = place >= 0 ? slots[place] : null;
    }
    final List<Cell> got = new ArrayList<>();
    final Long said = Mixed.tell((int) step[2], slots[(int) step[1]], step[3], given, got);
    for (int i = 0; i < got.size(); ++i) {
      final int place = (int) step[4 + OBJECTS + i];
      if (place >= 0) {
        slots[place] = got.get(i);
      }
    }
    return said == null ? "no child" : said.toString();
  }

  private String tell(int slot) {
    final Cell cell = slots[slot];
    return cell == null ? "null" : cell.id() + " " + cell.total();
  }

  private static Cell create(boolean isChild, boolean isFar) {
    if (isChild) {
      return isFar ? Child.create(url) : Child.create();
    }
    return isFar ? Cell.create(url) : Cell.create();
  }

  private String run(long[] step) {
    final int what = (int) step[0];
    final int slot = (int) step[1];
    switch (what) {
      case NEW:
        final Cell made = create(step[2] != 0, step[3] != 0 && url != null);
        made.setId(step[4]);
        slots[slot] = made;
        return "new";
      case DROP:
        // A reference of its own is given back at once, others when they are collected.
        if (slots[slot] != null && slot % 2 == 0) {
          Cell.cast(slots[slot]).close();
        }
        slots[slot] = null;
        return "drop";
      case COPY:
        final Cell other = slots[(int) step[2]];
        slots[slot] = other == null ? null : Cell.cast(other);
        return "copy";
      default:
        return what == TELL || slots[slot] == null ? tell(slot) : call(step);
    }
  }

  private void runScript(String path) {
    try {
      for (final String line : Files.readAllLines(Path.of(path))) {
        final long[] step = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
        String said;
        try {
          said = run(step);
        } catch (sidl.SIDLException thrown) {
          said = Mix.text(thrown);
        }
        out.print(said + "\n");
        out.flush();
      }
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Several scripts at a time; what they say comes one after another. */
  private void runThreads(List<String> scripts) throws InterruptedException {
    final List<Thread> threads = new ArrayList<>();
    final List<ByteArrayOutputStream> said = new ArrayList<>();
    for (final String script : scripts) {
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      said.add(bytes);
      final FromJava own = new FromJava(new PrintStream(bytes, true, StandardCharsets.UTF_8));
      System.arraycopy(slots, 0, own.slots, 0, SHARED);
      threads.add(new Thread(() -> own.runScript(script)));
    }
    for (final Thread each : threads) {
      each.start();
    }
    for (final Thread each : threads) {
      each.join();
    }
    for (final ByteArrayOutputStream each : said) {
      out.print(each.toString(StandardCharsets.UTF_8));
    }
    for (int slot = 0; slot < SHARED && !scripts.isEmpty(); ++slot) {
      out.print(tell(slot) + "\n");
    }
  }

  /** How many objects are alive here when all were given back: one. */
  private static long aliveAtLast() throws InterruptedException {
    final Cell last = Cell.create();
    for (int i = 0; i < 500 && last.alive() != 1; ++i) {
      Mix.collect();
      Thread.sleep(20);
    }
    return last.alive();
  }

  public static void main(String[] arguments) throws InterruptedException {
    url = arguments[0].equals("-") ? null : arguments[0];
    final FromJava first = new FromJava(System.out);
    first.runScript(arguments[1]);
    first.runThreads(Arrays.asList(arguments).subList(2, arguments.length));
    Arrays.fill(first.slots, null);
    System.out.print("end " + aliveAtLast() + "\n");
    System.out.flush();
  }
}
