/**
 * The file with a secret that processes share, which nobody else may know.
 */
#ifndef SHINAR_TRUST_SECRET_FILE_HPP
#define SHINAR_TRUST_SECRET_FILE_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace shinar::wire {

constexpr std::size_t least_secret_bytes = 16;
constexpr std::size_t most_secret_bytes = 4096;

/** Its contents without newlines at the end. Throws Error that says what is wrong with it. */
std::vector<unsigned char> read_secret(const std::string& path);

}  // namespace shinar::wire
#endif
