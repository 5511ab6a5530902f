#include "strided.hpp"

#include <algorithm>
#include <cstring>

namespace shinar::wire {

Strided::Strided(void* first, std::size_t element, std::span<const Dimension> dimensions,
                 const Elsewhere* elsewhere)
    : elsewhere_(elsewhere), first_(static_cast<std::byte*>(first)), run_(element), size_(element) {
  for (const Dimension& each : dimensions) {
    size_ *= each.extent;
    if (each.extent == 1) continue;
    if (count_ == 0 && each.stride == static_cast<std::ptrdiff_t>(run_)) {
      run_ *= each.extent;
      continue;
    }
    // A dimension that continues the previous one is merged with it.
    Dimension* const last = count_ == 0 ? nullptr : &dimensions_[count_ - 1];
    if (last != nullptr &&
        each.stride == last->stride * static_cast<std::ptrdiff_t>(last->extent)) {
      last->extent *= each.extent;
    } else {
      dimensions_[count_++] = each;
    }
  }
}

/** Iterates over the runs. */
class Strided::Walk {
 public:
  Walk(const Strided& of, std::size_t run) : of_(of), at_(of.first_) {
    for (int i = 0; i < of.count_; ++i) {
      index_[i] = run % of.dimensions_[i].extent;
      run /= of.dimensions_[i].extent;
      at_ += static_cast<std::ptrdiff_t>(index_[i]) * of.dimensions_[i].stride;
    }
  }

  std::byte* at() const { return at_; }
  /** Equidistant runs from here on, this one included. */
  std::size_t row() const { return of_.count_ == 0 ? 1 : of_.dimensions_[0].extent - index_[0]; }
  std::ptrdiff_t stride() const { return of_.count_ == 0 ? 0 : of_.dimensions_[0].stride; }

  /** Advances by `runs`, at most to the end of the row. */
  void advance(std::size_t runs) {
    for (int i = 0; i < of_.count_; ++i) {
      const Dimension& dimension = of_.dimensions_[i];
      index_[i] += runs;
      at_ += static_cast<std::ptrdiff_t>(runs) * dimension.stride;
      if (index_[i] < dimension.extent) return;
      at_ -= static_cast<std::ptrdiff_t>(index_[i]) * dimension.stride;
      index_[i] = 0;
      runs = 1;
    }
  }

 private:
  const Strided& of_;
  std::byte* at_;
  std::size_t index_[max_dimension] = {};
};

std::span<std::byte> Strided::piece(std::size_t offset) const {
  const std::size_t within = offset % run_;
  return {Walk(*this, offset / run_).at() + within, run_ - within};
}

std::size_t Strided::pieces(std::size_t offset, std::size_t most, std::span<iovec> pieces) const {
  std::size_t count = 0;
  std::size_t within = offset % run_;
  most = std::min(most, size_ - offset);
  for (Walk walk(*this, offset / run_); count < pieces.size() && most > 0; walk.advance(1)) {
    const std::size_t size = std::min(run_ - within, most);
    pieces[count++] = {walk.at() + within, size};
    most -= size;
    within = 0;
  }
  return count;
}

/** Calls copy(in_memory, size), or copy(in_memory, stride, runs) for whole runs. */
template <class Copy>
void Strided::copy(std::size_t offset, std::size_t size, Copy copy) const {
  const std::size_t within = offset % run_;
  Walk walk(*this, offset / run_);
  if (within != 0) {
    const std::size_t rest = std::min(run_ - within, size);
    copy(walk.at() + within, rest);
    size -= rest;
    walk.advance(1);
  }
  while (size >= run_) {
    const std::size_t runs = std::min(walk.row(), size / run_);
    copy(walk.at(), walk.stride(), runs);
    size -= runs * run_;
    walk.advance(runs);
  }
  if (size > 0) copy(walk.at(), size);
}

namespace {

/** Calls action with the run size as a compile-time constant if it is a common one. */
template <class Action>
void with_size(std::size_t run, Action action) {
  switch (run) {
    case 4:
      return action(std::integral_constant<std::size_t, 4>());
    case 8:
      return action(std::integral_constant<std::size_t, 8>());
    case 16:
      return action(std::integral_constant<std::size_t, 16>());
    default:
      return action(run);
  }
}

/** Copies from strided memory to contiguous bytes. */
struct Gather {
  std::byte* to;
  const std::size_t run;

  void operator()(const std::byte* from, std::size_t size) {
    std::memcpy(to, from, size);
    to += size;
  }
  void operator()(const std::byte* from, std::ptrdiff_t stride, std::size_t runs) {
    with_size(run, [&](auto size) {
      for (std::size_t i = 0; i < runs; ++i, from += stride, to += size)
        std::memcpy(to, from, size);
    });
  }
};

/** The same from and to memory elsewhere. */
struct Fetch {
  const Elsewhere& there;
  std::byte* to;
  const std::size_t run;

  void operator()(const std::byte* from, std::size_t size) {
    there.read(to, from, size, static_cast<std::ptrdiff_t>(size), 1);
    to += size;
  }
  void operator()(const std::byte* from, std::ptrdiff_t stride, std::size_t runs) {
    there.read(to, from, run, stride, runs);
    to += run * runs;
  }
};
struct Store {
  const Elsewhere& there;
  const std::byte* from;
  const std::size_t run;

  void operator()(std::byte* to, std::size_t size) {
    there.write(to, static_cast<std::ptrdiff_t>(size), from, size, 1);
    from += size;
  }
  void operator()(std::byte* to, std::ptrdiff_t stride, std::size_t runs) {
    there.write(to, stride, from, run, runs);
    from += run * runs;
  }
};

/** Copies from contiguous bytes to strided memory. */
struct Scatter {
  const std::byte* from;
  const std::size_t run;

  void operator()(std::byte* to, std::size_t size) {
    std::memcpy(to, from, size);
    from += size;
  }
  void operator()(std::byte* to, std::ptrdiff_t stride, std::size_t runs) {
    with_size(run, [&](auto size) {
      for (std::size_t i = 0; i < runs; ++i, to += stride, from += size) {
        std::memcpy(to, from, size);
      }
    });
  }
};

}  // namespace

void Strided::gather(std::size_t offset, std::span<std::byte> to) const {
  if (elsewhere_ != nullptr) return copy(offset, to.size(), Fetch{*elsewhere_, to.data(), run_});
  copy(offset, to.size(), Gather{to.data(), run_});
}

void Strided::scatter(std::size_t offset, std::span<const std::byte> from) const {
  if (elsewhere_ != nullptr) {
    return copy(offset, from.size(), Store{*elsewhere_, from.data(), run_});
  }
  copy(offset, from.size(), Scatter{from.data(), run_});
}

}  // namespace shinar::wire
