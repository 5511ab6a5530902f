#include "meridian.hpp"

namespace meridian {
namespace {

constexpr double capacity = 1.0e7;    // of all the air, J/m^2/K
constexpr double mixing = 3.0e6;      // eddy diffusivity, m^2/s
constexpr double exchange = 20.0;     // between sea and air, W/m^2/K
constexpr double space_at_0 = 210.0;  // radiation to space at 0 C, W/m^2 (Budyko)
constexpr double space_slope = 2.0;   // how it grows, W/m^2/K

}  // namespace

double flux(double sea, double air) {
  return exchange * (sea - air);
}

// (1 + dt/C B) t' - dt D t'_yy = t + dt/C (flux - A), in which t' is the new temperature. No heat
// goes through the walls, so that the first and the last cell have one neighbour.
Step::Step(int cells, double dy, double dt)
    : dt_(dt), side_(-dt * mixing / (dy * dy)), eliminated_(cells), divisor_(cells) {
  for (int j = 0; j < cells; ++j) {
    const int neighbours = (j > 0) + (j < cells - 1);
    const double diagonal = 1 + dt * space_slope / capacity - neighbours * side_;
    divisor_[j] = diagonal - (j > 0 ? side_ * eliminated_[j - 1] : 0);
    eliminated_[j] = side_ / divisor_[j];
  }
}

void Step::advance(double* t, const double* flux) const {
  const int cells = static_cast<int>(divisor_.size());
  for (int j = 0; j < cells; ++j) {
    const double right = t[j] + dt_ / capacity * (flux[j] - space_at_0);
    t[j] = (right - (j > 0 ? side_ * t[j - 1] : 0)) / divisor_[j];
  }
  for (int j = cells - 2; j >= 0; --j) t[j] -= eliminated_[j] * t[j + 1];
}

}  // namespace meridian
