// device_arrays.cpp: arrays whose elements are not in host memory, and DLPack.
//
// What Python sees of such an array is a shinar.DeviceArray: a capsule with a reference to it, and
// what is known without looking at its elements. Other libraries' arrays come by DLPack, and remain
// where they are. Whatever may copy elements runs without the GIL.
#include "device_arrays.hpp"

#include <memory>
#include <new>
#include <utility>

#include "array_parts.hpp"
#include "sidl_CastException_IOR.h"
#include "sidl_MemorySpaceException_IOR.h"
#include "sidl_dlpack.h"
#include "sidl_memory_space.h"
#include "sidl_struct_array.h"

// The binary interface of DLPack 1, as far as what a consumer has to look at himself.
struct dlpack_contents {
  void* data;
  int32_t device_type, device_id;
  int32_t dimen;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  dlpack_contents tensor;
  void* owner;
  void (*deleter)(DLManagedTensor* self);
};
struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void* owner;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  dlpack_contents tensor;
};

namespace sidl_python {
namespace {

constexpr const char* kArrayCapsule = "shinar._core.array";
constexpr const char* kPlain = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";
constexpr uint64_t kReadOnly = 1;
constexpr uint64_t kIsCopied = 2;
constexpr uint8_t kBool = 6;

typedef std::unique_ptr<struct sidl__array, decltype(&sidl__array_deleteRef)> owned_array;

owned_array own(struct sidl__array* array) {
  return {array, &sidl__array_deleteRef};
}

struct sidl__array* array_in(py::handle capsule) {
  auto* const array =
      static_cast<struct sidl__array*>(PyCapsule_GetPointer(capsule.ptr(), kArrayCapsule));
  if (!array) throw py::error_already_set();
  return array;
}

py::object to_capsule(owned_array array) {
  const auto made = py::reinterpret_steal<py::object>(
      PyCapsule_New(array.get(), kArrayCapsule, [](PyObject* capsule) {
        const py::error_scope pending;
        sidl__array_deleteRef(
            static_cast<struct sidl__array*>(PyCapsule_GetPointer(capsule, kArrayCapsule)));
      }));
  if (!made) throw py::error_already_set();
  (void)array.release();
  return made;
}

py::handle device_class() {
  static imported found("shinar._device_arrays", "DeviceArray");
  return found.get();
}

bool is_device_array(py::handle object) {
  return is_instance(object, device_class().ptr());
}

std::string name_of_space(const struct sidl__array* array) {
  return sidl_memory_space_name(sidl__array_space(array));
}

// ---- copies ------------------------------------------------------------------------------------

owned_array moved(const struct sidl_memory_space* space, struct sidl__array* array) {
  const released no_gil;
  return own(sidl__array_in(space, array));
}

// A copy in the same space; null if that cannot be.
owned_array duplicate(const struct sidl__array* array) {
  const released no_gil;
  const int32_t order = lies_in_columns(array) ? sidl_column_major_order : sidl_row_major_order;
  owned_array made = own(sidl__array_create_in(
      sidl__array_space(array), sidl__array_type(array), sidl__array_struct(array), order,
      sidl__array_dimen(array), array->d_lower, array->d_upper));
  if (made) sidl__array_copy(array, made.get());
  return made;
}

// Throws what libsidl says about elements that are needed on the host.
void require_host(const struct sidl__array* array, const std::string& what) {
  struct sidl_BaseInterface__object* ex = nullptr;
  sidl__array_require_host(array, what.c_str(), &ex);
  check(ex);
}

[[noreturn]] void refuse_copy(const std::string& what, const char* to) {
  const std::string note = what + ": the elements cannot be copied to " + to +
                           ": no library has registered how, or it has no more memory";
  throw_sidl(make_exception(&sidl_MemorySpaceException__info, note.c_str()));
}

// ---- from DLPack -------------------------------------------------------------------------------

// A capsule from another library.
class tensor {
 public:
  explicit tensor(py::object capsule, const place& where) : capsule_(std::move(capsule)) {
    PyObject* const it = capsule_.ptr();
    if (PyCapsule_IsValid(it, kVersioned)) {
      versioned_ = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(it, kVersioned));
    } else if (PyCapsule_IsValid(it, kPlain)) {
      plain_ = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(it, kPlain));
    } else {
      throw py::type_error(where.text() + ": its __dlpack__ returned no unused DLPack tensor");
    }
  }

  bool is_read_only() const {
    return is_known() && versioned_ && (versioned_->flags & kReadOnly) != 0;
  }

  bool has_bools() const {
    return is_known() && (versioned_ ? versioned_->tensor : plain_->tensor).code == kBool;
  }

  // The capsule is used up only if this succeeds.
  owned_array to_array(struct sidl_BaseInterface__object** ex) {
    owned_array made = own(nullptr);
    {
      const released no_gil;  // a read-only one is copied
      made = own(versioned_ ? sidl__array_from_dlpack_versioned(versioned_, ex)
                            : sidl__array_from_dlpack(plain_, ex));
    }
    if (made) PyCapsule_SetName(capsule_.ptr(), versioned_ ? kUsedVersioned : kUsedPlain);
    return made;
  }

 private:
  static constexpr const char* kUsedPlain = "used_dltensor";
  static constexpr const char* kUsedVersioned = "used_dltensor_versioned";

  // What another major version has is not known.
  bool is_known() const { return !versioned_ || versioned_->major == 1; }

  py::object capsule_;
  DLManagedTensor* plain_ = nullptr;
  DLManagedTensorVersioned* versioned_ = nullptr;
};

// Throws libsidl's exception; what is said about a tensor's type is a TypeError.
[[noreturn]] void refuse_tensor(struct sidl_BaseInterface__object* ex, const tensor& given,
                                const std::string& wanted, const place& where) {
  if (!sidl_cast_borrowed(ex, &sidl_CastException__info)) throw_sidl(ex);
  const std::string note = note_of(ex);
  drop(ex);
  if (!given.has_bools()) {
    throw py::type_error(where.text() + " must be " + wanted + ": " + note);
  }
  throw py::type_error(where.text() + " must be " + wanted +
                       ", not a DLPack tensor of bools: those have 8 bits, and SIDL's have 32");
}

owned_array from_dlpack(py::handle object, const struct sidl_type_ref& type, const place& where,
                        bool changes) {
  static imported request("shinar._device_arrays", "request");
  tensor given(request(object, where.text()), where);
  if (given.is_read_only() && changes) {
    throw py::value_error(where.text() + " is inout, and the array is read-only");
  }
  if (given.is_read_only() && strict) {
    throw py::type_error(where.text() +
                         " would have to be copied, because it is read-only, which strict does "
                         "not allow");
  }
  struct sidl_BaseInterface__object* ex = nullptr;
  owned_array made = given.to_array(&ex);
  if (!made) refuse_tensor(ex, given, type_text(type, nullptr), where);
  return made;
}

// ---- what fits ---------------------------------------------------------------------------------

bool has_elements(const struct sidl__array* array, const struct sidl_type_ref& type) {
  if (type.element == sidl_kind_void) return true;
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  if (type.element == sidl_kind_struct) {
    return structure && dtype_of_structs(structure).is(dtype_of_structs(type.structure));
  }
  return !structure && sidl__array_type(array) == sidl_array_type_of(type.element);
}

void check_fits(const struct sidl__array* array, const struct sidl_type_ref& type,
                const place& where) {
  const std::string must = where.text() + " must be " + type_text(type, nullptr);
  if (!has_elements(array, type)) {
    const struct sidl_struct_info* const structure = sidl__array_struct(array);
    const std::string elements = structure ? std::string(structure->name)
                                           : py::str(dtype_of_elements(array)).cast<std::string>();
    throw py::type_error(must + ", not an array of " + elements + " in " + name_of_space(array) +
                         ", where it cannot be converted");
  }
  const int32_t dimension = sidl__array_dimen(array);
  if (type.dimension == 0 || type.dimension == dimension) return;
  throw py::type_error(must + ", not an array of " + std::to_string(dimension) +
                       (dimension == 1 ? " dimension" : " dimensions"));
}

// ---- for shinar._device_arrays -----------------------------------------------------------------

// Copies for its methods; None if that cannot be.
py::object copy_array(const py::object& capsule, int32_t device_type, int32_t device_id) {
  struct sidl__array* const array = array_in(capsule);
  const struct sidl_memory_space* const space = sidl_memory_space_find(device_type, device_id);
  owned_array made = space == sidl__array_space(array) ? duplicate(array) : moved(space, array);
  return made ? to_capsule(std::move(made)) : py::object(py::none());
}

py::object to_host(const py::object& capsule) {
  struct sidl__array* const array = array_in(capsule);
  owned_array made = moved(nullptr, array);
  if (!made) refuse_copy("to_host of an array in " + name_of_space(array), "host memory");
  return array_to_python(made.release(), {});
}

py::object wrap_array(const py::object& capsule) {
  return elsewhere_to_python(own(sidl__array_smartCopy(array_in(capsule))).release());
}

bool owns_elements(const struct sidl__array* array) {
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  const int32_t type = sidl__array_type(array);
  return type == sidl_string_array || type == sidl_interface_array ||
         (structure && !sidl_struct_is_plain(structure));
}

py::object to_device(const py::object& object, int32_t device_type, int32_t device_id) {
  struct sidl_type_ref any = {};
  any.kind = sidl_kind_array;
  const place where = {nullptr, nullptr, "what is to go to a device"};
  const owned_array given = own(array_from_python(object, any, where));
  if (!given) throw py::type_error("what is to go to a device must be an array, not None");
  const struct sidl_memory_space* const space = sidl_memory_space_find(device_type, device_id);
  if (space && owns_elements(given.get())) {
    throw py::type_error(
        "what is to go to a device must have numbers, bools, characters or structs of these as "
        "elements, which strings, objects and what contains them are not");
  }
  owned_array made = moved(space, given.get());
  if (!made) refuse_copy(where.name, sidl_memory_space_name(space));
  return array_to_python(made.release(), any);
}

// Frees a tensor that nobody has used.
void delete_unused(PyObject* capsule) {
  const py::error_scope pending;
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    auto* const it =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, kVersioned));
    it->deleter(it);
  } else if (PyCapsule_IsValid(capsule, kPlain)) {
    auto* const it = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kPlain));
    it->deleter(it);
  }
}

template <class Tensor>
py::object tensor_capsule(Tensor* made, const char* name, struct sidl_BaseInterface__object* ex) {
  if (ex && sidl_cast_borrowed(ex, &sidl_CastException__info)) {
    const std::string note = note_of(ex);
    drop(ex);
    throw py::buffer_error(note);
  }
  check(ex);
  PyObject* const capsule = PyCapsule_New(made, name, delete_unused);
  if (capsule) return py::reinterpret_steal<py::object>(capsule);
  made->deleter(made);
  throw py::error_already_set();
}

py::object to_dlpack(const py::object& capsule, bool versioned, bool is_copied) {
  struct sidl__array* const array = array_in(capsule);
  struct sidl_BaseInterface__object* ex = nullptr;
  if (!versioned) {
    DLManagedTensor* const made = sidl__array_to_dlpack(array, &ex);
    return tensor_capsule(made, kPlain, ex);
  }
  DLManagedTensorVersioned* const made = sidl__array_to_dlpack_versioned(array, &ex);
  if (made && is_copied) made->flags |= kIsCopied;
  return tensor_capsule(made, kVersioned, ex);
}

bool has_lengths_of(const struct sidl__array* a, const struct sidl__array* b) {
  return sidl__array_type(a) == sidl__array_type(b) &&
         dtype_of_elements(a).is(dtype_of_elements(b)) && lengths_of(a) == lengths_of(b);
}

// Elements correspond by position, not by index.
void copy_by_position(struct sidl__array* from, struct sidl__array* to) {
  const released no_gil;
  const int32_t dimension = sidl__array_dimen(to);
  if (sidl__array_element_count(to) == 0) return;  // a length of 0 would drop a dimension
  int64_t lengths[SIDL_MAX_ARRAY_DIMENSION];
  for (int32_t d = 0; d < dimension; ++d) lengths[d] = sidl__array_length64(to, d);
  const owned_array view =
      own(sidl__array_slice(from, dimension, lengths, nullptr, nullptr, to->d_lower));
  if (!view) throw std::bad_alloc();
  sidl__array_copy(view.get(), to);
}

// From the first byte of the elements to behind the last one.
struct span {
  const char* begin;
  const char* end;

  explicit span(const struct sidl__array* array)
      : begin(static_cast<const char*>(sidl__array_address(array))), end(begin) {
    const auto size = static_cast<int64_t>(sidl__array_element_bytes(array));
    if (sidl__array_element_count(array) == 0) return;
    end += size;
    for (int32_t d = 0; d < sidl__array_dimen(array); ++d) {
      const int64_t bytes = (sidlLength(array, d) - 1) * sidlStride(array, d) * size;
      (bytes < 0 ? begin : end) += bytes;
    }
  }
  bool meets(const span& other) const { return begin < other.end && other.begin < end; }
};

// Copies other results that are parts of an array that is about to be changed.
void keep_others(const struct sidl__array* to, size_t position, const py::list& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    const py::object other = results[i];
    if (i == position || !is_device_array(other)) continue;
    const struct sidl__array* const array = array_in(other.attr("_handle"));
    if (sidl__array_space(array) != sidl__array_space(to) || !span(array).meets(span(to))) continue;
    owned_array kept = duplicate(array);
    if (!kept) refuse_copy("a result", sidl_memory_space_name(sidl__array_space(array)));
    results[i] = elsewhere_to_python(kept.release());
  }
}

}  // namespace

bool is_elsewhere(py::handle object) {
  static imported is_there("shinar._device_arrays", "is_elsewhere");
  if (py::isinstance<py::array>(object) || PyList_Check(object.ptr())) return false;
  return is_there(object).cast<bool>();
}

struct sidl__array* array_elsewhere(py::handle object, const struct sidl_type_ref& type,
                                    const place& where, bool changes) {
  const bool is_ours = is_device_array(object);
  owned_array array = is_ours ? own(sidl__array_smartCopy(array_in(object.attr("_handle"))))
                              : from_dlpack(object, type, where, changes);
  check_fits(array.get(), type, where);
  if (type.flags & sidl_ref_raw) require_host(array.get(), where.text());
  if (!where.keeps_given) return array.release();
  owned_array kept = duplicate(array.get());
  if (!kept) refuse_copy(where.text(), sidl_memory_space_name(sidl__array_space(array.get())));
  return kept.release();
}

py::object elsewhere_to_python(struct sidl__array* array) {
  owned_array owned = own(array);
  const int32_t dimension = sidl__array_dimen(array);
  const auto size = static_cast<int64_t>(sidl__array_element_bytes(array));
  py::tuple shape(dimension), strides(dimension), lower(dimension);
  for (int32_t d = 0; d < dimension; ++d) {
    const auto at = static_cast<size_t>(d);
    shape[at] = sidlLength(array, d);
    strides[at] = sidlStride(array, d) * size;
    lower[at] = sidlLower(array, d);
  }
  const struct sidl_memory_space* const space = sidl__array_space(array);
  const py::tuple device =
      py::make_tuple(sidl_memory_space_device_type(space), sidl_memory_space_device_id(space));
  const py::object dtype = dtype_of_elements(array);
  const std::string where = sidl_memory_space_name(space);
  return device_class().attr("_of")(to_capsule(std::move(owned)), shape, dtype, strides, lower,
                                    device, where);
}

py::object device_array_of(py::handle object, const struct sidl_type_ref& type,
                           const place& where) {
  if (is_device_array(object)) return {};
  return elsewhere_to_python(array_elsewhere(object, type, where, true));
}

void write_elsewhere(py::handle given, const struct sidl_type_ref& type, size_t position,
                     const py::list& results, const place& where) {
  const py::object value = results[position];
  if (value.is_none()) return;
  const owned_array to = own(array_elsewhere(given, type, where, true));
  const owned_array from = own(array_from_python(value, type, where));
  const struct sidl_memory_space* const space = sidl__array_space(to.get());
  if (!has_lengths_of(from.get(), to.get())) {
    owned_array there = moved(space, from.get());  // as libsidl does with what servers return
    if (there) results[position] = array_to_python(there.release(), type);
    return;
  }
  if (sidl__array_address(from.get()) != sidl__array_address(to.get())) {
    const owned_array there = moved(space, from.get());
    if (!there) refuse_copy(where.text(), sidl_memory_space_name(space));
    keep_others(to.get(), position, results);
    copy_by_position(there.get(), to.get());
  }
  results[position] = given;
}

struct sidl__array* kept_array(struct sidl__array* array) {
  struct sidl__array* const kept = sidl__array_smartCopy(array);
  if (kept || !array) return kept;
  if (sidl__array_space(array)) refuse_copy("an array that is lent", name_of_space(array).c_str());
  throw std::bad_alloc();
}

void init_device_arrays(py::module_& module) {
  module.def("copy_array", copy_array);
  module.def("to_host", to_host);
  module.def("wrap_array", wrap_array);
  module.def("to_device", to_device);
  module.def("to_dlpack", to_dlpack);
}

}  // namespace sidl_python
