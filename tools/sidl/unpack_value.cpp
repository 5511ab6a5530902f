#include "unpack_value.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "array_calls.hpp"
#include "layouts.hpp"
#include "rows.hpp"
#include "scalars.hpp"
#include "sidl_ClassInfo.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_struct_array.h"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;
using sidl::io::Deserializer;
using Indices = std::vector<std::int64_t>;

/** The bounds of an array. */
struct Shape {
  Indices lower, upper;
  std::size_t count = 1;  ///< of elements
};

/** A member of all structs of an array. */
struct Column {
  std::string key;
  const Type& type;
  std::vector<json> values;
  std::vector<std::size_t> apart;  ///< the texts that are sent apart
};
using Columns = std::vector<Column>;

bool is_text(const Column& column) {
  return column.type.kind == sidl_kind_string;
}

bool is_number(const Column& column) {
  const std::uint32_t numbers = sidl_number_kinds | SIDL_KIND_BIT(sidl_kind_enum);
  return column.type.is_inline() || (numbers & SIDL_KIND_BIT(column.type.kind)) != 0;
}

/** Structs may contain arrays of themselves, and a peer may nest them as deep as it likes. */
class Nesting {
 public:
  Nesting(int& depth, const std::string& key) : depth_(depth) {
    if (depth_ > kDeepest) {
      throw std::runtime_error("'" + key.substr(0, 100) + "…': arrays of structs are nested more " +
                               "than " + std::to_string(kDeepest) + " deep");
    }
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  static constexpr int kDeepest = 64;  ///< as for libsidl
  int& depth_;
};

class ValueUnpacker {
 public:
  ValueUnpacker(const Deserializer& from, const TypeInfo& types,
                std::vector<sidl::BaseInterface>& objects)
      : from_(from), types_(types), objects_(objects) {}

  json value(const std::string& key, const Type& type) const;

 private:
  template <class T>
  json scalar(void (Deserializer::*unpack)(const std::string&, T&) const,
              const std::string& key) const {
    T result{};
    (from_.*unpack)(key, result);
    return to_json(result);
  }
  json structure(const std::string& key, const std::string& name) const;
  json object(const std::string& key, bool copy) const;
  json array(const std::string& key, const Type& type) const;
  json generic(const std::string& key) const;
  bool shape(const std::string& key, Shape& shape) const;
  json objects(const std::string& key, const Type& type) const;
  json structs(const std::string& key, const Type& type) const;
  json bytes(const std::string& key, const std::string& name, const sidl_struct_info& layout,
             const Shape& shape) const;
  void check_layout(const std::string& key, const std::string& name,
                    const sidl_struct_info& layout) const;
  json load(const std::string& name, const sidl_struct_info& layout, const char* from) const;
  std::vector<json> records(const std::string& key, const std::string& name,
                            const sidl_struct_info& layout, const Shape& shape) const;
  void add_columns(const std::string& key, const std::string& name, Columns& columns) const;
  void rows(const std::string& key, const std::string& name, const sidl_struct_info& layout,
            const Shape& shape, Columns& columns) const;
  json joined(const std::string& name, std::size_t index, Columns::iterator& next) const;
  template <class T>
  json element(const sidl::array<T>& array, const Type& type, const Indices& at) const;
  template <class T>
  json elements(const std::string& key, const Type& type) const;
  json enumerator(const std::string& name, std::int64_t number) const;

  const Deserializer& from_;
  const TypeInfo& types_;
  std::vector<sidl::BaseInterface>& objects_;
  mutable int nesting_ = 0;  ///< of arrays of structs
};

/** Nested lists of the results of `element(index)`. */
template <class Function>
json nested(const Indices& lower, const Indices& upper, Indices& index, const Function& element) {
  const std::size_t depth = index.size();
  if (depth == lower.size()) return element(index);
  json list = json::array();
  for (std::int64_t i = lower[depth]; i <= upper[depth]; ++i) {
    index.push_back(i);
    list.push_back(nested(lower, upper, index, element));
    index.pop_back();
  }
  return list;
}

/** Where there are no elements, a peer may announce any number of lists of none. */
void check_lists(const Indices& lower, const Indices& upper) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  std::int64_t lists = 1;
  for (std::size_t d = 0; d < lower.size(); ++d) {
    const std::int64_t length = sidl_array_extent(lower[d], upper[d]);
    if (length == 0 && lists > most) {
      throw std::runtime_error("an array of no elements has more than " + std::to_string(most) +
                               " lists");
    }
    if (length == 0) return;
    lists = length > most ? most + 1 : std::min(lists, most + 1) * length;
  }
}

template <class Function>
json array_to_json(const Indices& lower, const Indices& upper, const Function& element) {
  check_lists(lower, upper);
  Indices index;
  json data = nested(lower, upper, index, element);
  const bool plain = std::all_of(lower.begin(), lower.end(), [](auto each) { return each == 0; });
  if (plain) return data;
  return {{"lower", lower}, {"data", std::move(data)}};
}

template <class T>
json ValueUnpacker::element(const sidl::array<T>& array, const Type& type,
                            const Indices& at) const {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (type.element == sidl_kind_enum) return enumerator(type.name, array.get(at.data()));
  }
  return to_json(array.get(at.data()));
}

template <class T>
json ValueUnpacker::elements(const std::string& key, const Type& type) const {
  sidl::array<T> array;
  (from_.*ArrayCalls<T>::unpack)(key, array, type.order, type.dimension, false);
  if (array._is_nil()) return nullptr;
  Indices lower, upper;
  for (std::int32_t d = 0; d < array.dimen(); ++d) {
    lower.push_back(array.lower64(d));
    upper.push_back(array.upper64(d));
  }
  return array_to_json(lower, upper, [&](const Indices& at) { return element(array, type, at); });
}

/** The bounds, as pack_value packs them; false for a null array. */
bool ValueUnpacker::shape(const std::string& key, Shape& shape) const {
  sidl::array<std::int64_t> sent;
  from_.unpackLongArray(key + ".shape", sent, 0, 1, false);
  if (sent._is_nil()) return false;
  const std::int64_t first = sent.lower64(0);
  const std::int64_t dimension = sent.length64(0) > 0 ? sent.get(first) : 0;
  bool known = dimension >= 1 && dimension <= SIDL_MAX_ARRAY_DIMENSION &&
               sent.length64(0) == 1 + 2 * dimension;
  for (std::int64_t d = 0; known && d < dimension; ++d) {
    const std::int64_t lower = sent.get(first + 1 + d);
    const std::int64_t upper = sent.get(first + 1 + d + dimension);
    const std::int64_t length = sidl_array_extent(lower, upper);
    known = length >= 0 &&
            !__builtin_mul_overflow(shape.count, static_cast<std::size_t>(length), &shape.count);
    shape.lower.push_back(lower);
    shape.upper.push_back(upper);
  }
  if (!known) throw std::runtime_error("'" + key + "' has an invalid array shape");
  return true;
}

/** Calls `f(index)` for each element, first index fastest. */
template <class Function>
void for_each_in_column_order(const Shape& shape, const Function& f) {
  Indices index = shape.lower;
  for (std::size_t i = 0; i < shape.count; ++i) {
    f(index);
    for (std::size_t d = 0; d < index.size() && ++index[d] > shape.upper[d]; ++d) {
      index[d] = shape.lower[d];
    }
  }
}

/** The shape, then the objects, first index fastest. */
json ValueUnpacker::objects(const std::string& key, const Type& type) const {
  Shape shape;
  if (!this->shape(key, shape)) return nullptr;
  std::map<Indices, json> all;
  for_each_in_column_order(shape, [&](const Indices& at) { all[at] = object(key, type.copy); });
  return array_to_json(shape.lower, shape.upper, [&](const Indices& at) { return all[at]; });
}

// ---- arrays of structs (sidl_marshal.h) ---------------------------------------------------------

json ValueUnpacker::structs(const std::string& key, const Type& type) const {
  const Nesting deeper(nesting_, key);
  Shape shape;
  if (!this->shape(key, shape)) return nullptr;
  Layouts layouts(types_);
  const sidl_struct_info& layout = layouts.find(type.name);
  if (shape.count > 0 && sidl_struct_is_plain(&layout)) {
    return bytes(key, type.name, layout, shape);
  }
  std::vector<json> all;
  if (shape.count > 0) all = records(key, type.name, layout, shape);
  std::map<Indices, json> by_index;
  auto next = all.begin();
  for_each_in_column_order(shape, [&](const Indices& at) { by_index[at] = std::move(*next++); });
  return array_to_json(shape.lower, shape.upper, [&](const Indices& at) { return by_index[at]; });
}

/** Members of a struct in the struct, too. */
void ValueUnpacker::add_columns(const std::string& key, const std::string& name,
                                Columns& columns) const {
  for (const auto& [member, type] : members_of(types_, name)) {
    const std::string inner = key + "." + member;
    if (type.kind == sidl_kind_struct) {
      add_columns(inner, type.name, columns);
    } else {
      columns.push_back({inner, type, {}, {}});
    }
  }
}

std::size_t position(const Indices& lower, const Indices& upper, const Indices& at, bool in_rows) {
  std::size_t result = 0;
  const std::size_t dimension = at.size();
  for (std::size_t i = 0; i < dimension; ++i) {
    const std::size_t d = in_rows ? i : dimension - 1 - i;
    result = result * static_cast<std::size_t>(upper[d] - lower[d] + 1) +
             static_cast<std::size_t>(at[d] - lower[d]);
  }
  return result;
}

template <class T>
T value_at(const char* from) {
  T result{};
  std::memcpy(&result, from, sizeof result);
  return result;
}

/** An array that lies in a struct, whose elements begin there. */
json inline_json(const Type& type, const char* from) {
  json result;
  Indices upper;
  for (const std::int64_t length : type.lengths) upper.push_back(length - 1);
  const Indices lower(upper.size(), 0);
  with_element(type.element, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_trivially_copyable_v<T>) {
      result = array_to_json(lower, upper, [&](const Indices& at) {
        return to_json(value_at<T>(from + position(lower, upper, at, false) * sizeof(T)));
      });
    }
  });
  return result;
}

std::size_t element_bytes(sidl_kind kind) {
  return sidl__array_element_size(sidl_array_type_of(kind));
}

std::size_t bytes_in_row(const Column& column) {
  if (column.type.is_inline()) return column.type.count() * element_bytes(column.type.element);
  switch (column.type.kind) {
    case sidl_kind_bool:
      return 1;
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case number:                                               \
    return sizeof(ctype);
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return sizeof(std::int64_t);
    default:
      return 0;
  }
}

json number_of(const Column& column, RowReader& from) {
  if (column.type.is_inline()) {
    return inline_json(column.type, from.bytes(bytes_in_row(column)));
  }
  switch (column.type.kind) {
    case sidl_kind_bool:
      return to_json(from.boolean());
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) \
  case kind:                                               \
    return to_json(from.number<sidl::basic_type<kind>::type>());
#include "sidl_kinds.def"
    default:
      return nullptr;
  }
}

std::string_view text_of(const sidl::array<char>& array) {
  if (array._is_nil()) return {};
  return {array.first(), static_cast<std::size_t>(array.size())};
}

/** Numbers and texts, first index fastest. */
void ValueUnpacker::rows(const std::string& key, const std::string& name,
                         const sidl_struct_info& layout, const Shape& shape,
                         Columns& columns) const {
  std::size_t numbers = 0;
  for (const Column& column : columns) numbers += bytes_in_row(column);
  const auto texts =
      static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), is_text));
  if (numbers + texts == 0) return;
  check_layout(key, name, layout);
  sidl::array<char> rows, all_texts;
  if (numbers > 0) {
    from_.unpackCharArray(key + ".rows", rows, sidl_column_major_order, 1, false);
  }
  if (texts > 0) {
    from_.unpackCharArray(key + ".texts", all_texts, sidl_column_major_order, 1, false);
  }
  RowReader from(text_of(rows), text_of(all_texts), numbers, texts, shape.count);
  for (std::size_t i = 0; i < shape.count; ++i) {
    for (Column& column : columns) {
      if (column.type.kind == sidl_kind_enum) {
        column.values.push_back(enumerator(column.type.name, from.number<std::int64_t>()));
      } else if (is_number(column)) {
        column.values.push_back(number_of(column, from));
      } else if (is_text(column)) {
        const std::optional<std::string> text = from.text();
        column.values.push_back(text ? to_json(*text) : json(nullptr));
        if (!text) column.apart.push_back(i);
      }
    }
  }
}

/** A struct, from the columns of its members. */
json ValueUnpacker::joined(const std::string& name, std::size_t index,
                           Columns::iterator& next) const {
  json result = json::object();
  for (const auto& [member, type] : members_of(types_, name)) {
    if (type.kind == sidl_kind_struct) {
      result[member] = joined(type.name, index, next);
    } else {
      result[member] = std::move((next++)->values[index]);
    }
  }
  return result;
}

/** The structs, first index fastest. Nothing is made of the shape alone, which may be forged: rows
 * are as many as it announces, and so are values that come one by one. */
std::vector<json> ValueUnpacker::records(const std::string& key, const std::string& name,
                                         const sidl_struct_info& layout, const Shape& shape) const {
  Columns columns;
  add_columns(key, name, columns);
  rows(key, name, layout, shape, columns);
  for (Column& column : columns) {
    if (is_number(column) || is_text(column)) continue;
    for (std::size_t i = 0; i < shape.count; ++i) {
      column.values.push_back(value(column.key, column.type));
    }
  }
  for (std::size_t i = 0; i < shape.count; ++i) {
    for (Column& column : columns) {
      if (!std::binary_search(column.apart.begin(), column.apart.end(), i)) continue;
      column.values[i] = scalar(&Deserializer::unpackString, key + ".text");
    }
  }
  std::vector<json> all;
  for (std::size_t i = 0; i < shape.count; ++i) {
    auto next = columns.begin();
    all.push_back(joined(name, i, next));
  }
  return all;
}

void ValueUnpacker::check_layout(const std::string& key, const std::string& name,
                                 const sidl_struct_info& layout) const {
  std::int64_t digest = 0;
  from_.unpackLong(key + ".layout", digest);
  if (digest == sidl_struct_layout_digest(&layout)) return;
  throw std::runtime_error("'" + key + "': struct " + name +
                           " has another layout in the server than in this program");
}

json ValueUnpacker::bytes(const std::string& key, const std::string& name,
                          const sidl_struct_info& layout, const Shape& shape) const {
  std::int32_t order = 0;
  check_layout(key, name, layout);
  from_.unpackInt(key + ".order", order);
  sidl::array<char> array;
  from_.unpackCharArray(key + ".bytes", array, sidl_column_major_order, 0, false);
  if (array._is_nil() || array.size() / layout.size != shape.count) {
    throw std::runtime_error("'" + key + "' is not of the announced size");
  }
  array.ensure(array.dimen(), sidl::column_major_order);
  const char* const first = array.first();
  return array_to_json(shape.lower, shape.upper, [&](const Indices& at) {
    return load(name, layout,
                first + position(shape.lower, shape.upper, at, order == sidl_row_major_order) *
                            layout.size);
  });
}

json ValueUnpacker::load(const std::string& name, const sidl_struct_info& layout,
                         const char* from) const {
  json result = json::object();
  const sidl_member_info* table = layout.members;
  for (const auto& [member, type] : members_of(types_, name)) {
    const char* const at = from + table->offset;
    json& to = result[member];
    switch (type.kind) {
#define SIDL_BOOL(name, number, array, ctype, Name, numpy) \
  case number:                                             \
    to = to_json(value_at<sidl_bool>(at) != 0);            \
    break;
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy)    \
  case number:                                                  \
    to = to_json(value_at<sidl::basic_type<number>::type>(at)); \
    break;
#include "sidl_kinds.def"
      case sidl_kind_enum:
        to = enumerator(type.name, value_at<std::int64_t>(at));
        break;
      case sidl_kind_struct:
        to = load(type.name, *table->type.structure, at);
        break;
      case sidl_kind_array:  // which lies in the struct
        to = inline_json(type, at);
        break;
      default:
        break;
    }
    ++table;
  }
  return result;
}

json ValueUnpacker::array(const std::string& key, const Type& type) const {
  if (type.element == sidl_kind_void) return generic(key);
  if (type.element == sidl_kind_interface || type.element == sidl_kind_class) {
    return objects(key, type);
  }
  if (type.element == sidl_kind_struct) return structs(key, type);
  json result;
  with_element(type.element,
               [&](auto tag) { result = elements<typename decltype(tag)::type>(key, type); });
  return result;
}

json ValueUnpacker::generic(const std::string& key) const {
  std::int32_t number = 0;
  from_.unpackInt(key + ".type", number);
  if (number == sidl_undefined_array) return nullptr;
  Type type;
  type.kind = sidl_kind_array;
  type.element = sidl_element_kind_of(number);
  const bool is_sent = type.element != sidl_kind_void && type.element != sidl_kind_opaque;
  if (!is_sent) {
    throw std::runtime_error("'" + key +
                             "' is an array whose elements cannot be sent to another process");
  }
  if (type.element == sidl_kind_struct) from_.unpackString(key + ".struct", type.name);
  const json value = array(key, type);
  json result{{"type", type.element_text()}};
  if (value.is_object()) {
    result.update(value);
  } else {
    result["data"] = value;
  }
  return result;
}

json ValueUnpacker::enumerator(const std::string& name, std::int64_t number) const {
  const auto found = types_.enums.find(name);
  return found == types_.enums.end() ? json(number) : enum_to_json(number, found->second);
}

json ValueUnpacker::structure(const std::string& key, const std::string& name) const {
  json result = json::object();
  for (const auto& [member, type] : members_of(types_, name)) {
    result[member] = value(key + "." + member, type);
  }
  return result;
}

json ValueUnpacker::object(const std::string& key, bool copy) const {
  if (copy) {
    sidl::io::Serializable object;
    from_.unpackSerializable(key, object);
    if (object._is_nil()) return nullptr;
    return {{"class", object.getClassInfo().getName()}};
  }
  sidl::BaseInterface object;
  from_.unpackObject(key, object);
  if (object._is_nil()) return nullptr;
  objects_.push_back(object);
  return object._getURL();
}

json ValueUnpacker::value(const std::string& key, const Type& type) const {
  switch (type.kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return scalar(&Deserializer::unpack##Name, key);
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
    case sidl_kind_enum: {
      std::int64_t number = 0;
      from_.unpackLong(key, number);
      return enumerator(type.name, number);
    }
    case sidl_kind_struct:
      return structure(key, type.name);
    case sidl_kind_interface:
    case sidl_kind_class:
      return object(key, type.copy);
    case sidl_kind_array:
      return array(key, type);
    default:
      throw std::runtime_error("'" + key + "': a value of type " + type.text() +
                               " has no meaning in another process");
  }
}

}  // namespace

json unpack_value(const Deserializer& from, const TypeInfo& types, const std::string& key,
                  const Type& type, std::vector<sidl::BaseInterface>& objects) {
  return ValueUnpacker(from, types, objects).value(key, type);
}

}  // namespace sidl_tool
