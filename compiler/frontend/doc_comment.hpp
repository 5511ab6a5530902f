// In: a comment as it stands in the source, marks included.
// Out: the text of a doc comment without marks, leading stars and common indentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shinar {

// Lines end in "\n", "\r\n" or "\r", and have no blanks before that.
std::vector<std::string_view> split_lines(std::string_view text);

bool is_doc_comment(std::string_view comment);
std::string clean_doc_comment(std::string_view comment);

}  // namespace shinar
