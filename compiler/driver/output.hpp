// In: a complete set of generated files.
// Out: the files on disk, all or none: new content goes to temporary files next to their targets,
// which replace the targets once all of them are complete. Unchanged files are not touched. Links
// are followed, owners and permissions kept; devices, FIFOs and open descriptors are written to, as
// in a shell.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"

namespace shinar::driver {

class FileSet {
 public:
  // False, and a diagnostic, for a path that leads out of the folder or already has other content.
  bool add(const std::string& folder, const std::string& path, std::string content,
           Diagnostics& diagnostics);

  // For a path given by the user, which may lead anywhere.
  void put(const std::string& path, std::string content) { files_[path] = std::move(content); }

  bool write(Diagnostics& diagnostics) const;
  std::vector<std::string> paths() const;
  // The same, relative to a folder.
  std::vector<std::string> paths_from(const std::string& folder) const;

 private:
  std::map<std::string, std::string> files_;  // by path, folder included
};

}  // namespace shinar::driver
