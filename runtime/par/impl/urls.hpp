// URLs of servers and of what they offer.
#pragma once

#include <string>

#include "sidl_BaseException.hxx"

namespace shinar::par {

// The URL of what a server has published under a name.
std::string object_url(const std::string& server, const std::string& name);

// Throws if no URL could be made with the name.
void check_name(const std::string& name);

// Whether a connection has ended because the peer has answered nothing: it may live.
bool is_silent(const ::sidl::BaseException& failure);
// Whether a failure to connect is one of a server, or an object, that may still come.
bool may_still_come(const ::sidl::BaseException& failure);
// A rank of an object that this process has connected with has not answered, or refused, what it
// was asked: the note says what that was, and what helps.
void explain(::sidl::BaseException& failure, const std::string& asked);

}  // namespace shinar::par
