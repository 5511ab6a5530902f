import heat.Boundary;
import heat.Solver;
import heat.Stats;
import heat.UnstableStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import sidl.DoubleArray;

/**
 * The heat equation on three grids, against the analytic solution: a client in Java.
 *
 * <p>Its arguments are {@code [--url URL] [--field FILE]}. With a URL the solver is created on the
 * server there, otherwise in this process. One line is printed for each grid; FILE gets the final
 * field of the finest grid as comma-separated values.
 */
public final class HeatClient {
  private static final double END_TIME = 0.05;
  private static final double STEP_FACTOR = 0.2; // dt / h^2; 0.25 is the limit of stability

  private HeatClient() {}

  private static double exact(double x, double y, double t) {
    return Math.sin(Math.PI * x) * Math.sin(Math.PI * y) * Math.exp(-2 * Math.PI * Math.PI * t);
  }

  private static DoubleArray initialField(int n) {
    final DoubleArray field = DoubleArray.create(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        field.set(i, j, exact(i / (n - 1.0), j / (n - 1.0), 0));
      }
    }
    return field;
  }

  private static double largestError(DoubleArray field, int n, double time) {
    double error = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        final double wanted = exact(i / (n - 1.0), j / (n - 1.0), time);
        error = Math.max(error, Math.abs(field.get(i, j) - wanted));
      }
    }
    return error;
  }

  /** Asks for a step that is too long; true if the solver refuses it by name. */
  private static boolean refusesUnstableStep(Solver solver) {
    try {
      solver.step(2 * solver.stableStep(), 1);
    } catch (UnstableStep refusal) {
      return !refusal.getNote().isEmpty();
    }
    return false;
  }

  private static void write(DoubleArray field, int n, Path path) throws IOException {
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        text.append(j == 0 ? "" : ",").append(field.get(i, j));
      }
      text.append('\n');
    }
    Files.writeString(path, text);
  }

  private static void run(int n, String url, Path fieldPath) throws IOException {
    try (Solver solver = url == null ? Solver.create() : Solver.create(url);
        DoubleArray initial = initialField(n)) {
      solver.setup(n, n, 1.0, 1.0, 1.0);
      solver.setBoundary(Boundary.fixed);
      solver.setField(initial);

      final double dt = STEP_FACTOR / ((n - 1.0) * (n - 1.0));
      final int steps = (int) Math.round(END_TIME / dt);
      final long start = System.nanoTime();
      for (int i = 0; i < steps; ++i) {
        solver.step(dt, 1);
      }
      final double micros = (System.nanoTime() - start) / 1e3;

      final Stats stats = solver.stats();
      final DoubleArray field = solver.field();
      System.out.printf(
          "grid %d steps %d time %s error %s us_per_step %.3f refuses %s%n",
          n, stats.steps(), stats.time(), largestError(field, n, stats.time()), micros / steps,
          refusesUnstableStep(solver) ? "yes" : "no");
      if (fieldPath != null) {
        write(field, n, fieldPath);
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    String url = null;
    Path field = null;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--url" -> url = arguments[i + 1];
        case "--field" -> field = Path.of(arguments[i + 1]);
        default -> throw new IllegalArgumentException(arguments[i]);
      }
    }
    run(17, url, null);
    run(33, url, null);
    run(65, url, field);
  }
}
