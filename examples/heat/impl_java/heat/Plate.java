package heat;

/** The temperature on a grid, and how it changes in time. */
final class Plate {
  final int nx;
  final int ny;
  private final double hx;
  private final double hy;
  private final double diffusivity;
  private double[][] field;
  private double[][] next;

  Plate(int nx, int ny, double width, double height, double diffusivity) {
    this.nx = nx;
    this.ny = ny;
    hx = width / (nx - 1);
    hy = height / (ny - 1);
    this.diffusivity = diffusivity;
    field = new double[nx][ny];
    next = new double[nx][ny];
  }

  double[][] field() {
    return field;
  }

  double stableStep() {
    return 0.5 / (diffusivity * (1 / (hx * hx) + 1 / (hy * hy)));
  }

  /** Neighbours of point i among n on one side; at the edges they are mirrored or wrapped around. */
  private static int before(int i, int n, Boundary boundary) {
    if (i > 0) {
      return i - 1;
    }
    return boundary == Boundary.periodic ? n - 2 : 1;
  }

  private static int after(int i, int n, Boundary boundary) {
    if (i < n - 1) {
      return i + 1;
    }
    return boundary == Boundary.periodic ? 1 : n - 2;
  }

  /** Forward in time, centred in space: five points of the old field give one of the new. */
  void step(double dt, Boundary boundary) {
    final double kx = diffusivity * dt / (hx * hx);
    final double ky = diffusivity * dt / (hy * hy);
    final int margin = boundary == Boundary.fixed ? 1 : 0;
    for (int i = 0; i < nx; ++i) {
      next[i] = field[i].clone();
    }
    for (int i = margin; i < nx - margin; ++i) {
      final double[] west = field[before(i, nx, boundary)];
      final double[] here = field[i];
      final double[] east = field[after(i, nx, boundary)];
      for (int j = margin; j < ny - margin; ++j) {
        final double south = here[before(j, ny, boundary)];
        final double north = here[after(j, ny, boundary)];
        next[i][j] =
            here[j] + kx * (west[j] - 2 * here[j] + east[j]) + ky * (south - 2 * here[j] + north);
      }
    }
    final double[][] old = field;
    field = next;
    next = old;
  }
}
