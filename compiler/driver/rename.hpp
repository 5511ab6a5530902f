// In: what --rename said, and Impl files as they are on disk.
// Out: the same files as if the class or method had always had its new name; nothing is written
// here, and files of the old name stay where they are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shinar::driver {

class Renames {
 public:
  // "demo.Old=demo.New" or "demo.Solver.old=demo.Solver.new". False: not of that form.
  bool add(const std::string& text);

  using Read = std::function<std::optional<std::string>(const std::string& path)>;
  // The Impl file at `path`, or the one its class had under its old name, whose path is then left
  // in `old_path`. Splicer marks have their new names.
  std::optional<std::string> read(const std::string& path, const Read& read_file,
                                  std::string& old_path) const;

 private:
  struct Rename {
    std::string from;
    std::string to;
  };

  std::string with_new_marks(std::string text) const;

  std::vector<Rename> renames_;
};

}  // namespace shinar::driver
