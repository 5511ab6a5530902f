#include "secret_file.hpp"

#include "core/error.hpp"
#include "core/own_file.hpp"

namespace shinar::wire {
namespace {

/** Newlines at the end that are no part of a secret. */
constexpr std::size_t most_newlines = 64;

constexpr const char* what_it_is = "the secret file";

Error wrong(const std::string& path, const std::string& what) {
  return Error(Failure::protocol, of_file(what_it_is, path, what));
}

}  // namespace

std::vector<unsigned char> read_secret(const std::string& path) {
  if (path.empty()) {
    throw Error(Failure::protocol, "SIDL_SECRET_FILE is set, but names no file");
  }
  auto secret =
      read_own_file(what_it_is, path, Others::may_nothing, most_secret_bytes + most_newlines);
  std::size_t size = secret.size();
  while (size != 0 && (secret[size - 1] == '\n' || secret[size - 1] == '\r')) --size;
  secret.resize(size);
  if (size < least_secret_bytes) {
    throw wrong(path, "has " + std::to_string(size) + " bytes, at least " +
                          std::to_string(least_secret_bytes) +
                          " are needed, which nobody can guess: head -c 32 /dev/urandom | base64");
  }
  if (size > most_secret_bytes) {
    throw wrong(path, "has more than " + std::to_string(most_secret_bytes) + " bytes");
  }
  return secret;
}

}  // namespace shinar::wire
