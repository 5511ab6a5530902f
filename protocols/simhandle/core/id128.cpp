#include "id128.hpp"

#include <sys/random.h>

namespace simhandle {

Id128 random_id() {
  Id128 id{};
  std::size_t got = 0;
  while (got < id.size()) {
    const ssize_t count = ::getrandom(id.data() + got, id.size() - got, 0);
    if (count > 0) got += static_cast<std::size_t>(count);
  }
  return id;
}

}  // namespace simhandle
