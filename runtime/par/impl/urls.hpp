// URLs of servers and of what they offer.
#pragma once

#include <string>

#include "sidl_BaseException.hxx"

namespace shinar::par {

// The URL of what a server has published under a name.
std::string object_url(const std::string& server, const std::string& name);

// Throws if no URL could be made with the name.
void check_name(const std::string& name);

// Whether a failure to connect is one of a server, or an object, that may still come.
bool may_still_come(const ::sidl::BaseException& failure);

}  // namespace shinar::par
