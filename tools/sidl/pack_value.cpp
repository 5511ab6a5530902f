#include "pack_value.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "array_calls.hpp"
#include "near.hpp"
#include "scalars.hpp"
#include "sidl_BaseInterface.hxx"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;
using sidl::io::Serializer;
using Indices = std::vector<std::int64_t>;

/** The parts of an array as written by the user. */
struct Written {
  const json* data = nullptr;
  Indices lower, upper;
  bool row_major = true;
};

class ValuePacker {
 public:
  ValuePacker(const Serializer& to, const TypeInfo& types) : to_(to), types_(types) {}

  void value(const std::string& key, const Type& type, const json& from,
             const std::string& where) const;

 private:
  void structure(const std::string& key, const std::string& name, const json& from,
                 const std::string& where) const;
  void object(const std::string& key, const Type& type, const json& from,
              const std::string& where) const;
  void array(const std::string& key, const Type& type, const json& from,
             const std::string& where) const;
  void generic(const std::string& key, const json& from, const std::string& where) const;
  void objects(const std::string& key, const Type& type, const Written& written,
               const std::string& where) const;
  template <class T>
  void elements(const std::string& key, const Type& type, const Written* written,
                const std::string& where) const;
  template <class T>
  T element(const Type& type, const json& from, const std::string& where) const;
  const Enumerators& enumerators(const std::string& name) const;

  const Serializer& to_;
  const TypeInfo& types_;
};

// ---- the shape of arrays
// -------------------------------------------------------------------------

std::string indexed(const std::string& where, const Indices& index) {
  std::string text = where;
  for (const std::int64_t each : index) text += "[" + std::to_string(each) + "]";
  return text;
}

/** How many dimensions a nested list has; for arrays that do not declare it. */
int depth(const json& data) {
  int dimensions = 0;
  for (const json* at = &data; at->is_array(); at = &at->front()) {
    ++dimensions;
    if (at->empty() || dimensions == SIDL_MAX_ARRAY_DIMENSION) break;
  }
  return dimensions;
}

Indices lower_bounds(const json& from, int dimension, const std::string& where) {
  Indices lower;
  if (!from.contains("lower")) return Indices(static_cast<std::size_t>(dimension), 0);
  for (const json& each : from.at("lower")) {
    lower.push_back(scalar_from_json<std::int64_t>(each, where + ": lower"));
  }
  if (lower.size() != static_cast<std::size_t>(dimension)) {
    throw UsageError(where + ": 'lower' has " + std::to_string(lower.size()) +
                     " numbers, but the array has " + std::to_string(dimension) + " dimensions");
  }
  return lower;
}

bool is_row_major(const json& from, const Type& type, const std::string& where) {
  if (type.order != sidl_general_order) return type.order == sidl_row_major_order;
  const json order = from.value("order", json("row-major"));
  if (order == "row-major") return true;
  if (order == "column-major") return false;
  throw UsageError(where + ": 'order' must be \"row-major\" or \"column-major\"");
}

/**
 * Parses nested lists, or an object with bounds and order. Lengths are those of the first list at
 * each depth.
 */
Written take_apart(const json& from, const Type& type, const std::string& where) {
  static const std::vector<std::string> known = {"lower", "order", "data", "type"};
  Written written;
  static const json none = json::object();
  const json& options = from.is_object() ? from : none;
  for (const auto& [name, unused] : options.items()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(where + ": an array has no '" + name + "'" + did_you_mean(name, known));
    }
  }
  if (from.is_object() && !from.contains("data")) {
    throw UsageError(where +
                     ": an array written as a JSON object must have its elements in 'data'");
  }
  written.data = from.is_object() ? &from.at("data") : &from;
  written.row_major = is_row_major(options, type, where);
  written.lower = lower_bounds(options, type.dimension, where);
  const json* at = written.data;
  for (const std::int64_t lower : written.lower) {
    const bool is_list = at != nullptr && at->is_array();
    if (at != nullptr && !is_list) {
      throw UsageError(where + ": " + type.text() + " must be a JSON list, nested " +
                       std::to_string(type.dimension) + " deep");
    }
    const auto length = static_cast<std::int64_t>(is_list ? at->size() : 0);
    if (lower < -SIDL_MAX_ARRAY_INDEX || lower > SIDL_MAX_ARRAY_INDEX - length) {
      throw UsageError(where + ": no array of this length begins at " + std::to_string(lower));
    }
    written.upper.push_back(lower + length - 1);
    at = length > 0 ? &at->front() : nullptr;
  }
  return written;
}

/** Calls `f(index, element)` for each element, last index fastest; refuses ragged lists. */
template <class Function>
void visit(const Written& written, const json& at, Indices& index, const std::string& where,
           const Function& f) {
  const std::size_t depth = index.size();
  if (depth == written.lower.size()) return f(index, at);
  const std::int64_t length = written.upper[depth] - written.lower[depth] + 1;
  if (!at.is_array() || static_cast<std::int64_t>(at.size()) != length) {
    throw UsageError(indexed(where, index) + " must be a list of " + std::to_string(length) +
                     ", like the others");
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    index.push_back(written.lower[depth] + static_cast<std::int64_t>(i));
    visit(written, at[i], index, where, f);
    index.pop_back();
  }
}

// ---- arrays
// --------------------------------------------------------------------------------------

template <class T>
T ValuePacker::element(const Type& type, const json& from, const std::string& where) const {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (type.element == sidl_kind_enum) {
      return enum_from_json(from, type.name, enumerators(type.name), where);
    }
  }
  return scalar_from_json<T>(from, where);
}

template <class T>
void ValuePacker::elements(const std::string& key, const Type& type, const Written* written,
                           const std::string& where) const {
  sidl::array<T> array;
  if (written != nullptr) {
    const std::int64_t* const lower = written->lower.data();
    const std::int64_t* const upper = written->upper.data();
    array = written->row_major ? sidl::array<T>::createRow(type.dimension, lower, upper)
                               : sidl::array<T>::createCol(type.dimension, lower, upper);
    Indices index;
    visit(*written, *written->data, index, where, [&](const Indices& at, const json& from) {
      array.set(at.data(), element<T>(type, from, indexed(where, at)));
    });
  }
  (to_.*ArrayCalls<T>::pack)(key, array, type.order, type.dimension, true);
}

/** A long array with the bounds, then the objects, first index fastest. */
void ValuePacker::objects(const std::string& key, const Type& type, const Written& written,
                          const std::string& where) const {
  std::vector<std::pair<Indices, const json*>> all;
  Indices index;
  visit(written, *written.data, index, where,
        [&](const Indices& at, const json& from) { all.emplace_back(at, &from); });
  const auto later = [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.first.rbegin(), a.first.rend(), b.first.rbegin(),
                                        b.first.rend());
  };
  std::sort(all.begin(), all.end(), later);
  std::vector<std::int64_t> shape{type.dimension};
  shape.insert(shape.end(), written.lower.begin(), written.lower.end());
  shape.insert(shape.end(), written.upper.begin(), written.upper.end());
  const auto array =
      sidl::array<std::int64_t>::create1d(static_cast<std::int64_t>(shape.size()), shape.data());
  to_.packLongArray(key + ".shape", array, 0, 1, false);
  for (const auto& [at, from] : all) object(key, type, *from, indexed(where, at));
}

void ValuePacker::array(const std::string& key, const Type& type, const json& from,
                        const std::string& where) const {
  if (type.element == sidl_kind_void) return generic(key, from, where);
  const bool of_objects = type.element == sidl_kind_interface || type.element == sidl_kind_class;
  if (from.is_null() && of_objects) {
    return to_.packLongArray(key + ".shape", sidl::array<std::int64_t>(), 0, 1, false);
  }
  Written written;
  if (!from.is_null()) written = take_apart(from, type, where);
  if (of_objects) return objects(key, type, written, where);
  with_element(type.element, [&](auto tag) {
    using T = typename decltype(tag)::type;
    elements<T>(key, type, from.is_null() ? nullptr : &written, where);
  });
}

/** The element type is packed first. */
void ValuePacker::generic(const std::string& key, const json& from,
                          const std::string& where) const {
  if (from.is_null()) return to_.packInt(key + ".type", sidl_undefined_array);
  if (!from.is_object() || !from.contains("type") || !from.contains("data")) {
    throw UsageError(where +
                     ": array<> must be written as {\"type\": \"double\", \"data\": [...]}");
  }
  Type type;
  type.kind = sidl_kind_array;
  type.dimension = depth(from.at("data"));
  if (type.dimension == 0) throw UsageError(where + ": 'data' must be a list");
  for (int number = sidl_undefined_array + 1; number <= sidl_interface_array; ++number) {
    type.element = sidl_element_kind_of(number);
    if (from.at("type") != json(type.element_text())) continue;
    to_.packInt(key + ".type", number);
    return array(key, type, from, where);
  }
  throw UsageError(where + ": 'type' must be the type of the elements: \"double\", \"string\", …");
}

// ---- everything else
// -----------------------------------------------------------------------------

const Enumerators& ValuePacker::enumerators(const std::string& name) const {
  static const Enumerators none;
  const auto found = types_.enums.find(name);
  return found == types_.enums.end() ? none : found->second;
}

void ValuePacker::structure(const std::string& key, const std::string& name, const json& from,
                            const std::string& where) const {
  const auto found = types_.structs.find(name);
  if (found == types_.structs.end())
    throw std::runtime_error("the server does not describe " + name);
  if (!from.is_object()) {
    throw UsageError(where + ": " + name + " must be a JSON object: {\"" +
                     found->second.front().first + "\": …}");
  }
  std::vector<std::string> names;
  for (const auto& [member, type] : found->second) names.push_back(member);
  for (const auto& [member, unused] : from.items()) {
    if (std::find(names.begin(), names.end(), member) == names.end()) {
      throw UsageError(where + ": " + name + " has no member '" + member + "'" +
                       did_you_mean(member, names));
    }
  }
  for (const auto& [member, type] : found->second) {
    const std::string place = where + "." + member;
    if (!from.contains(member)) {
      throw UsageError(place + " is missing: " + type.text());
    }
    value(key + "." + member, type, from.at(member), place);
  }
}

void ValuePacker::object(const std::string& key, const Type& type, const json& from,
                         const std::string& where) const {
  if (!from.is_null() && !from.is_string()) {
    throw UsageError(where + ": an object must be a URL or null");
  }
  if (type.copy) {
    if (from.is_null()) return to_.packSerializable(key, sidl::io::Serializable());
    throw UsageError(where +
                     ": sidl call cannot pass objects by value, as it does not have their class " +
                     "(only null is possible)");
  }
  const sidl::BaseInterface object = from.is_null()
                                         ? sidl::BaseInterface()
                                         : sidl::BaseInterface::_connect(from.get<std::string>());
  to_.packObject(key, object);
}

void ValuePacker::value(const std::string& key, const Type& type, const json& from,
                        const std::string& where) const {
  switch (type.kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return to_.pack##Name(key, scalar_from_json<sidl::basic_type<number>::type>(from, where));
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return to_.packLong(key, enum_from_json(from, type.name, enumerators(type.name), where));
    case sidl_kind_struct:
      return structure(key, type.name, from, where);
    case sidl_kind_interface:
    case sidl_kind_class:
      return object(key, type, from, where);
    case sidl_kind_array:
      return array(key, type, from, where);
    default:
      throw UsageError(where + ": a value of type " + type.text() +
                       " has no meaning in another process");
  }
}

}  // namespace

void pack_value(const Serializer& to, const TypeInfo& types, const std::string& key,
                const Type& type, const json& value, const std::string& where) {
  ValuePacker(to, types).value(key, type, value, where);
}

}  // namespace sidl_tool
