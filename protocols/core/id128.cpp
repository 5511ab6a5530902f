#include "id128.hpp"

#include <sys/random.h>

namespace shinar::wire {

void fill_random(std::span<std::byte> bytes) {
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count = ::getrandom(bytes.data() + got, bytes.size() - got, 0);
    if (count > 0) got += static_cast<std::size_t>(count);
  }
}

Id128 random_id() {
  Id128 id{};
  fill_random(id);
  return id;
}

std::string digits_of(const Id128& id, std::size_t bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto byte = static_cast<unsigned>(id[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace shinar::wire
