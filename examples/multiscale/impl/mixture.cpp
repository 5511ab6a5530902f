#include "mixture.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace multiscale {
namespace {

constexpr int kMixtures = 8;
// Of inclusions: squares of the cell in each direction.
constexpr int kGrain = 4;

// The same number for the same place, wherever it is computed.
double chance(std::uint32_t x, std::uint32_t y) {
  std::uint32_t bits = x * 0x9e3779b1u ^ (y + 0x7f4a7c15u) * 0x85ebca6bu;
  bits = (bits ^ (bits >> 15)) * 0x2c1b3c6du;
  bits = (bits ^ (bits >> 12)) * 0x297a2d39u;
  return static_cast<double>(bits ^ (bits >> 15)) / 4294967296.0;
}

// W/(m K), at a temperature in K: a metal loses, a glass gains conductivity as it gets hot.
double of_metal(double temperature) {
  return 25.0 * std::pow(300.0 / temperature, 0.6);
}
double of_glass(double temperature) {
  return 0.8 + 0.0015 * (temperature - 300.0);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Mixture::Mixture(int number, double temperature, int size)
    : size_(size), k_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
  const double share = (number + 1.0) / (kMixtures + 3.0);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const auto grain_x = static_cast<std::uint32_t>(x / kGrain);
      const auto grain_y = static_cast<std::uint32_t>(y / kGrain);
      const bool is_glass = chance(grain_x, grain_y) < share;
      k_[static_cast<std::size_t>(y * size + x)] =
          is_glass ? of_glass(temperature) : of_metal(temperature);
    }
  }
}

// Two halves of squares, one after the other.
double Mixture::between(int one, int other) const {
  const double a = k_[static_cast<std::size_t>(one)];
  const double b = k_[static_cast<std::size_t>(other)];
  return 2 * a * b / (a + b);
}

// What flows out of each square, if the temperature is 0 at the left and at the right side.
void Mixture::apply(const Field& t, Field& flow) const {
  for (int y = 0; y < size_; ++y) {
    for (int x = 0; x < size_; ++x) {
      const int here = y * size_ + x;
      const auto at = static_cast<std::size_t>(here);
      double out = 0;
      const auto to = [&](int other) {
        out += between(here, other) * (t[at] - t[static_cast<std::size_t>(other)]);
      };
      if (x > 0) to(here - 1);
      if (x + 1 < size_) to(here + 1);
      if (y > 0) to(here - size_);
      if (y + 1 < size_) to(here + size_);
      if (x == 0 || x + 1 == size_) out += 2 * k_[at] * t[at];
      flow[at] = out;
    }
  }
}

// By conjugate gradients.
double Mixture::conductivity() const {
  Field t(k_.size());
  Field rest(k_.size());
  for (int y = 0; y < size_; ++y) {
    const auto left = static_cast<std::size_t>(y * size_);
    rest[left] += 2 * k_[left];  // the left side has 1 K
  }
  Field direction = rest;
  Field flow(k_.size());
  double square = dot(rest, rest);
  const double enough = 1e-20 * square;
  while (square > enough) {
    apply(direction, flow);
    const double step = square / dot(direction, flow);
    for (std::size_t i = 0; i < t.size(); ++i) {
      t[i] += step * direction[i];
      rest[i] -= step * flow[i];
    }
    const double next = dot(rest, rest);
    for (std::size_t i = 0; i < t.size(); ++i)
      direction[i] = rest[i] + next / square * direction[i];
    square = next;
  }
  double through = 0;
  for (int y = 0; y < size_; ++y) {
    const auto right = static_cast<std::size_t>(y * size_ + size_ - 1);
    through += 2 * k_[right] * t[right];
  }
  return through;
}

}  // namespace multiscale
