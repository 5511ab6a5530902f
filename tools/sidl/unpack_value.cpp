#include "unpack_value.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "array_calls.hpp"
#include "scalars.hpp"
#include "sidl_ClassInfo.hxx"
#include "sidl_io_Serializable.hxx"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;
using sidl::io::Deserializer;
using Indices = std::vector<std::int64_t>;

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
  json objects(const std::string& key, const Type& type) const;
  template <class T>
  json elements(const std::string& key, const Type& type) const;
  json enumerator(const std::string& name, std::int64_t number) const;

  const Deserializer& from_;
  const TypeInfo& types_;
  std::vector<sidl::BaseInterface>& objects_;
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
json ValueUnpacker::elements(const std::string& key, const Type& type) const {
  sidl::array<T> array;
  (from_.*ArrayCalls<T>::unpack)(key, array, type.order, type.dimension, false);
  if (array._is_nil()) return nullptr;
  Indices lower, upper;
  for (std::int32_t d = 0; d < array.dimen(); ++d) {
    lower.push_back(array.lower64(d));
    upper.push_back(array.upper64(d));
  }
  return array_to_json(lower, upper, [&](const Indices& at) -> json {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (type.element == sidl_kind_enum) return enumerator(type.name, array.get(at.data()));
    }
    return to_json(array.get(at.data()));
  });
}

/** The bounds, as pack_value packs them, then the objects, first index fastest. */
json ValueUnpacker::objects(const std::string& key, const Type& type) const {
  sidl::array<std::int64_t> shape;
  from_.unpackLongArray(key + ".shape", shape, 0, 1, false);
  if (shape._is_nil()) return nullptr;
  const std::int64_t first = shape.lower64(0);
  const std::int64_t dimension = shape.length64(0) > 0 ? shape.get(first) : 0;
  const bool known = dimension >= 1 && dimension <= SIDL_MAX_ARRAY_DIMENSION &&
                     shape.length64(0) == 1 + 2 * dimension;
  if (!known) throw std::runtime_error("'" + key + "' has an invalid array shape");
  Indices lower, upper;
  for (std::int64_t d = 0; d < dimension; ++d) {
    const std::int64_t low = first + 1 + d;
    lower.push_back(shape.get(low));
    upper.push_back(shape.get(low + dimension));
  }
  // They come in the opposite order of nested lists, so the indices are iterated in reverse.
  std::map<Indices, json> all;
  Indices index;
  const auto put = [&](const Indices& at) -> json {
    all[Indices(at.rbegin(), at.rend())] = object(key, type.copy);
    return nullptr;
  };
  nested(Indices(lower.rbegin(), lower.rend()), Indices(upper.rbegin(), upper.rend()), index, put);
  return array_to_json(lower, upper, [&](const Indices& at) { return all[at]; });
}

json ValueUnpacker::array(const std::string& key, const Type& type) const {
  if (type.element == sidl_kind_void) return generic(key);
  if (type.element == sidl_kind_interface || type.element == sidl_kind_class) {
    return objects(key, type);
  }
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
  if (type.element == sidl_kind_void || type.element == sidl_kind_opaque) {
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
  const auto found = types_.structs.find(name);
  if (found == types_.structs.end())
    throw std::runtime_error("the server does not describe " + name);
  json result = json::object();
  for (const auto& [member, type] : found->second) {
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
