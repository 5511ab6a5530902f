// In: a comment as in the source, marks included.
// Out: the text of a doc comment without marks, leading stars and common indentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shinar {

// Splits at "\n", "\r\n" and "\r", and removes trailing blanks.
std::vector<std::string_view> split_lines(std::string_view text);

bool is_doc_comment(std::string_view comment);
std::string clean_doc_comment(std::string_view comment);

}  // namespace shinar
