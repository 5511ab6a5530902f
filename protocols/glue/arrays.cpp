#include "arrays.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "array_landing.hpp"
#include "sidl_String.h"
#include "sidl_header.h"
#include "sidl_memory_space.h"
#include "space_access.hpp"

namespace shinar::wire {
namespace {

/** The C functions of each kind of array, under one name. */
template <class T>
struct Elements;

#define SHINAR_ELEMENTS(cxx_type, c_type, name, wire_kind)                   \
  template <>                                                                \
  struct Elements<cxx_type> {                                                \
    using Stored = c_type;                                                   \
    using Array = struct sidl_##name##__array;                               \
    static constexpr Kind kind = wire_kind;                                  \
    static constexpr auto ensure = &sidl_##name##__array_ensure;             \
    static constexpr auto create_row = &sidl_##name##__array_createRow64;    \
    static constexpr auto create_column = &sidl_##name##__array_createCol64; \
    static constexpr auto borrow_owned = &sidl_##name##__array_borrow_owned; \
  }

#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  SHINAR_ELEMENTS(sidl::basic_type<number>::type, ctype, name, Kind::name##_);
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
#undef SHINAR_ELEMENTS

struct sidl__array* generic(void* array) {
  return static_cast<struct sidl__array*>(array);
}

struct ArrayRelease {
  void operator()(void* array) const { sidl__array_deleteRef(generic(array)); }
};
/** A reference to an array of any type. */
using ArrayReference = std::unique_ptr<void, ArrayRelease>;

ArrayShape shape_of(const struct sidl__array& array, Kind kind, Order order) {
  ArrayShape shape;
  shape.kind = kind;
  shape.order = order;
  shape.dimension = array.d_dimen;
  for (int i = 0; i < array.d_dimen; ++i) {
    shape.lower[i] = array.d_lower[i];
    shape.upper[i] = array.d_upper[i];
  }
  return shape;
}

/** The order in which an array is sent, and whether it is dense in that order. */
struct OrderToSend {
  int order;
  bool is_dense;
};

/** The order the receiver wants, else that in memory. */
OrderToSend order_to_send(const struct sidl__array* array, std::int32_t ordering) {
  if (ordering == sidl_column_major_order) return {ordering, sidl__array_isColumnOrder(array) != 0};
  const bool is_row = sidl__array_isRowOrder(array) != 0;
  if (is_row || ordering == sidl_row_major_order) return {sidl_row_major_order, is_row};
  const bool is_column = sidl__array_isColumnOrder(array) != 0;
  return {is_column ? sidl_column_major_order : sidl_row_major_order, is_column};
}

/** The elements in the order in which they are sent. There must be at least one. */
template <class Array>
Strided places_of(const Array* array, int order) {
  const struct sidl__array& meta = array->d_metadata;
  constexpr std::size_t element = sizeof *array->d_firstElement;
  Strided::Dimension dimensions[max_dimension];
  for (int i = 0; i < meta.d_dimen; ++i) {
    const int d = order == sidl_row_major_order ? meta.d_dimen - 1 - i : i;
    const auto extent = static_cast<std::size_t>(meta.d_upper[d] - meta.d_lower[d] + 1);
    dimensions[i] = {extent, meta.d_stride[d] * std::ptrdiff_t{element}};
  }
  return {array->d_firstElement,
          element,
          {dimensions, static_cast<std::size_t>(meta.d_dimen)},
          meta.d_space == nullptr ? nullptr : &space_access(meta.d_space)};
}

/** The elements of a caller's array. */
template <class Array>
Bulk bulk_of(Array* array, int order, Sharing sharing) {
  const Strided places = places_of(array, order);
  if (sharing == Sharing::lent || places.size() < bulk_threshold) {
    return Bulk::lent(places);  // small ones are copied by put_array
  }
  if (sharing == Sharing::kept) {
    // Another reference, or a copy of a borrowed array, which may have other strides.
    ArrayReference kept(sidl__array_smartCopy(generic(array)));
    if (kept == nullptr) throw std::bad_alloc();
    const Strided kept_places = places_of(static_cast<const Array*>(kept.get()), order);
    return Bulk::owned(
        kept_places, std::shared_ptr<const void>(kept.release(), ArrayRelease()),
        [](const void* owner) {
          return sidl__array_isShared(static_cast<const struct sidl__array*>(owner)) != 0;
        });
  }
  auto copy = std::make_shared<Block>(Block::allocate(places.size()));
  const void* const data = copy->data();
  places.gather(0, {copy->data(), places.size()});
  return Bulk::owned(data, places.size(), std::move(copy));
}

/** Calls each(elements) for consecutive contiguous parts; there must be at least one element. */
template <class T, class Each>
void in_order(const Strided& places, Each each) {
  T some[256];
  for (std::size_t at = 0; at < places.size();) {
    const std::size_t bytes = std::min(sizeof some, places.size() - at);
    places.gather(at, {reinterpret_cast<std::byte*>(some), bytes});
    each(std::span<const T>(some, bytes / sizeof(T)));
    at += bytes;
  }
}

/** Calls each(index) for all below `count`, in runs of a constant length: gcc vectorises no others
 * at -O2. */
template <class Each>
void in_runs(std::size_t count, Each each) {
  constexpr std::size_t run = 64;
  std::size_t at = 0;
  for (; count - at >= run; at += run) {
    for (std::size_t i = 0; i < run; ++i) each(at + i);
  }
  for (; at < count; ++at) each(at);
}

/** Bools are ints in memory and bytes on the wire. */
void put_bools(Encoder& encoder, const ArrayShape& shape, std::size_t count,
               const Strided& places) {
  auto bytes = std::make_shared<Block>(Block::allocate(count));
  std::byte* to = bytes->data();
  in_order<sidl_bool>(places, [&to](std::span<const sidl_bool> some) {
    const sidl_bool* const from = some.data();
    std::byte* __restrict const next = to;
    in_runs(some.size(),
            [=](std::size_t i) { next[i] = static_cast<std::byte>(from[i] != 0 ? 1 : 0); });
    to += some.size();
  });
  const void* const data = bytes->data();
  encoder.put_array(shape, Bulk::owned(data, count, std::move(bytes)));
}

void put_strings(Encoder& encoder, const Strided& places) {
  in_order<char*>(places, [&encoder](std::span<char* const> some) {
    for (const char* const each : some) {
      if (each == nullptr) {
        encoder.put_null_string();
      } else {
        encoder.put_string(each);
      }
    }
  });
}

/** Strides of a dense array, whose elements have been counted. */
void dense_strides(const ArrayShape& shape, Order order, std::int64_t* strides) {
  std::int64_t stride = 1;
  for (int i = 0; i < shape.dimension; ++i) {
    const int d = order == Order::row ? shape.dimension - 1 - i : i;
    strides[d] = stride;
    // may overflow beside a dimension without elements: refused with the array
    if (__builtin_mul_overflow(stride, shape.upper[d] - shape.lower[d] + 1, &stride)) {
      throw malformed("an array is too large for its strides");
    }
  }
}

/** An array could not be made: for want of memory, unless the peer announced what no array can be.
 */
[[noreturn]] void fail_to_make(const ArrayShape& shape, Order order) {
  std::int64_t strides[max_dimension];
  dense_strides(shape, order, strides);
  throw std::bad_alloc();
}

/** The block of an array; string texts follow the elements, which point to them. */
struct Home {
  std::byte* data;
  std::size_t capacity;
  std::size_t strings;  ///< elements that are strings

  std::span<char*> elements() const { return {reinterpret_cast<char**>(data), strings}; }
  bool has(const char* text) const {
    const auto* const at = reinterpret_cast<const std::byte*>(text);
    return std::less_equal<>()(data, at) && std::less<>()(at, data + capacity);
  }

  static void release(void* owner) {
    const std::unique_ptr<Home> home(static_cast<Home*>(owner));
    for (char* const string : home->elements()) {
      if (!home->has(string)) sidl_String_free(string);
    }
    free_block(home->data, home->capacity);
  }
};

/** Makes an array in a block, usually the one it was received into. */
template <class T>
typename Elements<T>::Array* settle(const ArrayShape& shape, Block& block,
                                    std::size_t strings = 0) {
  std::int64_t strides[max_dimension];
  dense_strides(shape, shape.order, strides);
  auto home = std::make_unique<Home>(Home{block.data(), block.capacity(), strings});
  auto* const first = reinterpret_cast<typename Elements<T>::Stored*>(block.data());
  auto* const array = Elements<T>::borrow_owned(first, shape.dimension, shape.lower, shape.upper,
                                                strides, &Home::release, home.get());
  if (array == nullptr) throw std::bad_alloc();
  static_cast<void>(block.release());
  static_cast<void>(home.release());
  return array;
}

/** A new array without contents. */
template <class T>
typename Elements<T>::Array* make(const ArrayShape& shape, std::size_t count) {
  const std::size_t bytes = count * sizeof(typename Elements<T>::Stored);
  if (bytes >= recycle_threshold) {
    Block block = Block::allocate(bytes);
    return settle<T>(shape, block);
  }
  const auto create =
      shape.order == Order::row ? Elements<T>::create_row : Elements<T>::create_column;
  auto* const array = create(shape.dimension, shape.lower, shape.upper);
  if (array == nullptr) fail_to_make(shape, shape.order);
  return array;
}

char* new_string(std::string_view text) {
  char* const copy = sidl_String_strndup(text.data(), text.size());
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

/**
 * Short texts are copied in full units of this size; there is space for one after the last text.
 */
constexpr std::size_t stride_of_texts = 32;

/**
 * The texts of an array, packed one after another at odd addresses (sidl_String.h). Long ones are
 * allocated separately.
 */
struct Texts {
  static bool has(std::string_view text) { return text.size() < string_threshold; }

  static std::size_t bytes(Decoder ahead, std::uint64_t count) {
    std::size_t sum = stride_of_texts;
    ahead.get_strings(count, [&sum](std::string_view text, bool null, std::size_t) {
      if (!null && has(text)) sum += text.size() + 2;
    });
    return sum;
  }

  char* put(std::string_view text, std::size_t readable) {
    char* const begin = next + (reinterpret_cast<std::uintptr_t>(next) % 2 == 0 ? 1 : 0);
    if (text.size() <= stride_of_texts && readable >= stride_of_texts) {
      std::memcpy(begin, text.data(), stride_of_texts);
    } else {
      std::memcpy(begin, text.data(), text.size());
    }
    begin[text.size()] = '\0';
    next = begin + text.size() + 1;
    return begin;
  }

  char* next;
};

/** Two loops, each of which is vectorised; a single one that may throw is not. */
void get_bools(const Decoder::Array& received, sidl_bool* __restrict to) {
  const std::byte* __restrict const from =
      received.block != nullptr ? received.block->data() : received.data;
  std::byte all{0};
  in_runs(received.count, [&all, from](std::size_t i) { all |= from[i]; });
  if (all > std::byte{1}) throw malformed("a bool is neither 0 nor 1");
  in_runs(received.count, [=](std::size_t i) { to[i] = static_cast<sidl_bool>(from[i]); });
}

/** The array in the order received, with a reference for the caller. */
template <class T>
typename Elements<T>::Array* receive(Decoder& decoder, ArrayLanding* landing) {
  using Array = typename Elements<T>::Array;
  Decoder::Array received = decoder.get_array(Elements<T>::kind);
  if (received.shape.dimension == 0) return nullptr;
  if (received.block != nullptr && received.block->data() == nullptr) {
    struct sidl__array* const landed =
        landing == nullptr ? nullptr : landing->take(received.segment, received.shape);
    if (landed == nullptr) throw malformed("two arrays share a segment");
    return reinterpret_cast<Array*>(landed);
  }
  if constexpr (!std::is_same_v<T, bool>) {
    if (received.block != nullptr) return settle<T>(received.shape, *received.block);
  }
  ArrayReference array(make<T>(received.shape, received.count));
  auto* const first = static_cast<Array*>(array.get())->d_firstElement;
  if constexpr (std::is_same_v<T, bool>) {
    get_bools(received, first);
  } else if (received.count != 0) {
    std::memcpy(first, received.data, received.count * element_bytes(Elements<T>::kind));
  }
  return static_cast<Array*>(array.release());
}

/**
 * Big arrays of strings take one block for elements and texts instead of an allocation per string.
 */
template <>
sidl_string__array* receive<std::string>(Decoder& decoder, ArrayLanding*) {
  const Decoder::Array received = decoder.get_array(Kind::string_);
  if (received.shape.dimension == 0) return nullptr;
  const std::size_t elements = received.count * sizeof(char*);
  const std::size_t bytes = elements + Texts::bytes(decoder, received.count);
  if (bytes < bulk_threshold) {
    ArrayReference array(make<std::string>(received.shape, received.count));
    char** to = static_cast<sidl_string__array*>(array.get())->d_firstElement;
    decoder.get_strings(received.count, [&](std::string_view text, bool null, std::size_t) {
      *to++ = null ? nullptr : new_string(text);
    });
    return static_cast<sidl_string__array*>(array.release());
  }
  Block block = Block::allocate(bytes);
  std::memset(block.data(), 0, elements);
  ArrayReference array(settle<std::string>(received.shape, block, received.count));
  char** to = static_cast<sidl_string__array*>(array.get())->d_firstElement;
  Texts texts{reinterpret_cast<char*>(to + received.count)};
  decoder.get_strings(received.count, [&](std::string_view text, bool null, std::size_t readable) {
    *to++ = null ? nullptr : Texts::has(text) ? texts.put(text, readable) : new_string(text);
  });
  return static_cast<sidl_string__array*>(array.release());
}

/** Big arrays of numbers elsewhere are copied in parts, as they are sent; others beforehand. */
template <class T>
bool is_fetched_first(const struct sidl__array& array) {
  return array.d_space != nullptr &&
         (std::is_same_v<T, bool> ||
          sidl__array_element_count(&array) * sizeof(typename Elements<T>::Stored) <
              bulk_threshold);
}

ArrayReference fetch(struct sidl__array* array) {
  ArrayReference fetched(sidl__array_in(nullptr, array));
  if (fetched == nullptr) {
    throw Error(Failure::protocol,
                std::string("the elements of an array could not be copied from ") +
                    sidl_memory_space_name(array->d_space));
  }
  return fetched;
}

template <class T>
void put(Encoder& encoder, void* of_kind, std::int32_t ordering, Sharing sharing) {
  using Array = typename Elements<T>::Array;
  auto* const array = static_cast<Array*>(of_kind);
  if (array == nullptr) {
    encoder.put_null_array();
    return;
  }
  if (is_fetched_first<T>(array->d_metadata)) {
    const ArrayReference fetched = fetch(generic(array));
    return put<T>(encoder, fetched.get(), ordering, Sharing::copy);
  }
  const auto [order, is_dense] = order_to_send(&array->d_metadata, ordering);
  const ArrayShape shape =
      shape_of(array->d_metadata, Elements<T>::kind, static_cast<Order>(order));
  const std::size_t count = sidl__array_element_count(&array->d_metadata);
  [[maybe_unused]] const std::size_t bytes = count * element_bytes(shape.kind);
  if constexpr (std::is_same_v<T, std::string>) {
    encoder.put_string_array(shape);
    if (count != 0) put_strings(encoder, places_of(array, order));
  } else if (count == 0) {
    encoder.put_array_inline(shape, 0);
  } else if constexpr (std::is_same_v<T, bool>) {
    put_bools(encoder, shape, count, places_of(array, order));
  } else if (is_dense && bytes < bulk_threshold) {
    std::memcpy(encoder.put_array_inline(shape, bytes), array->d_firstElement, bytes);
  } else {
    encoder.put_array(shape, bulk_of(array, order, sharing));
  }
}

template <class T>
typename Elements<T>::Array* get(Decoder& decoder, std::int32_t ordering,
                                 ArrayLanding* landing = nullptr) {
  auto* const array = receive<T>(decoder, landing);
  if (array == nullptr || ordering == sidl_general_order) return array;
  const ArrayReference as_it_came(array);
  auto* const ordered = Elements<T>::ensure(array, array->d_metadata.d_dimen, ordering);
  if (ordered == nullptr) {
    const auto order = static_cast<Order>(ordering);
    fail_to_make(shape_of(array->d_metadata, Elements<T>::kind, order), order);
  }
  return ordered;
}

/** Calls `action` with a null pointer to the C++ type of the elements. */
template <class Action>
decltype(auto) with_elements(sidl_kind kind, Action&& action) {
  switch (kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return action(static_cast<sidl::basic_type<number>::type*>(nullptr));
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return action(static_cast<std::int64_t*>(nullptr));
    default:
      throw malformed("arrays of kind " + std::to_string(kind) + " cannot be sent on their own");
  }
}

}  // namespace

void put_array(Encoder& encoder, sidl_kind kind, struct sidl__array* array, std::int32_t ordering,
               Sharing sharing) {
  with_elements(kind, [&]<class T>(T*) { put<T>(encoder, array, ordering, sharing); });
}

struct sidl__array* get_array(Decoder& decoder, sidl_kind kind, ArrayLanding* landing) {
  return with_elements(
      kind, [&]<class T>(T*) -> struct sidl__array* {
        return generic(get<T>(decoder, sidl_general_order, landing));
      });
}

Strided places_of(const struct sidl__array* array, sidl_kind kind, Order order) {
  return with_elements(kind, [&]<class T>(T*) {
    return places_of(reinterpret_cast<const typename Elements<T>::Array*>(array),
                     static_cast<int>(order));
  });
}

template <class T>
void pack_array(Encoder& encoder, const sidl::array<T>& value, std::int32_t ordering,
                Sharing sharing) {
  put<T>(encoder, value._get_ior(), ordering, sharing);
}

template <class T>
sidl::array<T> unpack_array(Decoder& decoder, std::int32_t ordering) {
  return sidl::array<T>(get<T>(decoder, ordering));
}

#define SHINAR_INSTANTIATE(type)                                                             \
  template void pack_array<type>(Encoder&, const sidl::array<type>&, std::int32_t, Sharing); \
  template sidl::array<type> unpack_array<type>(Decoder&, std::int32_t)
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  SHINAR_INSTANTIATE(sidl::basic_type<number>::type);
#define SIDL_LOCAL(name, number, array, ctype, Name, numpy)
#include "sidl_kinds.def"
#undef SHINAR_INSTANTIATE

}  // namespace shinar::wire
