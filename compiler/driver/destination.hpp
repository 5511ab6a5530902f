// In: the path of a file to write.
// Out: where that leads, as a shell would find it: behind symbolic links, to a file that can be
// replaced or to something that can only be written to (a device, a FIFO, an open descriptor).
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>

namespace shinar::driver {

struct Destination {
  std::string path;                     // behind all links; what it names may not be there yet
  std::optional<struct stat> existing;  // what is there
  bool in_place = false;                // replacing it would put a plain file into its place

  std::string folder() const;  // "." for a path without one
};

// nullopt: `error` says why, in the operating system's words.
std::optional<Destination> find_destination(const std::string& path, std::string& error);

// Opens what can only be written to, and writes all of it. A FIFO waits for its reader.
std::string write_in_place(const Destination& destination, std::string_view content);

// Writes over a plain file that cannot be replaced. The room is taken first: a full disk leaves
// what was there.
std::string overwrite(const Destination& destination, std::string_view content);

// Gives a new file the permissions, the access list and the owner of the one it is to replace. An
// error text where that is not permitted.
std::string copy_permissions(const Destination& from, int to);

}  // namespace shinar::driver
