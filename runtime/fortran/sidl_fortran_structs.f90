! sidl_fortran_structs: what generated code needs for arrays of structs.
module sidl_fortran_structs
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: sidl_lend_structs, sidl_copy_structs, sidl_give_structs, sidl_settle_structs
  public :: sidl_keep_structs, sidl_free_structs, sidl_drop_empty, sidl_dense, sidl_make_dense
  public :: sidl_check_structs, sidl_expect_structs, sidl_new_structs, sidl_own_raws
  public :: sidl_take_exception, sidl_allocate_structs, sidl_must_be, sidl_read_shape
  public :: sidl_element, sidl_replace_structs, sidl_array_length64

  interface
    !> As sidl_lend, sidl_make_array, sidl_give_array and sidl_settle_array, of structs that are the same
    !! in C. The pointer whose target is passed counts from `lower`.
    function sidl_lend_structs(x, info, lower, what, ex) &
        bind(C, name='sidl_fortran_lend_structs') result(lent)
      import
      type(*), intent(in) :: x(..)
      type(c_ptr), value :: info
      integer(c_int32_t), value :: lower
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: lent
    end function sidl_lend_structs

    function sidl_copy_structs(x, info, lower, ex) &
        bind(C, name='sidl_fortran_make_structs') result(array)
      import
      type(*), intent(in) :: x(..)
      type(c_ptr), value :: info
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: array
    end function sidl_copy_structs

    function sidl_give_structs(x, info, lower, ex) &
        bind(C, name='sidl_fortran_give_structs') result(own)
      import
      type(*), intent(in) :: x(..)
      type(c_ptr), value :: info
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_structs

    function sidl_settle_structs(x, info, lower, array, dense, ex) &
        bind(C, name='sidl_fortran_settle_structs') result(own)
      import
      type(*), intent(in) :: x(..)
      type(c_ptr), value :: info
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), value :: array
      type(c_ptr), value :: dense
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_structs

    !> A returned array that a pointer will show, until sidl_free_structs; sidl_drop_empty behind it.
    subroutine sidl_keep_structs(array, ex) bind(C, name='sidl_fortran_keep_structs')
      import
      type(c_ptr), intent(inout) :: array
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_keep_structs

    subroutine sidl_free_structs(x) bind(C, name='sidl_fortran_free_structs')
      import
      type(*), intent(in) :: x(..)
    end subroutine sidl_free_structs

    subroutine sidl_drop_empty(array) bind(C, name='sidl_fortran_drop_empty')
      import
      type(c_ptr), value :: array
    end subroutine sidl_drop_empty

    !> The array, or a copy, in column order, with a reference.
    function sidl_dense(array) bind(C, name='sidl_fortran_dense') result(dense)
      import
      type(c_ptr), value :: array
      type(c_ptr) :: dense
    end function sidl_dense

    subroutine sidl_make_dense(array, ex) bind(C, name='sidl_fortran_make_dense')
      import
      type(c_ptr), intent(inout) :: array
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_make_dense

    !> As sidl_check_array and sidl_expect_array.
    subroutine sidl_check_structs(array, info, rank, what, ex) &
        bind(C, name='sidl_fortran_check_structs')
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: info
      integer(c_int32_t), value :: rank
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_check_structs

    subroutine sidl_expect_structs(array, info, rank, what, ex) &
        bind(C, name='sidl_fortran_expect_structs')
      import
      type(c_ptr), intent(inout) :: array
      type(c_ptr), value :: info
      integer(c_int32_t), value :: rank
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_expect_structs

    !> An array for copies of the elements of a Fortran array; null for a null array.
    function sidl_new_structs(info, first, rank, lengths, lower, ex) &
        bind(C, name='sidl_fortran_new_structs') result(array)
      import
      type(c_ptr), value :: info
      type(c_ptr), value :: first
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: lengths(*)
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: array
    end function sidl_new_structs

    !> Gives a struct whose raw arrays are lent memory of its own for them.
    subroutine sidl_own_raws(info, data, ex) bind(C, name='sidl_fortran_own_raws')
      import
      type(c_ptr), value :: info
      type(*), intent(inout) :: data
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_own_raws

    !> The first exception counts.
    subroutine sidl_take_exception(ex, other) bind(C, name='sidl_fortran_take_exception')
      import
      type(c_ptr), intent(inout) :: ex
      type(c_ptr), value :: other
    end subroutine sidl_take_exception

    !> What users' procedures of a struct are made of.
    function sidl_allocate_structs(info, rank, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate_structs') result(array)
      import
      type(c_ptr), value :: info
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
      type(c_ptr) :: array
    end function sidl_allocate_structs

    subroutine sidl_must_be(array, info, rank) bind(C, name='sidl_fortran_must_be')
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: info
      integer(c_int32_t), value :: rank
    end subroutine sidl_must_be

    subroutine sidl_read_shape(array, first, lengths, lower) bind(C, name='sidl_fortran_read_shape')
      import
      type(c_ptr), value :: array
      type(c_ptr), intent(out) :: first
      integer(c_int64_t), intent(out) :: lengths(*)
      integer(c_int64_t), intent(out) :: lower(*)
    end subroutine sidl_read_shape

    function sidl_element(array, info, rank, indices, ex) &
        bind(C, name='sidl_fortran_element') result(element)
      import
      type(c_ptr), value :: array
      type(c_ptr), value :: info
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: indices(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: element
    end function sidl_element

    subroutine sidl_replace_structs(array, x, info, lower) &
        bind(C, name='sidl_fortran_replace_structs')
      import
      type(c_ptr), intent(inout) :: array
      type(*), intent(in) :: x(..)
      type(c_ptr), value :: info
      integer(c_int64_t), intent(in), optional :: lower(*)
    end subroutine sidl_replace_structs

    function sidl_array_length64(array, dim) bind(C, name='sidl__array_length64') result(length)
      import
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int64_t) :: length
    end function sidl_array_length64
  end interface

end module sidl_fortran_structs
