#include "pack_value.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "array_calls.hpp"
#include "layouts.hpp"
#include "near.hpp"
#include "rows.hpp"
#include "scalars.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_struct_array.h"
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

/** An element of an array, and its indices. */
using Element = std::pair<Indices, const json*>;
using Elements = std::vector<Element>;

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
  void shape(const std::string& key, const Written* written) const;
  void objects(const std::string& key, const Type& type, const Written& written,
               const std::string& where) const;
  void structs(const std::string& key, const Type& type, const Written& written,
               const std::string& where) const;
  void bytes(const std::string& key, const std::string& name, const sidl_struct_info& layout,
             const Written& written, const std::string& where) const;
  void store(const std::string& name, const sidl_struct_info& layout, const json& from,
             const std::string& where, char* to) const;
  void records(const std::string& key, const std::string& name, const sidl_struct_info& layout,
               const Elements& all, const std::string& where) const;
  void row(const std::string& name, const json& from, const std::string& where,
           RowWriter& to) const;
  std::string inline_bytes(const Type& type, const json& from, const std::string& where) const;
  void columns(const std::string& key, const std::string& name, const Elements& all,
               const std::string& where, const std::string& path) const;
  const Members& checked_members(const std::string& name, const json& from,
                                 const std::string& where) const;
  template <class T>
  void elements(const std::string& key, const Type& type, const Written* written,
                const std::string& where) const;
  template <class T>
  T element(const Type& type, const json& from, const std::string& where) const;
  std::int64_t enum_value(const Type& type, const json& from, const std::string& where) const;
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

/** Of an array that lies in a struct; others have any. */
void check_lengths(const Written& written, const Type& type, const std::string& where) {
  for (std::size_t d = 0; d < type.lengths.size(); ++d) {
    const std::int64_t length = written.upper[d] - written.lower[d] + 1;
    if (length == type.lengths[d]) continue;
    throw UsageError(where + ": " + std::to_string(length) + " elements instead of " +
                     std::to_string(type.lengths[d]));
  }
}

/** How many dimensions a nested list has, of numbers or of pairs; for arrays that do not declare
 * it. */
int depth(const json& data, bool of_pairs) {
  const int most = SIDL_MAX_ARRAY_DIMENSION + (of_pairs ? 1 : 0);
  int dimensions = 0;
  for (const json* at = &data; at->is_array() && dimensions < most; at = &at->front()) {
    ++dimensions;
    if (at->empty()) return dimensions;
  }
  return of_pairs ? dimensions - 1 : dimensions;
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
    std::int64_t upper = 0;
    if (__builtin_add_overflow(lower, length - 1, &upper) || sidl_array_extent(lower, upper) < 0) {
      throw UsageError(where + ": no array of this length begins at " + std::to_string(lower));
    }
    written.upper.push_back(upper);
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
sidl::array<T> make_array(const Written& written) {
  const auto dimension = static_cast<std::int32_t>(written.lower.size());
  const std::int64_t* const lower = written.lower.data();
  const std::int64_t* const upper = written.upper.data();
  return written.row_major ? sidl::array<T>::createRow(dimension, lower, upper)
                           : sidl::array<T>::createCol(dimension, lower, upper);
}

template <class T>
T ValuePacker::element(const Type& type, const json& from, const std::string& where) const {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (type.element == sidl_kind_enum) return enum_value(type, from, where);
  }
  return scalar_from_json<T>(from, where);
}

template <class T>
void ValuePacker::elements(const std::string& key, const Type& type, const Written* written,
                           const std::string& where) const {
  sidl::array<T> array;
  if (written != nullptr) {
    array = make_array<T>(*written);
    Indices index;
    visit(*written, *written->data, index, where, [&](const Indices& at, const json& from) {
      array.set(at.data(), element<T>(type, from, indexed(where, at)));
    });
  }
  (to_.*ArrayCalls<T>::pack)(key, array, type.order, type.dimension, true);
}

/** All elements, last index fastest. */
Elements all_elements(const Written& written, const std::string& where) {
  Elements all;
  Indices index;
  visit(written, *written.data, index, where,
        [&](const Indices& at, const json& from) { all.emplace_back(at, &from); });
  return all;
}

/** The same, first index fastest. */
Elements in_column_order(Elements all) {
  const auto later = [](const Element& a, const Element& b) {
    return std::lexicographical_compare(a.first.rbegin(), a.first.rend(), b.first.rbegin(),
                                        b.first.rend());
  };
  std::sort(all.begin(), all.end(), later);
  return all;
}

/** A long array with the number of dimensions and the bounds; null for a null array. */
void ValuePacker::shape(const std::string& key, const Written* written) const {
  sidl::array<std::int64_t> array;
  if (written != nullptr) {
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(written->lower.size())};
    shape.insert(shape.end(), written->lower.begin(), written->lower.end());
    shape.insert(shape.end(), written->upper.begin(), written->upper.end());
    array =
        sidl::array<std::int64_t>::create1d(static_cast<std::int64_t>(shape.size()), shape.data());
  }
  to_.packLongArray(key + ".shape", array, 0, 1, false);
}

/** The shape, then the objects, first index fastest. */
void ValuePacker::objects(const std::string& key, const Type& type, const Written& written,
                          const std::string& where) const {
  const Elements all = in_column_order(all_elements(written, where));
  shape(key, &written);
  for (const auto& [at, from] : all) object(key, type, *from, indexed(where, at));
}

void ValuePacker::array(const std::string& key, const Type& type, const json& from,
                        const std::string& where) const {
  if (type.element == sidl_kind_void) return generic(key, from, where);
  const bool of_objects = type.element == sidl_kind_interface || type.element == sidl_kind_class;
  const bool of_structs = type.element == sidl_kind_struct;
  if (from.is_null() && (of_objects || of_structs)) return shape(key, nullptr);
  Written written;
  if (!from.is_null()) {
    written = take_apart(from, type, where);
    check_lengths(written, type, where);
  }
  if (of_objects) return objects(key, type, written, where);
  if (of_structs) return structs(key, type, written, where);
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
  for (const int number : {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) array,
#include "sidl_kinds.def"
           int{sidl_interface_array}}) {
    type.element = sidl_element_kind_of(number);
    if (from.at("type") != json(type.element_text())) continue;
    const bool of_pairs = type.element == sidl_kind_fcomplex || type.element == sidl_kind_dcomplex;
    type.dimension = depth(from.at("data"), of_pairs);
    if (type.dimension <= 0) {
      throw UsageError(where + ": 'data' must be a list" + (of_pairs ? " of pairs [re, im]" : ""));
    }
    to_.packInt(key + ".type", number);
    return array(key, type, from, where);
  }
  if (from.at("type").is_string()) type.name = from.at("type");
  if (types_.structs.contains(type.name)) {
    type.element = sidl_kind_struct;
    type.dimension = depth(from.at("data"), false);
    if (type.dimension == 0) throw UsageError(where + ": 'data' must be a list");
    to_.packInt(key + ".type", sidl_struct_array);
    to_.packString(key + ".struct", type.name);
    return array(key, type, from, where);
  }
  throw UsageError(where +
                   ": 'type' must be the type of the elements: a basic type as \"double\", a "
                   "struct, or \"interface\" for objects");
}

// ---- arrays of structs (sidl_marshal.h)
// ------------------------------------------------------------------

void ValuePacker::structs(const std::string& key, const Type& type, const Written& written,
                          const std::string& where) const {
  Layouts layouts(types_);
  const sidl_struct_info& layout = layouts.find(type.name);
  const Elements all = all_elements(written, where);
  shape(key, &written);
  if (all.empty()) return;
  if (sidl_struct_is_plain(&layout)) return bytes(key, type.name, layout, written, where);
  records(key, type.name, layout, in_column_order(all), where);
}

/** Structs that own nothing lie in an array as they do in memory. */
void ValuePacker::bytes(const std::string& key, const std::string& name,
                        const sidl_struct_info& layout, const Written& written,
                        const std::string& where) const {
  const bool in_rows = written.row_major && written.lower.size() > 1;
  Elements all = all_elements(written, where);
  if (!in_rows) all = in_column_order(std::move(all));
  const auto array =
      sidl::array<char>::create1d(static_cast<std::int64_t>(all.size() * layout.size));
  char* to = array.first();
  std::memset(to, 0, all.size() * layout.size);
  for (const auto& [at, from] : all) {
    store(name, layout, *from, indexed(where, at), to);
    to += layout.size;
  }
  to_.packLong(key + ".layout", sidl_struct_layout_digest(&layout));
  to_.packInt(key + ".order", in_rows ? sidl_row_major_order : sidl_column_major_order);
  to_.packCharArray(key + ".bytes", array, sidl_column_major_order, 1, false);
}

template <class T>
void put(const T& value, char* to) {
  std::memcpy(to, &value, sizeof value);
}

/** The elements of an array that lies in a struct; null: zeros. */
std::string ValuePacker::inline_bytes(const Type& type, const json& from,
                                      const std::string& where) const {
  std::string bytes;
  with_element(type.element, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes.resize(type.count() * sizeof(T));
      if (from.is_null()) return;
      const Written written = take_apart(from, type, where);
      check_lengths(written, type, where);
      char* to = bytes.data();
      for (const auto& [at, each] : in_column_order(all_elements(written, where))) {
        put(scalar_from_json<T>(*each, indexed(where, at)), to);
        to += sizeof(T);
      }
    }
  });
  return bytes;
}

void ValuePacker::store(const std::string& name, const sidl_struct_info& layout, const json& from,
                        const std::string& where, char* to) const {
  const sidl_member_info* table = layout.members;
  for (const auto& [member, type] : checked_members(name, from, where)) {
    const json& given = from.at(member);
    const std::string place = where + "." + member;
    char* const at = to + table->offset;
    switch (type.kind) {
#define SIDL_BOOL(name, number, array, ctype, Name, numpy)    \
  case number:                                                \
    put<sidl_bool>(scalar_from_json<bool>(given, place), at); \
    break;
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy)                 \
  case number:                                                               \
    put(scalar_from_json<sidl::basic_type<number>::type>(given, place), at); \
    break;
#include "sidl_kinds.def"
      case sidl_kind_enum:
        put(enum_value(type, given, place), at);
        break;
      case sidl_kind_struct:
        store(type.name, *table->type.structure, given, place, at);
        break;
      case sidl_kind_array: {  // which lies in the struct
        const std::string bytes = inline_bytes(type, given, place);
        std::memcpy(at, bytes.data(), bytes.size());
        break;
      }
      default:
        throw UsageError(place + ": a value of type " + type.text() +
                         " has no meaning in another process");
    }
    ++table;
  }
}

sidl::array<char> chars(const std::string& from) {
  const auto array = sidl::array<char>::create1d(static_cast<std::int64_t>(from.size()));
  std::memcpy(array.first(), from.data(), from.size());
  return array;
}

/** Others: a row for each, and their texts; then what goes one by one, long texts last. */
void ValuePacker::records(const std::string& key, const std::string& name,
                          const sidl_struct_info& layout, const Elements& all,
                          const std::string& where) const {
  RowWriter rows;
  for (const auto& [at, from] : all) row(name, *from, indexed(where, at), rows);
  const std::string texts = rows.texts();
  if (!rows.rows().empty() || !texts.empty()) {
    to_.packLong(key + ".layout", sidl_struct_layout_digest(&layout));
  }
  if (!rows.rows().empty()) {
    to_.packCharArray(key + ".rows", chars(rows.rows()), sidl_column_major_order, 1, false);
  }
  if (!texts.empty()) {
    to_.packCharArray(key + ".texts", chars(texts), sidl_column_major_order, 1, false);
  }
  columns(key, name, all, where, "");
  for (const std::string& text : rows.apart()) to_.packString(key + ".text", text);
}

void ValuePacker::row(const std::string& name, const json& from, const std::string& where,
                      RowWriter& to) const {
  for (const auto& [member, type] : checked_members(name, from, where)) {
    const json& given = from.at(member);
    const std::string place = where + "." + member;
    switch (type.kind) {
#define SIDL_BOOL(name, kind, array, ctype, Name, numpy)                   \
  case kind:                                                               \
    to.number<std::uint8_t>(scalar_from_json<bool>(given, place) ? 1 : 0); \
    break;
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy)                   \
  case kind:                                                                 \
    to.number(scalar_from_json<sidl::basic_type<kind>::type>(given, place)); \
    break;
#include "sidl_kinds.def"
      case sidl_kind_enum:
        to.number(enum_value(type, given, place));
        break;
      case sidl_kind_string:
        to.text(scalar_from_json<std::string>(given, place));
        break;
      case sidl_kind_struct:
        row(type.name, given, place, to);
        break;
      case sidl_kind_array:
        if (type.is_inline()) to.bytes(inline_bytes(type, given, place));
        break;
      default:
        break;
    }
  }
}

/** A member of all elements, one by one. `path`: of the struct within the element, ".first". */
void ValuePacker::columns(const std::string& key, const std::string& name, const Elements& all,
                          const std::string& where, const std::string& path) const {
  for (const auto& [member, type] : members_of(types_, name)) {
    if (type.kind == sidl_kind_enum || type.is_inline() ||
        (sidl_simple_kinds & SIDL_KIND_BIT(type.kind)) != 0)
      continue;
    Elements inner;
    for (const auto& [at, from] : all) inner.emplace_back(at, &from->at(member));
    const std::string inside = path + "." + member;
    if (type.kind == sidl_kind_struct) {
      columns(key + "." + member, type.name, inner, where, inside);
      continue;
    }
    for (const auto& [at, from] : inner) {
      value(key + "." + member, type, *from, indexed(where, at) + inside);
    }
  }
}

// ---- everything else
// -----------------------------------------------------------------------------

const Enumerators& ValuePacker::enumerators(const std::string& name) const {
  static const Enumerators none;
  const auto found = types_.enums.find(name);
  return found == types_.enums.end() ? none : found->second;
}

std::int64_t ValuePacker::enum_value(const Type& type, const json& from,
                                     const std::string& where) const {
  return enum_from_json(from, type.name, enumerators(type.name), where);
}

/** The members of a struct, all of which the JSON object must have, and no others. */
const Members& ValuePacker::checked_members(const std::string& name, const json& from,
                                            const std::string& where) const {
  const Members& members = members_of(types_, name);
  if (!from.is_object()) {
    const std::string first = members.empty() ? "" : "\"" + members.front().first + "\": …";
    throw UsageError(where + ": " + name + " must be a JSON object: {" + first + "}");
  }
  std::vector<std::string> names;
  for (const auto& [member, type] : members) names.push_back(member);
  for (const auto& [member, unused] : from.items()) {
    if (std::find(names.begin(), names.end(), member) == names.end()) {
      throw UsageError(where + ": " + name + " has no member '" + member + "'" +
                       did_you_mean(member, names));
    }
  }
  for (const auto& [member, type] : members) {
    if (from.contains(member)) continue;
    throw UsageError(where + "." + member + " is missing: " + type.text());
  }
  return members;
}

void ValuePacker::structure(const std::string& key, const std::string& name, const json& from,
                            const std::string& where) const {
  for (const auto& [member, type] : checked_members(name, from, where)) {
    value(key + "." + member, type, from.at(member), where + "." + member);
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
      return to_.packLong(key, enum_value(type, from, where));
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
