// By which what two ranks have is compared.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shinar::par {

// FNV-1a.
class Digest {
 public:
  void add(const void* first, std::size_t size) {
    const auto* const bytes = static_cast<const unsigned char*>(first);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3;
  }
  void add(std::int64_t number) { add(&number, sizeof number); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace shinar::par
