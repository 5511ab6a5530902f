// The values of a call, one after another, as libsidl gives them to a message (sidl_marshal.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sidl_BaseInterface.hxx"
#include "sidl_cxx.hxx"
#include "sidl_io_Deserializer.hxx"
#include "sidl_io_Serializable.hxx"
#include "sidl_io_Serializer.hxx"
#include "sidl_marshal.h"

namespace shinar::par {

struct Item {
  enum class Sort : std::uint8_t { Number, Text, Array, Object, Copy };

  Sort sort;
  sidl_type_ref type{};  // the kind of a number; of an array, what it is to be
  alignas(16) std::array<std::byte, 16> number{};
  bool is_null = false;  // of a text
  std::string text;
  ::sidl::basearray array;
  ::sidl::BaseInterface object;
  ::sidl::io::Serializable copy;
};

using Items = std::vector<Item>;

Item text_item(std::string text);

// Appends what is put. It keeps references to arrays; copies them if they are to be `kept` when the
// call is over.
struct ItemSink {
  sidl_sink base;
  Items* items;
  bool kept;
};
ItemSink sink_of(Items& items, bool kept);

// Gives out the items, which stay as they are.
struct ItemSource {
  sidl_source base;
  const Items* items;
  std::size_t next;
};
ItemSource source_of(const Items& items);

// In a message. What comes from a peer is checked as far as it has to be for source_of.
void pack(const Items& items, ::sidl::io::Serializer& into);
Items unpack(::sidl::io::Deserializer& from);

// A digest of the values, but for objects.
std::uint64_t digest_of(const Items& items);

}  // namespace shinar::par
