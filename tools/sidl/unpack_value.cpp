#include "unpack_value.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "array_calls.hpp"
#include "layouts.hpp"
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
  json load(const std::string& name, const sidl_struct_info& layout, const char* from) const;
  std::vector<json> columns(const std::string& key, const std::string& name,
                            const Shape& shape) const;
  std::vector<json> column(const std::string& key, const Type& type, const Shape& shape) const;
  template <class T>
  std::vector<json> simple_column(const std::string& key, const Type& type,
                                  const Shape& shape) const;
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

template <class Function>
json array_to_json(const Indices& lower, const Indices& upper, const Function& element) {
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
    known = lower >= -SIDL_MAX_ARRAY_INDEX && upper <= SIDL_MAX_ARRAY_INDEX && lower <= upper + 1 &&
            !__builtin_mul_overflow(shape.count, static_cast<std::size_t>(upper - lower + 1),
                                    &shape.count);
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
  if (shape.count > 0) all = columns(key, type.name, shape);
  std::map<Indices, json> by_index;
  auto next = all.begin();
  for_each_in_column_order(shape, [&](const Indices& at) { by_index[at] = std::move(*next++); });
  return array_to_json(shape.lower, shape.upper, [&](const Indices& at) { return by_index[at]; });
}

/** The structs, first index fastest, member by member. Nothing is made of the shape alone, which
 * may be forged: each column brings as many values as it announces. */
std::vector<json> ValueUnpacker::columns(const std::string& key, const std::string& name,
                                         const Shape& shape) const {
  std::vector<json> all;
  for (const auto& [member, type] : members_of(types_, name)) {
    const std::string inner = key + "." + member;
    std::vector<json> values = type.kind == sidl_kind_struct ? columns(inner, type.name, shape)
                                                             : column(inner, type, shape);
    if (all.empty()) all.resize(shape.count, json::object());
    for (std::size_t i = 0; i < all.size(); ++i) all[i][member] = std::move(values[i]);
  }
  if (all.empty()) all.resize(shape.count, json::object());
  return all;
}

std::vector<json> ValueUnpacker::column(const std::string& key, const Type& type,
                                        const Shape& shape) const {
  std::vector<json> values;
  if (type.kind != sidl_kind_enum && type.kind > sidl_kind_string) {
    for (std::size_t i = 0; i < shape.count; ++i) values.push_back(value(key, type));
    return values;
  }
  Type of = type;
  of.element = type.kind;
  with_element(of.element, [&](auto tag) {
    values = simple_column<typename decltype(tag)::type>(key, of, shape);
  });
  return values;
}

template <class T>
std::vector<json> ValueUnpacker::simple_column(const std::string& key, const Type& type,
                                               const Shape& shape) const {
  const auto dimension = static_cast<std::int32_t>(shape.lower.size());
  sidl::array<T> array;
  (from_.*ArrayCalls<T>::unpack)(key, array, sidl_general_order, dimension, false);
  bool fits = array._not_nil() && array.dimen() == dimension;
  for (std::int32_t d = 0; fits && d < dimension; ++d) {
    const auto at = static_cast<std::size_t>(d);
    fits = array.lower64(d) == shape.lower[at] && array.upper64(d) == shape.upper[at];
  }
  if (!fits) throw std::runtime_error("'" + key + "' has another shape than its array of structs");
  std::vector<json> values;
  for_each_in_column_order(shape,
                           [&](const Indices& at) { values.push_back(element(array, type, at)); });
  return values;
}

std::size_t position(const Shape& shape, const Indices& at, bool in_rows) {
  std::size_t result = 0;
  const std::size_t dimension = at.size();
  for (std::size_t i = 0; i < dimension; ++i) {
    const std::size_t d = in_rows ? i : dimension - 1 - i;
    result = result * static_cast<std::size_t>(shape.upper[d] - shape.lower[d] + 1) +
             static_cast<std::size_t>(at[d] - shape.lower[d]);
  }
  return result;
}

json ValueUnpacker::bytes(const std::string& key, const std::string& name,
                          const sidl_struct_info& layout, const Shape& shape) const {
  std::int64_t digest = 0;
  std::int32_t order = 0;
  from_.unpackLong(key + ".layout", digest);
  if (digest != sidl_struct_layout_digest(&layout)) {
    throw std::runtime_error("'" + key + "': struct " + name +
                             " lies in the server's memory in another way than in this program's");
  }
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
                first + position(shape, at, order == sidl_row_major_order) * layout.size);
  });
}

template <class T>
T value_at(const char* from) {
  T result{};
  std::memcpy(&result, from, sizeof result);
  return result;
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
  const bool is_sent = type.element != sidl_kind_void && type.element != sidl_kind_opaque &&
                       type.element != sidl_kind_struct;
  if (!is_sent) {
    throw std::runtime_error("'" + key +
                             "' is an array whose elements cannot be sent to another process");
  }
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
      return nullptr;
  }
}

}  // namespace

json unpack_value(const Deserializer& from, const TypeInfo& types, const std::string& key,
                  const Type& type, std::vector<sidl::BaseInterface>& objects) {
  return ValueUnpacker(from, types, objects).value(key, type);
}

}  // namespace sidl_tool
