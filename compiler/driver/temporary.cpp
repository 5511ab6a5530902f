#include "driver/temporary.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>

#include "driver/files.hpp"
#include "ir/hash.hpp"

namespace shinar::driver {
namespace {

// ".sidlc-0123456789abcdef-4711-123456-0": machine, process, its start time, and a number.
constexpr std::string_view kPrefix = ".sidlc-";
// Processes on other machines cannot be checked, but none runs longer than this.
constexpr std::time_t kLongestRun = 24 * 60 * 60;

struct Maker {
  std::uint64_t machine = 0;
  std::uint64_t process = 0;
  std::uint64_t start = 0;  // in clock ticks since the machine's start
};

// Process IDs are only valid within one machine and container.
std::uint64_t this_machine() {
  static const std::uint64_t machine = [] {
    std::array<char, HOST_NAME_MAX + 1> host{};
    ::gethostname(host.data(), host.size() - 1);
    std::array<char, 64> space{};
    const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size() - 1);
    return ir::fnv1a(std::string(host.data()) + "/" +
                     std::string(space.data(), length < 0 ? 0 : static_cast<std::size_t>(length)));
  }();
  return machine;
}

template <typename Number>
bool take_number(std::string_view& text, Number& number, int base = 10) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return true;
}

// Field 22 of /proc/PID/stat; field 2, the program's name, may contain anything, and field 3 tells
// whether it is a zombie.
std::optional<std::uint64_t> start_of(std::uint64_t process) {
  std::string error;
  const auto line = read_file("/proc/" + std::to_string(process) + "/stat", error);
  if (!line) return std::nullopt;
  std::size_t at = line->rfind(')');
  if (at != std::string::npos && line->compare(at, 3, ") Z") == 0) return std::nullopt;
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line->find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(*line).substr(at + 1);
  std::uint64_t start = 0;
  return take_number(rest, start) ? std::optional(start) : std::nullopt;
}

std::optional<Maker> maker_of(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  Maker maker;
  const auto dash = [&] {
    const bool found = name.starts_with('-');
    if (found) name.remove_prefix(1);
    return found;
  };
  std::uint64_t number = 0;
  const bool ok = take_number(name, maker.machine, 16) && dash() &&
                  take_number(name, maker.process) && dash() && take_number(name, maker.start) &&
                  dash() && take_number(name, number) && name.empty();
  return ok ? std::optional(maker) : std::nullopt;
}

bool has_ended(const Maker& maker, const struct stat& file) {
  if (maker.machine != this_machine()) return file.st_mtime + kLongestRun < std::time(nullptr);
  return start_of(maker.process) != maker.start;
}

std::string new_name() {
  static const std::uint64_t start = start_of(static_cast<std::uint64_t>(::getpid())).value_or(0);
  static std::uint64_t number = 0;
  std::array<char, 16> machine;
  const auto [end, error] =
      std::to_chars(machine.data(), machine.data() + machine.size(), this_machine(), 16);
  return std::string(kPrefix) + std::string(machine.data(), end) + "-" +
         std::to_string(::getpid()) + "-" + std::to_string(start) + "-" + std::to_string(number++);
}

}  // namespace

int make_temporary(const std::string& folder, std::string& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int fd = -1;
  do {
    path = folder + "/" + new_name();
    fd = ::open(path.c_str(), kFlags, 0600);
  } while (fd < 0 && (errno == EEXIST || errno == EINTR));
  return fd;
}

void sweep_temporaries(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), &::closedir);
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::optional<Maker> maker = maker_of(entry->d_name);
    if (!maker) continue;
    const std::string path = folder + "/" + entry->d_name;
    struct stat status {};
    const bool is_file = ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (is_file && has_ended(*maker, status)) ::unlink(path.c_str());
  }
}

}  // namespace shinar::driver
