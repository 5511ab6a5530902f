#include "driver/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "driver/files.hpp"

namespace shinar::driver {
namespace {

namespace fs = std::filesystem;

// A relative path without "..", "." or empty parts: it cannot leave the folder it is put in.
bool is_safe(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

// One run of FileSet::write. What it made and did not finish is gone when it ends.
class Transaction {
 public:
  explicit Transaction(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  bool prepare(const std::string& path, const std::string& content);
  bool commit();

 private:
  struct Pending {
    std::string temporary;
    std::string target;
  };

  bool make_folder(const fs::path& folder);
  bool fail(const std::string& what, const std::string& path, const std::string& reason);

  Diagnostics& diagnostics_;
  std::vector<Pending> pending_;
  std::vector<std::string> folders_;  // made by this run, outer before inner
};

bool Transaction::fail(const std::string& what, const std::string& path,
                       const std::string& reason) {
  diagnostics_.report(Code::CannotWrite, std::nullopt,
                      "cannot " + what + " " + in_quotes(path) + ": " + reason);
  return false;
}

bool Transaction::make_folder(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
    struct stat status {};
    if (::stat(at.c_str(), &status) == 0) break;
    missing.push_back(at);
    if (at == at.parent_path()) break;
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    if (at->filename().empty()) continue;  // "gen/" names "gen" twice
    if (::mkdir(at->c_str(), 0777) == 0) {
      folders_.push_back(at->string());
    } else if (errno != EEXIST) {
      return fail("create the folder", at->string(), std::strerror(errno));
    }
  }
  return true;
}

bool Transaction::prepare(const std::string& path, const std::string& content) {
  std::string error;
  if (read_file(path, error) == content) return true;
  const fs::path target(path);
  if (!make_folder(target.parent_path())) return false;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    return fail("write", path, std::strerror(EISDIR));
  }
  std::string temporary = (target.parent_path() / ".sidlc-XXXXXX").string();
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return fail("write", path, std::strerror(errno));
  pending_.push_back({temporary, path});
  error = write_all(fd, content);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  if (error.empty() && ::fchmod(fd, mode) != 0) error = std::strerror(errno);
  if (::close(fd) != 0 && error.empty()) error = std::strerror(errno);
  return error.empty() || fail("write", path, error);
}

bool Transaction::commit() {
  while (!pending_.empty()) {
    const Pending& file = pending_.back();
    if (::rename(file.temporary.c_str(), file.target.c_str()) != 0) {
      return fail("write", file.target, std::strerror(errno));
    }
    pending_.pop_back();
  }
  folders_.clear();
  return true;
}

Transaction::~Transaction() {
  for (const Pending& file : pending_) ::unlink(file.temporary.c_str());
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    ::rmdir(folder->c_str());  // refuses when it is not empty, as it should
  }
}

}  // namespace

bool FileSet::add(const std::string& folder, const std::string& path, std::string content,
                  Diagnostics& diagnostics) {
  if (!is_safe(path)) {
    diagnostics.report(Code::GeneratorFailed, std::nullopt,
                       "the generator named an output file " + in_quotes(path) +
                           ", which is not a plain path inside the output folder");
    return false;
  }
  const std::string full = folder == "." ? path : (fs::path(folder) / path).string();
  const auto [place, is_new] = files_.try_emplace(full, std::move(content));
  if (is_new || place->second == content) return true;
  diagnostics.report(Code::GeneratorFailed, std::nullopt,
                     "internal error: two generated files are called " + in_quotes(path));
  return false;
}

bool FileSet::write(Diagnostics& diagnostics) const {
  Transaction transaction(diagnostics);
  for (const auto& [path, content] : files_) {
    if (!transaction.prepare(path, content)) return false;
  }
  return transaction.commit();
}

std::vector<std::string> FileSet::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, content] : files_) paths.push_back(path);
  return paths;
}

std::vector<std::string> FileSet::paths_from(const std::string& folder) const {
  std::vector<std::string> paths;
  for (const auto& [path, content] : files_) {
    paths.push_back(fs::absolute(path).lexically_normal().lexically_relative(
        fs::absolute(folder).lexically_normal()));
  }
  return paths;
}

}  // namespace shinar::driver
