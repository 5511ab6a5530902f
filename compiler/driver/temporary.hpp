// In: folders in which files are being replaced.
// Out: temporary files there, under names that say who made them; and no more of those whose maker
// was killed before it could remove them.
#pragma once

#include <string>

namespace shinar::driver {

// Makes an empty file that only its owner may read; `path` is then its name. -1: see errno.
int make_temporary(const std::string& folder, std::string& path);

// Removes what ended runs of sidlc left in the folder. What cannot be removed stays.
void sweep_temporaries(const std::string& folder);

}  // namespace shinar::driver
