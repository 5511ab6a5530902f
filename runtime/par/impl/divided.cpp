#include "impl/divided.hpp"

#include <algorithm>

#include "impl/method_plan.hpp"
#include "sidl_par_Distribution_Impl.hxx"

namespace shinar::par {
namespace {

// The text has a line for each argument, with these fields; each ends with its mark.
constexpr char kEndOfLine = '\n';
constexpr char kEndOfField = '\t';
enum Field { kArgument, kMine, kMineInWords, kTheirs, kTheirsInWords, kFields };

std::string fields_of(const ::sidl::par::Distribution& distribution) {
  const bool is_listed = distribution._is_nil() || list_of(distribution, "distribution") != nullptr;
  if (is_listed) return std::string("lists") + kEndOfField + "lists of indices" + kEndOfField;
  const Distribution& value = value_of(distribution, "distribution");
  return std::to_string(digest_of(value)) + kEndOfField + value.text() +
         (value.is_column_major() ? ", column-major" : "") + kEndOfField;
}

std::vector<std::string> split(const std::string& text, char end) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(end, from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

std::string rank_text(int rank) {
  return "rank " + std::to_string(rank);
}

}  // namespace

std::string text_of(const std::vector<Divided>& all) {
  std::string text;
  for (const Divided& each : all) {
    text +=
        each.argument + kEndOfField + fields_of(each.mine) + fields_of(each.theirs) + kEndOfLine;
  }
  return text;
}

std::string difference_of(const std::string& text, const Asker& of, const std::string& first,
                          const Asker& of_first, const std::string& object) {
  const std::vector<std::string> lines = split(text, kEndOfLine);
  const std::vector<std::string> first_lines = split(first, kEndOfLine);
  const auto [here, there] = std::ranges::mismatch(lines, first_lines);
  const std::string both = rank_text(of.rank) + " and " + rank_text(of_first.rank);
  std::vector<std::string> own = here == lines.end() ? lines : split(*here, kEndOfField);
  std::vector<std::string> its = there == first_lines.end() ? lines : split(*there, kEndOfField);
  if (own.size() != kFields || its.size() != kFields) {
    return both + " know different arguments of a method";  // from different SIDL files
  }
  const bool is_ours = own[kMine] != its[kMine];
  const std::string& words = own[is_ours ? kMineInWords : kTheirsInWords];
  const std::string& first_words = its[is_ours ? kMineInWords : kTheirsInWords];
  std::string result = both + (is_ours ? " have" : " hear of") + " different distributions for '" +
                       own[kArgument] + "'" + (is_ours ? "" : " of '" + object + "'") + ": ";
  const auto who = [&](const Asker& each) {
    return rank_text(each.rank) +
           (is_ours ? " has " : ", from its " + rank_text(each.asked) + ", of ");
  };
  if (words == first_words) return result + "both " + words + ", with other bounds of ranks";
  return result + who(of) + words + "; " + who(of_first) + first_words;
}

}  // namespace shinar::par
