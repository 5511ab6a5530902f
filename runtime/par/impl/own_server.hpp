// The server of this process, by which other ranks reach it.
#pragma once

#include <string>

namespace shinar::par {

// Starts a server at the URL if this process has none; false if the one that it has does not
// listen there.
bool listens_at(const std::string& url);

// Where the server of this process listens; empty: it has none.
std::string own_url();

}  // namespace shinar::par
