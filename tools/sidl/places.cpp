#include "places.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "name_file.hpp"
#include "printable.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

/** A new folder that only its owner can enter; it goes with the object. */
class JobFolder {
 public:
  explicit JobFolder(const std::string& parent) : path_(parent + "/sidl-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("cannot make a folder " + path_ + ": " + std::strerror(errno));
    }
  }
  ~JobFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const Program& program, int rank) const {
    return path_ + "/" + program.name + "." + std::to_string(rank);
  }

 private:
  std::string path_;
};

std::string folder_of_user() {
  const char* const parent = std::getenv("XDG_RUNTIME_DIR");
  // Names of sockets have at most 107 bytes.
  constexpr std::size_t longest = 60;
  const bool is_usable =
      parent != nullptr && std::strlen(parent) <= longest && ::access(parent, W_OK | X_OK) == 0;
  return is_usable ? std::filesystem::absolute(parent).string() : "/tmp";
}

class Sockets : public Places {
 public:
  Sockets() : folder_(folder_of_user()) {}

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

  const std::string& folder() const override { return folder_.path(); }
  std::string host() const override { return host_; }
  std::string address(const Program&, int) const override { return address_; }
  std::optional<std::string> url(const Program& program, int rank) override {
    const std::pair key(program.name, rank);
    if (const auto known = urls_.find(key); known != urls_.end()) return known->second;
    std::string text = read_new_file(url_file(program, rank));
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
    return {{"SIDL_NAMES", folder_.path()}, {url_file_variable, url_file(program, rank)}};
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

std::unique_ptr<Places> sockets_of_this_host() {
  return std::make_unique<Sockets>();
}

std::unique_ptr<Places> ports_of_hosts(const std::string& address, const std::string& parent) {
  const std::string host = host_of(address);
  if (host.empty()) {
    throw UsageError("--listen: '" + address +
                     "' is not an address with port 0, such as simhandle://0.0.0.0:0");
  }
  std::error_code failure;
  if (!std::filesystem::is_directory(parent, failure)) {
    throw UsageError("--shared: there is no folder '" + parent + "'");
  }
  return std::make_unique<Ports>(address, host, parent);
}

}  // namespace sidl_tool
