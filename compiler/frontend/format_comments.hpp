// In: a comment as it stands in a file.
// Out: the same at another indentation.
#pragma once

#include <string>
#include <string_view>

namespace shinar::formatting {

// The first line has no indentation; the others are indented to follow it at `indent`. Comments
// whose lines all begin with a star, and doc comments, move as a whole; of others only the ends of
// lines are tidied, for they may be drawings.
std::string comment_at(std::string_view comment, std::size_t indent);

// The first line as it is, the others where they are.
std::string comment_in_place(std::string_view comment);

}  // namespace shinar::formatting
