// In: a comment as in the file.
// Out: the same at another indentation.
#pragma once

#include <string>
#include <string_view>

namespace shinar::formatting {

// The first line has no indentation; the others are indented to follow it at `indent`. Comments
// whose lines all begin with a star, and doc comments, are moved; in others only trailing blanks
// are removed, as they may be drawings.
std::string comment_at(std::string_view comment, std::size_t indent);

// Without changing the indentation of any line.
std::string comment_in_place(std::string_view comment);

}  // namespace shinar::formatting
