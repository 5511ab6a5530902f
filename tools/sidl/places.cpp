#include "places.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "printable.hpp"
#include "sidl_name_file.hxx"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

std::string random_name() {
  static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  unsigned char bytes[6];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
    throw std::runtime_error(std::string("no random numbers: ") + std::strerror(errno));
  }
  std::string name = "sidl-";
  for (const unsigned char each : bytes) name += letters[each % letters.size()];
  return name;
}

/** A new folder that only its owner can enter; it goes with the object. */
class JobFolder {
 public:
  explicit JobFolder(const std::string& parent) : path_(parent + "/" + random_name()) {}
  ~JobFolder() {
    std::error_code ignored;
    if (is_made_) std::filesystem::remove_all(path_, ignored);
  }
  /** The guard knows of it before it is there, as this process may be killed at any time. */
  void make(const Guard& guard) {
    guard.remove_at_end(path_);
    is_made_ = ::mkdir(path_.c_str(), 0700) == 0;
    if (is_made_) return;
    const std::string why = std::strerror(errno);
    guard.remove_at_end("");
    throw std::runtime_error("cannot make a folder " + path_ + ": " + why);
  }
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const Program& program, int rank) const {
    return path_ + "/" + program.name + "." + std::to_string(rank);
  }

 private:
  const std::string path_;
  bool is_made_ = false;
};

/** Where sockets of the job fit, whose names have at most so many bytes. */
std::string folder_of_user(std::size_t longest_name) {
  constexpr std::size_t of_folder = std::string_view("/sidl-123456/").size();
  const char* const said = std::getenv("XDG_RUNTIME_DIR");
  if (said == nullptr || ::access(said, W_OK | X_OK) != 0) return "/tmp";
  const std::string parent = std::filesystem::absolute(said);
  const bool fits = parent.size() + of_folder + longest_name < sizeof(sockaddr_un::sun_path);
  return fits ? parent : "/tmp";
}

class Sockets : public Places {
 public:
  explicit Sockets(std::size_t longest_name) : folder_(folder_of_user(longest_name)) {}

  void make_folder(const Guard& guard) override { folder_.make(guard); }
  const std::string& folder() const override { return folder_.path(); }
  std::string host() const override { return ""; }
  std::string address(const Program& program, int rank) const override {
    return "simhandle+unix://" + folder_.file(program, rank);
  }
  std::optional<std::string> url(const Program& program, int rank) override {
    return address(program, rank);
  }
  bool is_serving(const Program& program, int rank) override {
    struct sockaddr_un at = {};
    at.sun_family = AF_UNIX;
    const std::string path = folder_.file(program, rank);
    if (path.size() >= sizeof at.sun_path) return false;
    path.copy(at.sun_path, path.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* const any = reinterpret_cast<const struct sockaddr*>(&at);
    const bool is_there = fd >= 0 && ::connect(fd, any, sizeof at) == 0;
    if (fd >= 0) ::close(fd);
    return is_there;
  }
  std::string advice(const Program& program, int rank) const override {
    return "nobody listens at $SIDL_LISTEN, " + address(program, rank);
  }
  std::map<std::string, std::string> variables(const Program&, int) const override { return {}; }

 private:
  JobFolder folder_;
};

class Ports : public Places {
 public:
  Ports(std::string address, std::string host, const std::string& parent)
      : folder_(std::filesystem::canonical(parent)),
        address_(std::move(address)),
        host_(std::move(host)) {}

  void make_folder(const Guard& guard) override { folder_.make(guard); }
  const std::string& folder() const override { return folder_.path(); }
  std::string host() const override { return host_; }
  std::string address(const Program&, int) const override { return address_; }
  std::optional<std::string> url(const Program& program, int rank) override {
    const std::pair key(program.name, rank);
    if (const auto known = urls_.find(key); known != urls_.end()) return known->second;
    std::string text = sidl::job::read_new_file(url_file(program, rank));
    if (text.empty()) return {};
    while (text.ends_with('\n')) text.pop_back();
    const bool is_url =
        text.find("://") != std::string::npos && text.find_first_of(" \t\r\n") == std::string::npos;
    if (!is_url) {
      throw std::runtime_error(program.name + "." + std::to_string(rank) + " has written '" +
                               in_one_line(text) + "' into $SIDL_URL_FILE, which is no URL");
    }
    return urls_[key] = text;
  }
  bool is_serving(const Program& program, int rank) override {
    return url(program, rank).has_value();
  }
  std::string advice(const Program& program, int rank) const override {
    return "it has not written its URL into $SIDL_URL_FILE, " + url_file(program, rank);
  }
  std::map<std::string, std::string> variables(const Program& program, int rank) const override {
    return {{"SIDL_NAMES", folder_.path()}, {"SIDL_URL_FILE", url_file(program, rank)}};
  }

 private:
  std::string url_file(const Program& program, int rank) const {
    return folder_.file(program, rank) + ".url";
  }

  JobFolder folder_;
  const std::string address_, host_;
  std::map<std::pair<std::string, int>, std::string> urls_;
};

/** "10.0.0.1" of "simhandle://10.0.0.1:0", "::" of "ucx://[::]:0"; empty: there is none. */
std::string host_of(const std::string& address) {
  const std::size_t begin = address.find("://");
  if (begin == std::string::npos || !address.ends_with(":0")) return "";
  std::string host = address.substr(begin + 3, address.size() - begin - 5);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host.find('/') == std::string::npos ? host : "";
}

}  // namespace

std::unique_ptr<Places> sockets_of_this_host(const Job& job) {
  std::size_t longest = std::string_view("launch.socket").size();
  for (const Program& each : job.programs) {
    longest = std::max(longest, each.name.size() + 1 + std::to_string(each.ranks).size());
  }
  return std::make_unique<Sockets>(longest);
}

std::unique_ptr<Places> ports_of_hosts(const std::string& address, const std::string& source,
                                       const std::string& parent) {
  const std::string host = host_of(address);
  if (host.empty()) {
    throw UsageError(source + ": '" + in_one_line(address) + "', where servers are to listen, is " +
                     "not an address with port 0, such as simhandle://0.0.0.0:0");
  }
  std::error_code failure;
  if (!std::filesystem::is_directory(parent, failure)) {
    throw UsageError("--shared: there is no folder '" + parent + "'");
  }
  return std::make_unique<Ports>(address, host, parent);
}

}  // namespace sidl_tool
