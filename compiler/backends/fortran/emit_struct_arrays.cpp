// Arrays of structs in <package>.f90: how their elements get from one language to the other, and
// what users make and read them with, as sidl_fortran_arrays has it for numbers.
#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

std::string of_struct(const StructModel& model, const char* part) {
  return member_of(model.type->name(), part);
}

std::string part_of(const StructModel& model, const char* part) {
  return array_part(model.type->name(), model.is_foreign, part);
}

// Fills in what all templates here have: the names of the struct and of its procedures.
std::string named(const StructModel& model, std::string text) {
  const auto replace = [&](const std::string& variable, const std::string& name) {
    for (auto at = text.find(variable); at != std::string::npos; at = text.find(variable, at)) {
      text.replace(at, variable.size(), name);
    }
  };
  replace("$name$", model.fortran);
  replace("$info$", of_struct(model, "info") + "()");
  for (const char* part : {"data", "to_c", "from_c"}) {
    replace("$" + std::string(part) + "$", of_struct(model, part));
  }
  for (const char* part : {"put", "take", "point", "view", "free", "allocate", "allocate64", "make",
                           "make64", "get", "get64", "set", "set64"}) {
    replace("$" + std::string(part) + "$", part_of(model, part));
  }
  return text;
}

// Between an element in C and a copy of it. What cannot be copied sets the variable for an
// exception at the address `ex`.
void emit_copies(Printer& printer, const StructModel& model) {
  printer.emit(named(model, R"(
    ! A copy of an element in C.
    impure elemental recursive subroutine $take$(element, value, ex)
      type($data$), intent(in) :: element
      type($name$), intent(inout) :: value
      type(c_ptr), intent(in) :: ex
      type($data$) :: copy
      type(c_ptr), pointer :: first
      type(c_ptr) :: failed
      call c_f_pointer(ex, first)
      call sidl_struct_copy($info$, element, copy, failed)
      call $from_c$(copy, value)
      call sidl_struct_destroy($info$, copy)
      call sidl_take_exception(first, failed)
    end subroutine $take$

  )"));
  if (!model.checks) return;
  printer.emit(named(model, R"(
    ! Copies to an element in C, which owns the copies, those of raw arrays, too.
    impure elemental recursive subroutine $put$(value, element, ex)
      type($name$), intent(in), target :: value
      type($data$), intent(inout) :: element
      type(c_ptr), intent(in) :: ex
      type(c_ptr), pointer :: first
      call c_f_pointer(ex, first)
      call $to_c$(value, element, .true., first)
      call sidl_own_raws($info$, element, first)
    end subroutine $put$

  )"));
}

// "l(1):, l(2):"
std::string new_lower_bounds(int rank) {
  std::string text;
  for (int d = 1; d <= rank; ++d) {
    text += (d > 1 ? ", l(" : "l(") + std::to_string(d) + "):";
  }
  return text;
}

void emit_pointers(Printer& printer, const StructModel& model) {
  const auto ranks = [&printer] {
    for (int rank = 1; rank <= kMostDimensions; ++rank) {
      const std::string text = std::to_string(rank);
      printer.line("rank (" + text + ")");
      printer.line("  call c_f_pointer(first, x, n(:" + text + "))");
      printer.line("  x(" + new_lower_bounds(rank) + ") => x");
    }
  };
  printer.emit({{"ranks", ranks}}, named(model, R"(
    ! Makes the pointer show the elements of an array in column order.
    recursive subroutine $point$(x, array)
      type($name$), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(c_ptr) :: first
      integer(int64) :: n(7), l(7)
      call sidl_read_shape(array, first, n, l)
      select rank (x)
        $ranks$
      end select
    end subroutine $point$

    recursive subroutine $view$(x, array)
      type($name$), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      call sidl_must_be(array, $info$, rank(x))
      call $point$(x, array)
    end subroutine $view$

    recursive subroutine $free$(x)
      type($name$), pointer, intent(inout) :: x(..)
      if (associated(x)) call sidl_free_structs(x)
      call $point$(x, c_null_ptr)
    end subroutine $free$

    recursive subroutine $allocate64$(x, upper, lower, stat)
      type($name$), pointer, intent(inout) :: x(..)
      integer(int64), intent(in) :: upper(*)
      integer(int64), intent(in), optional :: lower(*)
      integer(int32), intent(out), optional :: stat
      type(c_ptr) :: array
      array = sidl_allocate_structs($info$, rank(x), upper, lower, stat)
      call $point$(x, array)
      call sidl_drop_empty(array)
    end subroutine $allocate64$

    recursive subroutine $allocate$(x, upper, lower, stat)
      type($name$), pointer, intent(inout) :: x(..)
      integer(int32), intent(in) :: upper(*)
      integer(int32), intent(in), optional :: lower(*)
      integer(int32), intent(out), optional :: stat
      integer(int64) :: first(7)
      first = 1
      if (present(lower)) first(:rank(x)) = lower(:rank(x))
      call $allocate64$(x, int(upper(:rank(x)), int64), first, stat)
    end subroutine $allocate$

    recursive subroutine $make64$(array, x, lower)
      type(c_ptr), intent(inout) :: array
      type($name$), intent(in) :: x(..)
      integer(int64), intent(in) :: lower(*)
      call sidl_replace_structs(array, x, $info$, lower)
    end subroutine $make64$

    recursive subroutine $make$(array, x, lower)
      type(c_ptr), intent(inout) :: array
      type($name$), intent(in) :: x(..)
      integer(int32), intent(in), optional :: lower(*)
      integer(int64) :: first(7)
      first = 1
      if (present(lower)) first(:rank(x)) = lower(:rank(x))
      call sidl_replace_structs(array, x, $info$, first)
    end subroutine $make$

  )"));
}

// Of structs that are copied, arrays of one dimension.
void emit_makers(Printer& printer, const StructModel& model) {
  const std::string copy = model.checks ? part_of(model, "put") + "(x, elements, c_loc(ex))"
                                        : of_struct(model, "to_c") + "(x, elements)";
  printer.emit({{"copy", copy}}, named(model, R"(
    recursive subroutine $make64$(array, x, lower, exception)
      type(c_ptr), intent(inout) :: array
      type($name$), intent(in), target :: x(:)
      integer(int64), intent(in) :: lower(1)
      class(sidl_handle), intent(inout), optional :: exception
      type($data$), pointer :: elements(:)
      type(c_ptr), target :: ex
      ex = c_null_ptr
      if (c_associated(array)) call sidl_array_deleteref(array)
      array = sidl_new_structs($info$, c_loc(x), 1, shape(x, int64), lower, ex)
      if (c_associated(array)) then
        call c_f_pointer(sidl_array_first(array), elements, shape(x, int64))
        call $copy$
      end if
      call sidl_settle('sidl_make_structs', '$name$', ex, exception)
    end subroutine $make64$

    recursive subroutine $make$(array, x, lower, exception)
      type(c_ptr), intent(inout) :: array
      type($name$), intent(in), target :: x(:)
      integer(int32), intent(in), optional :: lower(1)
      class(sidl_handle), intent(inout), optional :: exception
      integer(int64) :: first(1)
      first = 1
      if (present(lower)) first = lower
      call $make64$(array, x, first, exception)
    end subroutine $make$

  )"));
}

void emit_elements(Printer& printer, const StructModel& model) {
  const std::string info = of_struct(model, "info") + "()";
  std::string from = "call " + part_of(model, "take") + "(place, value, c_loc(ex))";
  std::string to = model.checks ? "call " + part_of(model, "put") + "(value, place, c_loc(ex))"
                                : "call " + of_struct(model, "to_c") + "(value, place)";
  std::string destroy = "call sidl_struct_destroy(" + info + ", place)";
  if (model.is_plain) {
    from = "value = place";
    to = "place = value";
    destroy.clear();
  }
  printer.emit({{"from", from},
                {"to", to},
                {"destroy", destroy},
                {"place", model.is_plain ? model.fortran : of_struct(model, "data")}},
               named(model, R"(
    recursive subroutine $get64$(array, indices, value, exception)
      type(c_ptr), intent(in) :: array
      integer(int64), intent(in) :: indices(:)
      type($name$), intent(inout) :: value
      class(sidl_handle), intent(inout), optional :: exception
      type($place$), pointer :: place
      type(c_ptr), target :: ex
      call c_f_pointer(sidl_element(array, $info$, size(indices), indices, ex), place)
      if (associated(place)) then
        $from$
      end if
      call sidl_settle('sidl_get', '$name$', ex, exception)
    end subroutine $get64$

    recursive subroutine $get$(array, indices, value, exception)
      type(c_ptr), intent(in) :: array
      integer(int32), intent(in) :: indices(:)
      type($name$), intent(inout) :: value
      class(sidl_handle), intent(inout), optional :: exception
      call $get64$(array, int(indices, int64), value, exception)
    end subroutine $get$

    recursive subroutine $set64$(array, indices, value, exception)
      type(c_ptr), intent(in) :: array
      integer(int64), intent(in) :: indices(:)
      type($name$), intent(in), target :: value
      class(sidl_handle), intent(inout), optional :: exception
      type($place$), pointer :: place
      type(c_ptr), target :: ex
      call c_f_pointer(sidl_element(array, $info$, size(indices), indices, ex), place)
      if (associated(place)) then
        $destroy$
        $to$
      end if
      call sidl_settle('sidl_set', '$name$', ex, exception)
    end subroutine $set64$

    recursive subroutine $set$(array, indices, value, exception)
      type(c_ptr), intent(in) :: array
      integer(int32), intent(in) :: indices(:)
      type($name$), intent(in), target :: value
      class(sidl_handle), intent(inout), optional :: exception
      call $set64$(array, int(indices, int64), value, exception)
    end subroutine $set$

  )"));
}

}  // namespace

void emit_struct_generics(Printer& printer, const StructModel& model) {
  const auto generic = [&](const std::string& name, const std::string& procedures) {
    printer.line("interface " + name);
    printer.line("  procedure :: " + procedures);
    printer.line("end interface " + name);
  };
  const auto both = [&](const char* part, const char* wide) {
    return part_of(model, part) + ", " + part_of(model, wide);
  };
  if (model.is_plain) {
    generic("sidl_view_array", part_of(model, "view"));
    generic("sidl_free", part_of(model, "free"));
    generic("sidl_allocate", both("allocate", "allocate64"));
  }
  generic("sidl_make_structs", both("make", "make64"));
  generic("sidl_get", both("get", "get64"));
  generic("sidl_set", both("set", "set64"));
  printer.blank_line();
  if (!model.is_plain) return;
  printer.line("! Arrays are lent as they are: both have to have the same size.");
  printer.line("integer, parameter :: " + part_of(model, "fits") + " = &");
  printer.line("  1 / merge(1, 0, storage_size(" + model.fortran + "()) == storage_size(" +
               of_struct(model, "data") + "()))");
  printer.blank_line();
}

void emit_struct_arrays(Printer& printer, const StructModel& model) {
  if (model.is_plain) {
    emit_pointers(printer, model);
  } else {
    emit_copies(printer, model);
    emit_makers(printer, model);
  }
  emit_elements(printer, model);
}

}  // namespace shinar::backends::fortran
