// The server of this process, by which other ranks reach it.
#pragma once

#include <string>

namespace shinar::par {

// This process listens at a URL; throws Misfit if it has a server that does not.
void serve_at(const std::string& url);

// This process has a server, at an address that may leave a choice, such as that of the port,
// unless it has one already; returns its URL.
std::string serve_somewhere(const std::string& address);

// Where the server of this process listens; empty: it has none.
std::string own_url();

}  // namespace shinar::par
