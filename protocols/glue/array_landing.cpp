#include "array_landing.hpp"

#include "arrays.hpp"
#include "numbers.hpp"

namespace shinar::wire {
namespace {

/** Kinds of elements with the same representation on the wire and in memory; none for others. */
Kind wire_kind(int element) {
  switch (element) {
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case number:                                               \
    return Kind::name##_;
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return Kind::long_;
    default:
      return Kind::none;
  }
}

bool has_shape(const struct sidl__array& array, const ArrayShape& shape) {
  if (array.d_dimen != shape.dimension) return false;
  for (int i = 0; i < shape.dimension; ++i) {
    if (array.d_lower[i] != shape.lower[i] || array.d_upper[i] != shape.upper[i]) return false;
  }
  return true;
}

/** True if a method changes the array in place: one of another order is replaced. */
bool lies_as_declared(const struct sidl__array* array, const sidl_type_ref& type) {
  switch (type.order) {
    case sidl_column_major_order:
      return sidl__array_isColumnOrder(array) != 0;
    case sidl_row_major_order:
      return sidl__array_isRowOrder(array) != 0;
    default:
      return true;
  }
}

struct sidl__array* array_in(const sidl_arg_info& arg, void* const* variable) {
  const bool may_land = arg.mode == sidl_mode_inout && arg.type.kind == sidl_kind_array &&
                        wire_kind(arg.type.element) != Kind::none;
  if (!may_land) return nullptr;
  auto* const array = *static_cast<struct sidl__array**>(*variable);
  return array != nullptr && lies_as_declared(array, arg.type) ? array : nullptr;
}

/** Thrown at a value that the walk over an answer cannot skip. */
struct Unknown {};

}  // namespace

std::shared_ptr<ArrayLanding> ArrayLanding::of(const sidl_method_info& method, void* const* args) {
  for (int i = 0; i < method.arg_count; ++i) {
    const struct sidl__array* const array = array_in(method.args[i], &args[i]);
    if (array == nullptr) continue;
    const std::size_t bytes =
        sidl__array_element_count(array) * element_bytes(wire_kind(method.args[i].type.element));
    if (bytes >= bulk_threshold) return std::make_shared<ArrayLanding>(method, args);
  }
  return nullptr;
}

struct sidl__array* ArrayLanding::take(std::uint32_t segment, const ArrayShape& shape) {
  if (segment >= landed_.size() || landed_[segment] == nullptr) return nullptr;
  struct sidl__array* const array = std::exchange(landed_[segment], nullptr);
  if (!has_shape(*array, shape)) return nullptr;
  sidl__array_addRef(array);
  return array;
}

/** Skips the values of the answer up to the first one it does not know. */
void ArrayLanding::choose(Message& answer) {
  landed_.assign(answer.header.segments, nullptr);
  try {
    Decoder values(answer);
    pass(values, method_.result, nullptr);
    for (int i = 0; i < method_.arg_count; ++i) {
      const sidl_arg_info& arg = method_.args[i];
      if (arg.mode != sidl_mode_in) pass(values, arg.type, array_in(arg, &args_[i]));
    }
  } catch (const Error&) {
    // Unpacking the answer will report the error.
  } catch (const Unknown&) {
    // Later arrays get memory of their own.
  }
}

void ArrayLanding::pass(Decoder& values, const sidl_type_ref& type, struct sidl__array* mine) {
  bool null = false;
  switch (static_cast<sidl_kind>(type.kind)) {
    case sidl_kind_void:
      return;
    case sidl_kind_bool:
      return static_cast<void>(values.get<char>());
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case number:                                               \
    return static_cast<void>(get_number<ctype>(values));
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return static_cast<void>(values.get<std::int64_t>());
    case sidl_kind_string:
      return static_cast<void>(values.get_string(null));
    case sidl_kind_struct:
      for (int i = 0; i < type.structure->member_count; ++i) {
        pass(values, type.structure->members[i].type, nullptr);
      }
      return;
    case sidl_kind_array:
    case sidl_kind_inline:  // as it is sent
      return pass_array(values, type, mine);
    case sidl_kind_interface:
    case sidl_kind_class:
      if ((type.flags & sidl_ref_copy) != 0) throw Unknown();
      return pass_reference(values);
    default:
      throw Unknown();
  }
}

void ArrayLanding::pass_reference(Decoder& values) {
  const auto tag = static_cast<ObjectTag>(values.get<std::uint8_t>());
  if (tag == ObjectTag::null) return;
  values.get_name();
  if (tag != ObjectTag::at_receiver) values.get_name();
}

void ArrayLanding::pass_array(Decoder& values, const sidl_type_ref& type,
                              struct sidl__array* mine) {
  const Kind kind = wire_kind(type.element);
  if (kind == Kind::none) throw Unknown();
  const Decoder::Array found = values.get_array_to_come(kind);
  if (mine == nullptr || !found.in_segment || !has_shape(*mine, found.shape)) return;
  if (found.segment >= landed_.size() || landed_[found.segment] != nullptr) return;
  landed_[found.segment] = mine;
  set(found.segment, places_of(mine, static_cast<sidl_kind>(type.element), found.shape.order));
}

}  // namespace shinar::wire
