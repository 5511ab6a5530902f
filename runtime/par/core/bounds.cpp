
#include "core/distribution.hpp"

namespace shinar::par {

std::int64_t Bounds::size() const {
  std::int64_t result = 1;
  for (int axis = 0; axis < dimension(); ++axis) {
    if (upper[axis] < lower[axis]) return 0;
  }
  for (int axis = 0; axis < dimension(); ++axis) {
    std::int64_t length = 0;
    if (__builtin_sub_overflow(upper[axis], lower[axis], &length) ||
        __builtin_add_overflow(length, 1, &length) ||
        __builtin_mul_overflow(result, length, &result)) {
      throw Misfit("the array " + text() + " has more than 2^63 elements");
    }
  }
  return result;
}

bool Bounds::has(std::span<const std::int64_t> index) const {
  if (static_cast<int>(index.size()) != dimension()) return false;
  for (int axis = 0; axis < dimension(); ++axis) {
    if (index[axis] < lower[axis] || index[axis] > upper[axis]) return false;
  }
  return true;
}

std::string Bounds::text() const {
  std::string result;
  for (int axis = 0; axis < dimension(); ++axis) {
    result +=
        (axis > 0 ? ", " : "") + std::to_string(lower[axis]) + ".." + std::to_string(upper[axis]);
  }
  return "[" + result + "]";
}

std::string index_text(std::span<const std::int64_t> index) {
  std::string result;
  for (const std::int64_t each : index)
    result += (result.empty() ? "" : ", ") + std::to_string(each);
  return "[" + result + "]";
}

std::int64_t size_of(const Piece& piece) {
  std::int64_t result = 1;
  for (const Part& part : piece) result *= part.size();
  return result;
}

}  // namespace shinar::par
