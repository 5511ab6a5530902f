// Heat through a square cell of a mixture: div (k grad T) = 0, one kelvin between left and right,
// and none through the other two sides.
#pragma once

#include <vector>

namespace multiscale {

class Mixture {
 public:
  // `number` says how much of the cell is inclusions; they lie in the same places at any
  // temperature.
  Mixture(int number, double temperature, int size);

  // What flows through the cell, over its height: W/(m K).
  double conductivity() const;

 private:
  using Field = std::vector<double>;  // row by row; `size` of `size`

  double between(int one, int other) const;
  void apply(const Field& t, Field& flow) const;

  int size_;
  Field k_;
};

}  // namespace multiscale
