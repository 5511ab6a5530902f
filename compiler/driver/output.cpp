#include "driver/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "driver/destination.hpp"
#include "driver/files.hpp"
#include "driver/temporary.hpp"

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

// One run of FileSet::write. Unfinished files are removed at its end.
class Transaction {
 public:
  explicit Transaction(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  // The content must outlive the transaction.
  bool prepare(const std::string& path, const std::string& content);
  bool commit();

 private:
  enum class Place : std::uint8_t { Old, New, Exchanged };  // of the temporary file's new content

  struct Pending {
    std::string path;  // as requested
    Destination destination;
    const std::string* content;
    std::string temporary;  // none: written in place
    Place place = Place::Old;
  };

  bool make_folder(const fs::path& folder);
  bool fill(Pending& file);
  bool replace(Pending& file);
  void restore(Pending& file);
  bool fail(const std::string& what, const std::string& path, const std::string& reason);
  bool fail(const Pending& file, const std::string& reason);

  Diagnostics& diagnostics_;
  std::vector<Pending> pending_;
  std::vector<std::string> folders_;  // made by this run, outer before inner
  std::set<std::string> swept_;       // folders
  std::set<fs::path> targets_;
};

bool Transaction::fail(const std::string& what, const std::string& path,
                       const std::string& reason) {
  diagnostics_.report(Code::CannotWrite, std::nullopt,
                      "cannot " + what + " " + in_quotes(path) + ": " + reason);
  return false;
}

bool Transaction::fail(const Pending& file, const std::string& reason) {
  const bool is_link = file.destination.path != file.path;
  const std::string link = is_link ? "it points to " + in_quotes(file.destination.path) + ": " : "";
  return fail("write", file.path, link + reason);
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
      return fail("create the directory", at->string(), std::strerror(errno));
    }
  }
  return true;
}

bool is_same(const struct stat& existing, const std::string& path, const std::string& content) {
  if (static_cast<std::size_t>(existing.st_size) != content.size()) return false;
  std::string error;
  return read_file(path, error) == content;
}

bool Transaction::prepare(const std::string& path, const std::string& content) {
  std::string error;
  std::optional<Destination> found = find_destination(path, error);
  if (!found) return fail("write", path, error);
  Pending file{path, std::move(*found), &content, {}};
  const Destination& destination = file.destination;
  if (destination.in_place) {
    pending_.push_back(std::move(file));
    return true;
  }
  if (!targets_.insert(fs::absolute(destination.path).lexically_normal()).second) {
    return fail(file, "another output is written there");
  }
  const bool is_link = destination.path != path;  // followed as far as possible, as in a shell
  if (!is_link && !make_folder(fs::path(path).parent_path())) return false;
  if (swept_.insert(destination.folder()).second) sweep_temporaries(destination.folder());
  if (destination.existing && S_ISDIR(destination.existing->st_mode)) {
    return fail(file, std::strerror(EISDIR));
  }
  if (destination.existing && is_same(*destination.existing, destination.path, content)) {
    return true;
  }
  return fill(file);
}

// Makes the temporary file that will replace the target.
bool Transaction::fill(Pending& file) {
  const Destination& destination = file.destination;
  const int fd = make_temporary(destination.folder(), file.temporary);
  if (fd < 0) {
    const int number = errno;
    return fail(file, "cannot create a file in the directory " + in_quotes(destination.folder()) +
                          ": " + std::strerror(number));
  }
  std::string error = write_all(fd, *file.content);
  std::string denied;
  if (destination.existing) {
    denied = copy_permissions(destination, fd);
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(fd, 0666 & ~mask) != 0 && error.empty()) error = std::strerror(errno);
  }
  if (::close(fd) != 0 && error.empty()) error = std::strerror(errno);
  pending_.push_back(std::move(file));
  if (!error.empty()) return fail(pending_.back(), error);
  if (denied.empty()) return true;
  // A new file could not keep the old one's owner: the old file is overwritten.
  ::unlink(std::exchange(pending_.back().temporary, {}).c_str());
  return true;
}

// Exchanges old and new content, so that a later failure can be rolled back.
bool Transaction::replace(Pending& file) {
  const char* from = file.temporary.c_str();
  const char* to = file.destination.path.c_str();
  const bool exchanged =
      file.destination.existing && ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
  if (exchanged) {
    file.place = Place::Exchanged;
    return true;
  }
  // Not every file system supports it, and the target may have been removed.
  const bool is_possible = !file.destination.existing || errno == EINVAL || errno == ENOSYS ||
                           errno == ENOENT || errno == EOPNOTSUPP;
  if (!is_possible || ::rename(from, to) != 0) return fail(file, std::strerror(errno));
  file.place = Place::New;
  return true;
}

void Transaction::restore(Pending& file) {
  const char* to = file.destination.path.c_str();
  if (file.place == Place::Exchanged) {
    ::renameat2(AT_FDCWD, file.temporary.c_str(), AT_FDCWD, to, RENAME_EXCHANGE);
  } else if (file.place == Place::New && !file.destination.existing) {
    ::unlink(to);
  }
}

// Writing in place cannot be rolled back and comes first: if it fails, nothing has been replaced.
bool Transaction::commit() {
  for (const Pending& file : pending_) {
    if (!file.temporary.empty()) continue;
    const std::string error = file.destination.in_place
                                  ? write_in_place(file.destination, *file.content)
                                  : overwrite(file.destination, *file.content);
    if (!error.empty()) return fail(file, error);
  }
  for (auto file = pending_.begin(); file != pending_.end(); ++file) {
    if (file->temporary.empty() || replace(*file)) continue;
    while (file != pending_.begin()) restore(*--file);
    return false;
  }
  folders_.clear();
  return true;
}

Transaction::~Transaction() {
  for (const Pending& file : pending_) {
    if (!file.temporary.empty() && file.place != Place::New) ::unlink(file.temporary.c_str());
  }
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    ::rmdir(folder->c_str());  // fails if it is not empty, as intended
  }
}

}  // namespace

bool FileSet::add(const std::string& folder, const std::string& path, std::string content,
                  Diagnostics& diagnostics) {
  if (!is_safe(path)) {
    diagnostics.report(Code::GeneratorFailed, std::nullopt,
                       "the generator named an output file " + in_quotes(path) +
                           ", which is not a plain path inside the output directory");
    return false;
  }
  const std::string full = folder == "." ? path : (fs::path(folder) / path).string();
  const auto [place, is_new] = files_.try_emplace(full, std::move(content));
  if (is_new || place->second == content) return true;
  diagnostics.report(Code::GeneratorFailed, std::nullopt,
                     "internal error: two generated files have the name " + in_quotes(path));
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
