// In: names of files.
// Out: their bytes, or the operating system's error message. No exceptions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/limits.hpp"

namespace shinar::driver {

// Larger files are rejected: neither SIDL files (frontend/limits.hpp) nor Impl files are larger.
inline constexpr std::size_t kLargestFile = limits::kFileBytes;

// nullopt: see `error`. "-" is standard input.
std::optional<std::string> read_file(const std::string& path, std::string& error);

// Writes all of `text`; returns an error text, or "".
std::string write_all(int fd, std::string_view text);

}  // namespace shinar::driver
