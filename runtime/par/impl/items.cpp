#include "impl/items.hpp"

#include <cstring>
#include <utility>

#include "core/digest.hpp"
#include "sidl_protocol.hxx"

namespace shinar::par {
namespace {

using ::sidl::exception_slot;
using Exception = struct sidl_BaseInterface__object*;

std::size_t size_of_number(int kind) {
  switch (kind) {
#define SIDL_STRING(name, number, array, ctype, Name, numpy)
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return sizeof(ctype);
#include "sidl_kinds.def"
    default:
      return 0;
  }
}

// What a function of a sink or source throws becomes its exception.
template <typename Work>
sidl_bool guarded(Exception* ex, Work work) noexcept {
  *ex = nullptr;
  try {
    work();
    return TRUE;
  } catch (const ::sidl::StubBase& thrown) {
    ::sidl::add_ref(thrown._get_self());
    *ex = ::sidl::as_base(thrown._get_self());
  } catch (const std::exception& failure) {
    sidl_rmi_throw(::sidl::rmi::ProtocolException::_type_info(), failure.what(), 0, 0, __FILE__,
                   __LINE__, "sidl.par.CallValues", ex);
  }
  return FALSE;
}

// ---- sink
// ----------------------------------------------------------------------------------------

Item& add(sidl_sink* self, Item::Sort sort) {
  Items& items = *reinterpret_cast<ItemSink*>(self)->items;
  items.emplace_back();
  items.back().sort = sort;
  return items.back();
}

sidl_bool put(sidl_sink* self, const char*, enum sidl_kind kind, const void* value, Exception* ex) {
  return guarded(ex, [&] {
    if (kind == sidl_kind_string) {
      Item& item = add(self, Item::Sort::Text);
      const char* const text = *static_cast<char* const*>(value);
      item.is_null = text == nullptr;
      item.text = ::sidl::to_string(text);
      return;
    }
    Item& item = add(self, Item::Sort::Number);
    item.type.kind = static_cast<std::uint8_t>(kind);
    std::memcpy(item.number.data(), value, size_of_number(kind));
  });
}

// A copy of an array, or another reference to it.
struct sidl__array* own(struct sidl__array* array, const sidl_type_ref& type, bool is_copied) {
  if (array == nullptr) return nullptr;
  struct sidl__array* result = nullptr;
  if (is_copied) {
    const int32_t dimen = sidl__array_dimen(array);
    std::vector<int64_t> lower;
    std::vector<int64_t> upper;
    for (int32_t axis = 0; axis < dimen; ++axis) {
      lower.push_back(sidl__array_lower64(array, axis));
      upper.push_back(sidl__array_upper64(array, axis));
    }
    const int32_t own_order =
        sidl__array_isColumnOrder(array) ? sidl_column_major_order : sidl_row_major_order;
    const int32_t order = type.order != 0 ? int32_t{type.order} : own_order;
    result = sidl__array_create(sidl__array_type(array), order, dimen, lower.data(), upper.data());
    if (result != nullptr) sidl__array_copy(array, result);
  } else {
    sidl__array_addRef(array);
    result = array;
  }
  if (result == nullptr) throw std::bad_alloc();
  return result;
}

sidl_bool put_array(sidl_sink* self, const char*, const sidl_type_ref* type,
                    struct sidl__array* array, Exception* ex) {
  return guarded(ex, [&] {
    Item& item = add(self, Item::Sort::Array);
    item.type = *type;
    item.type.flags = 0;
    if (item.type.element == sidl_kind_enum) item.type.element = sidl_kind_long;
    item.array = ::sidl::basearray(own(array, *type, reinterpret_cast<ItemSink*>(self)->kept));
  });
}

sidl_bool put_object(sidl_sink* self, const char*, Exception object, Exception* ex) {
  return guarded(ex, [&] {
    Item& item = add(self, Item::Sort::Object);
    if (object != nullptr) ::sidl::add_ref(object);
    item.object = ::sidl::BaseInterface(object);
  });
}

sidl_bool put_copy(sidl_sink* self, const char*, struct sidl_io_Serializable__object* object,
                   Exception* ex) {
  return guarded(ex, [&] {
    Item& item = add(self, Item::Sort::Copy);
    if (object != nullptr) ::sidl::add_ref(object);
    item.copy = ::sidl::io::Serializable(object);
  });
}

// ---- source
// --------------------------------------------------------------------------------------

const Item& take(sidl_source* self, Item::Sort sort) {
  auto& source = *reinterpret_cast<ItemSource*>(self);
  if (source.next == source.items->size() || (*source.items)[source.next].sort != sort) {
    throw std::runtime_error("the values of a call do not fit its method");
  }
  return (*source.items)[source.next++];
}

sidl_bool get(sidl_source* self, const char*, enum sidl_kind kind, void* value, Exception* ex) {
  return guarded(ex, [&] {
    if (kind == sidl_kind_string) {
      const Item& item = take(self, Item::Sort::Text);
      *static_cast<char**>(value) = item.is_null ? nullptr : ::sidl::to_c(item.text);
      return;
    }
    const Item& item = take(self, Item::Sort::Number);
    if (item.type.kind != kind) {
      throw std::runtime_error("a value of a call has another type than its method says");
    }
    std::memcpy(value, item.number.data(), size_of_number(kind));
  });
}

sidl_bool get_array(sidl_source* self, const char*, const sidl_type_ref* type,
                    struct sidl__array** array, Exception* ex) {
  return guarded(ex, [&] {
    const Item& item = take(self, Item::Sort::Array);
    const bool is_enum = type->element == sidl_kind_enum;
    const int element = is_enum ? int{sidl_kind_long} : int{type->element};
    if (item.type.element != element) {
      throw std::runtime_error("an array of a call has other elements than its method says");
    }
    *array = own(item.array._get_ior(), *type, false);
  });
}

sidl_bool get_object(sidl_source* self, const char*, Exception* object, Exception* ex) {
  return guarded(ex, [&] {
    ::sidl::BaseInterface taken = take(self, Item::Sort::Object).object;
    *object = ::sidl::release(taken);
  });
}

sidl_bool get_copy(sidl_source* self, const char*, struct sidl_io_Serializable__object** object,
                   Exception* ex) {
  return guarded(ex, [&] {
    ::sidl::io::Serializable taken = take(self, Item::Sort::Copy).copy;
    *object = ::sidl::release(taken);
  });
}

const sidl_sink_functions kSink = {FALSE, put, put_array, put_object, put_copy};
const sidl_source_functions kSource = {FALSE, get, get_array, get_object, get_copy};

// ---- messages
// ------------------------------------------------------------------------------------

// What an item is, in one number.
int32_t tag_of(const Item& item) {
  const int kind = item.sort == Item::Sort::Array ? item.type.element : item.type.kind;
  return static_cast<int32_t>(item.sort) | kind << 4 | item.type.dimension << 12 |
         item.type.order << 16 | int{item.is_null} << 20;
}

Item item_of(int32_t tag) {
  Item item{};
  item.sort = static_cast<Item::Sort>(tag & 15);
  const auto kind = static_cast<std::uint8_t>(tag >> 4 & 255);
  const bool is_array = item.sort == Item::Sort::Array;
  item.is_null = (tag >> 20 & 1) != 0;
  item.type.dimension = static_cast<std::uint8_t>(tag >> 12 & 15);
  item.type.order = static_cast<std::uint8_t>(tag >> 16 & 15);
  (is_array ? item.type.element : item.type.kind) = kind;
  const bool is_sound = item.sort <= Item::Sort::Copy && item.type.dimension <= 7 &&
                        item.type.order <= 2 &&
                        (item.sort != Item::Sort::Number || size_of_number(kind) != 0) &&
                        (!is_array || size_of_number(kind) != 0 || kind == sidl_kind_string);
  if (!is_sound) {
    ::sidl::protocol::fail<::sidl::rmi::ProtocolException>(
        "the values of a call of a parallel object are damaged");
  }
  return item;
}

void put_item(sidl_sink& sink, const char* key, const Item& item, Exception* ex) {
  switch (item.sort) {
    case Item::Sort::Number:
      sink.functions->put(&sink, key, static_cast<sidl_kind>(item.type.kind), item.number.data(),
                          ex);
      break;
    case Item::Sort::Text: {
      const char* const text = item.text.c_str();
      sink.functions->put(&sink, key, sidl_kind_string, &text, ex);
      break;
    }
    case Item::Sort::Array:
      sink.functions->put_array(&sink, key, &item.type, item.array._get_ior(), ex);
      break;
    case Item::Sort::Object:
      sink.functions->put_object(&sink, key, item.object._get_ior(), ex);
      break;
    case Item::Sort::Copy:
      sink.functions->put_copy(&sink, key, item.copy._get_ior(), ex);
      break;
  }
}

void get_item(sidl_source& source, const char* key, Item& item, Exception* ex) {
  switch (item.sort) {
    case Item::Sort::Number:
      source.functions->get(&source, key, static_cast<sidl_kind>(item.type.kind),
                            item.number.data(), ex);
      break;
    case Item::Sort::Text: {
      char* text = nullptr;
      source.functions->get(&source, key, sidl_kind_string, &text, ex);
      item.text = ::sidl::to_string(::sidl::c_string(text).get());
      break;
    }
    case Item::Sort::Array: {
      struct sidl__array* array = nullptr;
      source.functions->get_array(&source, key, &item.type, &array, ex);
      item.array = ::sidl::basearray(array);
      break;
    }
    case Item::Sort::Object: {
      Exception object = nullptr;
      source.functions->get_object(&source, key, &object, ex);
      item.object = ::sidl::BaseInterface(object);
      break;
    }
    case Item::Sort::Copy: {
      struct sidl_io_Serializable__object* copy = nullptr;
      source.functions->get_copy(&source, key, &copy, ex);
      item.copy = ::sidl::io::Serializable(copy);
      break;
    }
  }
}

}  // namespace

Item text_item(std::string text) {
  Item item{};
  item.sort = Item::Sort::Text;
  item.text = std::move(text);
  return item;
}

ItemSink sink_of(Items& items, bool kept) {
  return {{&kSink}, &items, kept};
}

ItemSource source_of(const Items& items) {
  return {{&kSource}, &items, 0};
}

void pack(const Items& items, ::sidl::io::Serializer& into) {
  sidl_serializer_sink sink = sidl_sink_of_serializer(into._get_ior());
  into.packInt("count", static_cast<int32_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string key = std::to_string(i);
    exception_slot ex;
    into.packInt(key + ".type", tag_of(items[i]));
    put_item(sink.base, key.c_str(), items[i], ex.ptr());
    ex.check<>();
  }
}

Items unpack(::sidl::io::Deserializer& from) {
  sidl_deserializer_source source = sidl_source_of_deserializer(from._get_ior());
  int32_t count = 0;
  from.unpackInt("count", count);
  Items items;
  for (int32_t i = 0; i < count; ++i) {
    const std::string key = std::to_string(i);
    int32_t tag = 0;
    exception_slot ex;
    from.unpackInt(key + ".type", tag);
    items.push_back(item_of(tag));
    get_item(source.base, key.c_str(), items.back(), ex.ptr());
    ex.check<>();
  }
  return items;
}

std::uint64_t digest_of(const Items& items) {
  Digest digest;
  for (const Item& item : items) {
    const int32_t tag = tag_of(item);
    digest.add(tag);
    digest.add(item.number.data(), item.number.size());
    digest.add(item.text.data(), item.text.size());
    const ::sidl::basearray dense(
        sidl__array_ensure(item.array._get_ior(), item.array.dimen(), sidl_row_major_order));
    if (dense._is_nil() || item.type.element == sidl_kind_string) continue;
    digest.add(
        sidl__array_first(dense._get_ior()),
        sidl__array_element_count(dense._get_ior()) * sidl__array_element_bytes(dense._get_ior()));
  }
  return digest.value();
}

}  // namespace shinar::par
