#include "unix_socket.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "core/checked_mutex.hpp"
#include "core/error.hpp"

namespace shinar::wire::unix_socket {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Address {
  explicit Address(const std::string& path) {
    name.sun_family = AF_UNIX;
    const std::size_t copied = path.copy(name.sun_path, sizeof name.sun_path - 1);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + copied + 1);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&name); }
  sockaddr_un name{};
  socklen_t size;
};

/** How long other servers are waited for; whoever may read the folder may lock it. */
constexpr milliseconds folder_patience{2000};

/** Excludes other servers while this one checks for a stale socket file in the folder. */
class FolderLock {
 public:
  explicit FolderLock(const std::string& path)
      : folder_(::open(std::filesystem::path(path).parent_path().c_str(),
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto until = Clock::now() + folder_patience;
    while (folder_.is_open() && ::flock(folder_.fd(), LOCK_EX | LOCK_NB) != 0 &&
           errno == EWOULDBLOCK) {
      if (Clock::now() >= until) {
        is_excluded_ = true;
        return;
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  /** Others may be about to listen. Without locks (unreadable folder) nobody knows. */
  bool is_excluded() const { return is_excluded_; }

 private:
  const Socket folder_;
  bool is_excluded_ = false;
};

/** True if the file is a socket without a listener. */
bool is_left_over(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  const Socket probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const Address address(path);
  return probe.is_open() && ::connect(probe.fd(), address.get(), address.size) != 0 &&
         errno == ECONNREFUSED;
}

/** The system's message, and what it means for a socket. */
std::string reason_of(int err, const std::string& path) {
  struct stat status {};
  std::string reason = std::strerror(err);
  if (err == EWOULDBLOCK) return "a process has locked the folder, and the file may be in use";
  if (err == ENOTDIR) reason += ": write the name of an object after '#'";
  if (err != ECONNREFUSED && err != EADDRINUSE) return reason;
  if (::lstat(path.c_str(), &status) != 0) return reason;
  if (!S_ISSOCK(status.st_mode)) return reason + ": it is not a socket";
  return reason + (err == EADDRINUSE ? ": another server is listening there"
                                     : ": no server is listening there");
}

/** Returns 0 or errno. */
int bind_to(const Socket& socket, const std::string& path, const FolderLock& lock) {
  const Address address(path);
  if (::bind(socket.fd(), address.get(), address.size) == 0) return 0;
  if (const int err = errno; err != EADDRINUSE || !is_left_over(path)) return err;
  if (lock.is_excluded()) return EWOULDBLOCK;
  if (::unlink(path.c_str()) != 0) return errno;
  return ::bind(socket.fd(), address.get(), address.size) == 0 ? 0 : errno;
}

}  // namespace

Socket connect(const Endpoint& endpoint, Clock::time_point until) {
  const Address address(endpoint.path);
  int err = 0;
  do {
    // The server's listen queue is full.
    if (err == EAGAIN) static_cast<void>(wait_for(-1, 0, Clock::now() + milliseconds(5)));
    Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    err = socket.is_open() ? connect_one(socket.fd(), address.get(), address.size, until) : errno;
    if (err == 0) return socket;
  } while (err == EAGAIN && Clock::now() < until);
  if (err == EAGAIN) err = ETIMEDOUT;
  throw Error(Failure::connect, "cannot connect: " + reason_of(err, endpoint.path), Fate::not_sent,
              err);
}

Socket listen(const Endpoint& endpoint) {
  const FolderLock lock(endpoint.path);
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int err = socket.is_open() ? 0 : errno;
  // Before bind creates the file: otherwise others could connect while it has another mode.
  if (err == 0 && ::fchmod(socket.fd(), S_IRUSR | S_IWUSR) != 0) err = errno;
  if (err == 0) err = bind_to(socket, endpoint.path, lock);
  if (err == 0 && ::listen(socket.fd(), listen_backlog) != 0) err = errno;
  if (err == 0) return socket;
  throw Error(Failure::bind,
              "cannot listen on " + endpoint.text() + ": " + reason_of(err, endpoint.path),
              Fate::not_sent, err);
}

std::string name_of(int fd, const sockaddr_storage& address, socklen_t size) {
  if (size > offsetof(sockaddr_un, sun_path)) {
    return reinterpret_cast<const sockaddr_un&>(address).sun_path;
  }
  ucred peer{};
  socklen_t length = sizeof peer;
  const bool is_known = ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0;
  return is_known && peer.pid > 0 ? "process " + std::to_string(peer.pid) : "an unknown process";
}

namespace {

/** Socket files of live servers, to be removed if the program exits without stopping them. */
struct Files {
  CheckedMutex<"Files"> mutex;
  std::set<File*> all;
  static Files& of_process() {
    static Files* const files = new Files;
    return *files;
  }
};

/** try_lock: in a forked child the lock may be held for ever, and there is nothing to do. */
[[gnu::destructor]] void remove_files() {
  Files& files = Files::of_process();
  const std::unique_lock lock(files.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (File* const each : files.all) each->remove();
}

}  // namespace

File::File(const std::string& path) : path_(path) {
  if (!path.empty() && ::lstat(path.c_str(), &made_) != 0) path_.clear();
  if (path_.empty()) return;
  Files& files = Files::of_process();
  const std::lock_guard lock(files.mutex);
  files.all.insert(this);
}

File::~File() {
  {
    Files& files = Files::of_process();
    const std::lock_guard lock(files.mutex);
    files.all.erase(this);
  }
  remove();
}

void File::remove() {
  const std::string path = std::exchange(path_, {});
  if (path.empty() || !made_by_.is_current()) return;
  struct stat is {};
  const bool is_ours =
      ::lstat(path.c_str(), &is) == 0 && is.st_dev == made_.st_dev && is.st_ino == made_.st_ino;
  if (is_ours) ::unlink(path.c_str());
}

namespace {

/** Removes the file when it is closed. */
class FileListener final : public SocketListener {
 public:
  FileListener(const Endpoint& endpoint, Socket socket)
      : SocketListener(endpoint, std::move(socket)), file_(endpoint.path) {}
  void close() override {
    file_.remove();
    SocketListener::close();
  }

 private:
  File file_;
};

class Unix final : public Transport {
 public:
  bool is_local() const override { return true; }
  bool has_paths() const override { return true; }
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, milliseconds patience,
                                   const Limits& limits) override {
    return channel_over(unix_socket::connect(endpoint, Clock::now() + patience), limits);
  }
  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    return std::make_unique<FileListener>(endpoint, unix_socket::listen(endpoint));
  }
};

Unix transport;
const AddTransport added("unix", transport);

}  // namespace

}  // namespace shinar::wire::unix_socket
