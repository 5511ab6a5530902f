#include "impl/socket_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace shinar::par {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderPrefix = "sidl-mpi-";
// Names of sockets have at most 107 bytes.
constexpr std::size_t kLongestParent = 80;

std::string parent_folder() {
  const char* const given = std::getenv("XDG_RUNTIME_DIR");
  const bool is_usable =
      given != nullptr && std::strlen(given) <= kLongestParent && ::access(given, W_OK | X_OK) == 0;
  return is_usable ? given : "/tmp";
}

constexpr std::string_view kUsers = "users";

// A file in the folder that each process that uses it has locked, until that ends. The descriptor,
// or -1.
int open_users(const std::string& folder) {
  return ::open((folder + "/" + std::string(kUsers)).c_str(),
                O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

// Whether there is nothing in the folder but what ranks make.
bool is_of_ranks(const std::string& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (entry.path().filename() != kUsers && !entry.is_socket(failure)) return false;
  }
  return !failure;
}

// Unless a process uses it, or something else is in it.
void remove_unused(const std::string& folder, int users) {
  std::error_code failure;
  if (is_of_ranks(folder) && ::flock(users, LOCK_EX | LOCK_NB) == 0) {
    fs::remove_all(folder, failure);
  }
}

void remove_left_behind(const std::string& parent) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(parent, failure)) {
    struct stat about;
    if (!entry.path().filename().string().starts_with(kFolderPrefix) ||
        ::lstat(entry.path().c_str(), &about) != 0 || about.st_uid != ::geteuid()) {
      continue;
    }
    if (!is_of_ranks(entry.path())) continue;
    const int users = open_users(entry.path());
    if (users < 0) continue;
    remove_unused(entry.path(), users);
    ::close(users);
  }
}

class OwnFolder {
 public:
  // False: another process removes it at this moment.
  bool use(const std::string& name) {
    const int users = open_users(name);
    if (users < 0) return false;
    // Where there are no locks nobody removes anything.
    const bool is_locked = ::flock(users, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat about;
    if (!is_locked || ::fstat(users, &about) != 0 || about.st_nlink == 0) {
      ::close(users);
      return false;
    }
    if (users_ >= 0) ::close(users_);
    users_ = users;
    name_ = name;
    return true;
  }
  void set_socket(const std::string& socket) { socket_ = socket; }
  bool is(const std::string& name) const { return name_ == name; }
  ~OwnFolder() {
    if (name_.empty() || process_ != ::getpid()) return;
    ::unlink(socket_.c_str());
    remove_unused(name_, users_);
  }

 private:
  const pid_t process_ = ::getpid();
  std::string name_;
  std::string socket_;
  int users_ = -1;
};

OwnFolder own_folder;

}  // namespace

std::string make_socket_folder() {
  const std::string parent = parent_folder();
  remove_left_behind(parent);
  for (;;) {
    std::string name = parent + "/" + std::string(kFolderPrefix) + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return {};
    if (own_folder.use(name)) return name;
  }
}

std::string socket_in(const std::string& folder, int rank) {
  if (!own_folder.is(folder)) own_folder.use(folder);
  const std::string socket = folder + "/" + std::to_string(rank);
  own_folder.set_socket(socket);
  return socket;
}

}  // namespace shinar::par
