// What a raw message may say of its doubles beside their number, and records that a user would pack
// into them by hand: each one's numbers, the length of its text, and the text, without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace raw {

constexpr uint64_t kept = uint64_t{1} << 63;    // they are not to be sent back
constexpr uint64_t packed = uint64_t{1} << 62;  // they are records, and x of the last comes back
constexpr uint64_t all_flags = kept | packed;

struct Record {
  int32_t id;
  double x;
  double y;
  double z;
  std::string name;
};

/** Fills `message`, which grows if need be: the number of records, and these. Returns its length.
 */
inline size_t pack(const std::vector<Record>& records, std::vector<double>& message) {
  constexpr size_t numbers = sizeof(int32_t) + 3 * sizeof(double) + sizeof(uint32_t);
  size_t size = sizeof(uint64_t);
  for (const Record& each : records) size += numbers + each.name.size();
  const size_t count = (size + sizeof(double) - 1) / sizeof(double);
  if (message.size() < count) message.resize(count);
  char* to = reinterpret_cast<char*>(message.data());
  const auto put = [&to](const void* from, size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  const uint64_t many = records.size();
  put(&many, sizeof many);
  for (const Record& each : records) {
    const auto length = static_cast<uint32_t>(each.name.size());
    put(&each.id, sizeof each.id);
    put(&each.x, sizeof each.x);
    put(&each.y, sizeof each.y);
    put(&each.z, sizeof each.z);
    put(&length, sizeof length);
    put(each.name.data(), length);
  }
  return count;
}

/** The records of such a message, which is trusted. */
inline void unpack(const double* message, std::vector<Record>& records) {
  const char* from = reinterpret_cast<const char*>(message);
  const auto get = [&from](void* to, size_t bytes) {
    std::memcpy(to, from, bytes);
    from += bytes;
  };
  uint64_t many = 0;
  get(&many, sizeof many);
  records.resize(many);
  for (Record& each : records) {
    uint32_t length = 0;
    get(&each.id, sizeof each.id);
    get(&each.x, sizeof each.x);
    get(&each.y, sizeof each.y);
    get(&each.z, sizeof each.z);
    get(&length, sizeof length);
    each.name.assign(from, length);
    from += length;
  }
}

}  // namespace raw
