// In: folders in which files are being replaced.
// Out: temporary files there, whose names identify the process that made them; leftovers of killed
// processes are removed.
#pragma once

#include <string>

namespace shinar::driver {

// Makes an empty file that only its owner may read and sets `path` to its name. -1: see errno.
int make_temporary(const std::string& folder, std::string& path);

// Removes temporary files of terminated runs of sidlc from the folder, as far as possible.
void sweep_temporaries(const std::string& folder);

}  // namespace shinar::driver
