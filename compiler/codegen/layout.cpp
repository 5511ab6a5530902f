#include "codegen/layout.hpp"

#include <algorithm>

namespace shinar::codegen {
namespace {

constexpr std::size_t kHeadWords = 4;  // of struct sidl_object
constexpr std::size_t kFacetWords = 2;

// The class and its ancestors, sidl.BaseClass first.
std::vector<const ir::Type*> line_of(const TypeIndex& index, const ir::Type& type) {
  std::vector<const ir::Type*> line{&type};
  for (const std::string& name : type.object().ancestors()) line.push_back(&index.find(name));
  std::ranges::reverse(line);
  return line;
}

}  // namespace

// A class's interfaces begin with its parent's.
std::vector<Facet> facets(const TypeIndex& index, const ir::Type& type) {
  std::vector<Facet> result;
  if (is_interface(type)) {
    for (const ir::Type* each : added_facets(index, type)) result.push_back({each, &type});
    return result;
  }
  for (const ir::Type* holder : line_of(index, type)) {
    for (const ir::Type* added : added_facets(index, *holder)) {
      const auto position = static_cast<int>(result.size());
      result.push_back({added, holder, &type.object().facets(position)});
    }
  }
  return result;
}

std::vector<const ir::Type*> added_facets(const TypeIndex& index, const ir::Type& type) {
  std::vector<const ir::Type*> result;
  if (is_interface(type) && !is_base_interface(type)) result.push_back(&type);
  const std::string& parent = type.object().parent();
  const auto& interfaces = type.object().interfaces();
  const int inherited = parent.empty() ? 0 : index.find(parent).object().interfaces_size();
  for (int i = inherited; i < interfaces.size(); ++i) result.push_back(&index.find(interfaces[i]));
  return result;
}

std::size_t data_word(const TypeIndex& index, const ir::Type& type) {
  std::size_t word = kHeadWords;
  for (const ir::Type* each : line_of(index, type)) {
    word += kFacetWords * added_facets(index, *each).size();
    if (each != &type) ++word;
  }
  return word;
}

}  // namespace shinar::codegen
