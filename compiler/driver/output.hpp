// In: a complete set of generated files.
// Out: the same on disk, all or none: new content goes to temporary files next to their targets,
// which take their places once every one of them is complete. Unchanged files are not touched.
// Links are followed, owners and permissions kept; devices, FIFOs and open descriptors are written
// to as a shell would.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"

namespace shinar::driver {

class FileSet {
 public:
  // False, and a diagnostic, for a path that leaves the folder or stands for two contents.
  bool add(const std::string& folder, const std::string& path, std::string content,
           Diagnostics& diagnostics);

  // A path the user gave, which may lead anywhere.
  void put(const std::string& path, std::string content) { files_[path] = std::move(content); }

  bool write(Diagnostics& diagnostics) const;
  std::vector<std::string> paths() const;
  // The same, as seen from a folder.
  std::vector<std::string> paths_from(const std::string& folder) const;

 private:
  std::map<std::string, std::string> files_;  // by path, folder included
};

}  // namespace shinar::driver
