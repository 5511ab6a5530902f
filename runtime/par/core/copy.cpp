// Between pieces, whose elements are anywhere, and messages, whose elements are in a row.
#include <cstring>

#include "core/redistribution.hpp"

namespace shinar::par {
namespace {

// Elements of a size that the compiler knows.
template <std::size_t Size>
struct Fixed {
  explicit Fixed(std::size_t) {}
  void copy(std::byte* to, const std::byte* from) const { std::memcpy(to, from, Size); }
};

struct Any {
  explicit Any(std::size_t size) : size(size) {}
  void copy(std::byte* to, const std::byte* from) const { std::memcpy(to, from, size); }
  std::size_t size;
};

template <typename Element>
class Copier {
 public:
  Copier(const Message& message, const Storage& piece, bool is_column_major, std::byte* row,
         bool is_packing)
      : message_(message),
        piece_(piece),
        element_(piece.element),
        row_(row),
        is_column_major_(is_column_major),
        is_packing_(is_packing) {}

  void run() { message_.positions == nullptr ? visit(0, piece_.first) : copy_listed(); }

 private:
  // Level 0 varies slowest.
  void visit(int level, std::byte* at) {
    const int last = static_cast<int>(message_.axes.size()) - 1;
    const int axis = is_column_major_ ? last - level : level;
    const std::int64_t stride = piece_.strides[axis];
    const auto visit_these = [&](std::int64_t first, std::int64_t count, std::int64_t step) {
      if (level == last) return copy(at + first * stride, step * stride, count);
      for (std::int64_t n = 0; n < count; ++n) visit(level + 1, at + (first + n * step) * stride);
    };
    message_.axes[axis]->for_each(visit_these);
  }

  void copy(std::byte* at, std::int64_t stride, std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count) * piece_.element;
    if (stride == static_cast<std::int64_t>(piece_.element)) {
      is_packing_ ? std::memcpy(row_, at, bytes) : std::memcpy(at, row_, bytes);
    } else if (is_packing_) {
      for (std::int64_t n = 0; n < count; ++n) {
        element_.copy(row_ + static_cast<std::size_t>(n) * piece_.element, at + n * stride);
      }
    } else {
      for (std::int64_t n = 0; n < count; ++n) {
        element_.copy(at + n * stride, row_ + static_cast<std::size_t>(n) * piece_.element);
      }
    }
    row_ += bytes;
  }

  void copy_listed() {
    for (const std::uint32_t position : *message_.positions) {
      std::byte* const at = piece_.first + std::int64_t{position} * piece_.strides[0];
      is_packing_ ? element_.copy(row_, at) : element_.copy(at, row_);
      row_ += piece_.element;
    }
  }

  const Message& message_;
  const Storage& piece_;
  Element element_;
  std::byte* row_;
  bool is_column_major_;
  bool is_packing_;
};

template <typename... Arguments>
void copy(std::size_t element, const Arguments&... arguments) {
  switch (element) {
    case 4:
      return Copier<Fixed<4>>(arguments...).run();
    case 8:
      return Copier<Fixed<8>>(arguments...).run();
    case 16:
      return Copier<Fixed<16>>(arguments...).run();
    default:
      return Copier<Any>(arguments...).run();
  }
}

}  // namespace

void Redistribution::pack(const Message& message, const Storage& piece, std::byte* into) const {
  copy(piece.element, message, piece, is_column_major_, into, true);
}

void Redistribution::unpack(const Message& message, const std::byte* from,
                            const Storage& piece) const {
  // The copier only reads what it is given where it does not pack.
  copy(piece.element, message, piece, is_column_major_, const_cast<std::byte*>(from), false);
}

}  // namespace shinar::par
