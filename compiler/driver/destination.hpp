// In: the path of a file to write.
// Out: its destination after following symbolic links, as in a shell: a file that can be replaced,
// or something that can only be written to (a device, a FIFO, an open descriptor).
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>

namespace shinar::driver {

struct Destination {
  std::string path;                     // all links resolved; may not exist yet
  std::optional<struct stat> existing;  // none: does not exist
  bool in_place = false;                // must not be replaced by a regular file

  std::string folder() const;  // "." for a path without one
};

// nullopt: `error` is the operating system's message.
std::optional<Destination> find_destination(const std::string& path, std::string& error);

// Opens a destination with `in_place` and writes all of the content. A FIFO blocks until it has a
// reader.
std::string write_in_place(const Destination& destination, std::string_view content);

// Overwrites a regular file that cannot be replaced. Space is allocated first: if the disk is full,
// the old content stays.
std::string overwrite(const Destination& destination, std::string_view content);

// Gives a new file the permissions, the ACL and the owner of the one it will replace. Returns an
// error text if that is not permitted.
std::string copy_permissions(const Destination& from, int to);

}  // namespace shinar::driver
