// In: names of files.
// Out: their bytes, or the reason why not in the operating system's words. No exceptions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/limits.hpp"

namespace shinar::driver {

// Larger files are refused: no SIDL file is (frontend/limits.hpp), and no Impl file either.
inline constexpr std::size_t kLargestFile = limits::kFileBytes;

// nullopt: `error` says why. "-" is standard input.
std::optional<std::string> read_file(const std::string& path, std::string& error);

// All of `text`, or an error text.
std::string write_all(int fd, std::string_view text);

}  // namespace shinar::driver
