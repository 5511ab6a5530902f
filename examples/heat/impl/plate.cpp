#include "plate.hpp"

namespace {

// Neighbours of point i among n on one side; at the edges they are mirrored or wrapped around.
int before(int i, int n, Edge edge) {
  if (i > 0) return i - 1;
  return edge == Edge::periodic ? n - 2 : 1;
}

int after(int i, int n, Edge edge) {
  if (i < n - 1) return i + 1;
  return edge == Edge::periodic ? 1 : n - 2;
}

}  // namespace

Plate::Plate(int nx, int ny, double width, double height, double diffusivity)
    : nx_(nx),
      ny_(ny),
      hx_(width / (nx - 1)),
      hy_(height / (ny - 1)),
      diffusivity_(diffusivity),
      field_(std::size_t(nx) * ny),
      next_(field_.size()) {}

double Plate::stable_step() const {
  return 0.5 / (diffusivity_ * (1 / (hx_ * hx_) + 1 / (hy_ * hy_)));
}

// Forward in time, centred in space: five points of the old field give one of the new.
void Plate::step(double dt) {
  const double kx = diffusivity_ * dt / (hx_ * hx_);
  const double ky = diffusivity_ * dt / (hy_ * hy_);
  next_ = field_;
  const int margin = edge_ == Edge::fixed ? 1 : 0;
  for (int i = margin; i < nx_ - margin; ++i) step_row(i, kx, ky);
  field_.swap(next_);
}

void Plate::step_row(int i, double kx, double ky) {
  const double* west = row(field_, before(i, nx_, edge_));
  const double* here = row(field_, i);
  const double* east = row(field_, after(i, nx_, edge_));
  double* out = row(next_, i);
  const auto point = [&](int j, int south, int north) {
    return here[j] + kx * (west[j] - 2 * here[j] + east[j]) +
           ky * (here[south] - 2 * here[j] + here[north]);
  };
  for (int j = 1; j < ny_ - 1; ++j) out[j] = point(j, j - 1, j + 1);
  if (edge_ == Edge::fixed) return;
  for (int j : {0, ny_ - 1}) out[j] = point(j, before(j, ny_, edge_), after(j, ny_, edge_));
}
