#pragma once

#include <vector>

/** Heat of the air: one layer, mixed along a meridian by storms. Plain C++, without Shinar. */
namespace meridian {

/** Heat from the sea into the air by evaporation, touch and radiation, W/m^2; temperatures in C. */
double flux(double sea, double air);

/** One step of a length. */
class Step {
 public:
  /** For meridians of `cells` cells of `dy` m; `dt` s. */
  Step(int cells, double dy, double dt);

  /** Temperatures of a meridian, in C, after the step; `flux` comes from the sea, W/m^2. */
  void advance(double* t, const double* flux) const;

 private:
  double dt_;
  double side_;                     // beside the diagonal
  std::vector<double> eliminated_;  // of the elimination, which is the same for all meridians
  std::vector<double> divisor_;
};

}  // namespace meridian
