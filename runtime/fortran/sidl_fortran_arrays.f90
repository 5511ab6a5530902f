! sidl_fortran_arrays: passing arrays with C descriptors.
!
! The specific procedures are the same few C functions, declared once for each type of element; the
! rank is the descriptor's.
module sidl_fortran_arrays
  use, intrinsic :: iso_c_binding
  use sidl_fortran_any
  use sidl_fortran_making
  implicit none
  private

  public :: sidl_array
  public :: sidl_allocate, sidl_free, sidl_view_array
  public :: sidl_make, sidl_make_handles, sidl_make_text
  ! for generated code
  public :: sidl_array_deleteref, sidl_array_addref, sidl_array_lower64
  public :: sidl_array_upper64, sidl_array_first, sidl_check_array, sidl_expect_array
  public :: sidl_take_array, sidl_copy_array, sidl_lend, sidl_lend_raw, sidl_end_loan
  public :: sidl_length, sidl_int_index, sidl_check_shape
  public :: sidl_take_back, sidl_begin_call, sidl_end_call, sidl_discard
  public :: sidl_give_array, sidl_settle_array
  public :: sidl_make_strings, sidl_longest, sidl_fill_strings, sidl_fill_array, sidl_make_array
  public :: sidl_make_objects, sidl_copy_objects
  public :: sidl_bool_array, sidl_char_array, sidl_int_array, sidl_long_array, sidl_float_array
  public :: sidl_double_array, sidl_fcomplex_array, sidl_dcomplex_array, sidl_opaque_array
  public :: sidl_string_array, sidl_interface_array, sidl_struct_array

  ! enum sidl_array_type
  integer(c_int32_t), parameter :: sidl_bool_array = 1, sidl_char_array = 2
  integer(c_int32_t), parameter :: sidl_dcomplex_array = 3, sidl_double_array = 4
  integer(c_int32_t), parameter :: sidl_fcomplex_array = 5, sidl_float_array = 6
  integer(c_int32_t), parameter :: sidl_int_array = 7, sidl_long_array = 8
  integer(c_int32_t), parameter :: sidl_opaque_array = 9, sidl_string_array = 10
  integer(c_int32_t), parameter :: sidl_interface_array = 11, sidl_struct_array = 12

  !> Makes a pointer point at the elements of an array, which still owns them.
  interface sidl_view_array
    procedure :: sidl_view_array_logical
    subroutine sidl_view_array_int(x, array) bind(C, name='sidl_fortran_view')
      import
      integer(c_int32_t), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_int
    subroutine sidl_view_array_long(x, array) bind(C, name='sidl_fortran_view')
      import
      integer(c_int64_t), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_long
    subroutine sidl_view_array_float(x, array) bind(C, name='sidl_fortran_view')
      import
      real(c_float), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_float
    subroutine sidl_view_array_double(x, array) bind(C, name='sidl_fortran_view')
      import
      real(c_double), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_double
    subroutine sidl_view_array_fcomplex(x, array) bind(C, name='sidl_fortran_view')
      import
      complex(c_float_complex), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_fcomplex
    subroutine sidl_view_array_dcomplex(x, array) bind(C, name='sidl_fortran_view')
      import
      complex(c_double_complex), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_dcomplex
    subroutine sidl_view_array_opaque(x, array) bind(C, name='sidl_fortran_view')
      import
      type(c_ptr), pointer, intent(out) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_view_array_opaque
  end interface sidl_view_array

  !> As sidl_view_array; the reference to the array is kept until sidl_free. If the array is not what
  !! the pointer can point at, that is not associated, and ex is set, and says so of `what`: so for the
  !! copy, too. (A text that ends with a null, for which no generic is found if it is declared as one.)
  interface sidl_take_array
    procedure :: sidl_take_array_logical
    subroutine sidl_take_array_int(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      integer(c_int32_t), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_int
    subroutine sidl_take_array_long(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      integer(c_int64_t), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_long
    subroutine sidl_take_array_float(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      real(c_float), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_float
    subroutine sidl_take_array_double(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      real(c_double), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_double
    subroutine sidl_take_array_fcomplex(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      complex(c_float_complex), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_fcomplex
    subroutine sidl_take_array_dcomplex(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      complex(c_double_complex), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_dcomplex
    subroutine sidl_take_array_opaque(x, array, what, ex) &
        bind(C, name='sidl_fortran_take_array')
      import
      type(c_ptr), pointer, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_array_opaque
  end interface sidl_take_array

  !> Allocates and copies; drops the reference to the array.
  interface sidl_copy_array
    procedure :: sidl_copy_array_logical
    subroutine sidl_copy_array_int(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      integer(c_int32_t), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_int
    subroutine sidl_copy_array_long(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      integer(c_int64_t), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_long
    subroutine sidl_copy_array_float(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      real(c_float), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_float
    subroutine sidl_copy_array_double(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      real(c_double), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_double
    subroutine sidl_copy_array_fcomplex(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      complex(c_float_complex), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_fcomplex
    subroutine sidl_copy_array_dcomplex(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      complex(c_double_complex), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_dcomplex
    subroutine sidl_copy_array_opaque(x, array, what, ex) &
        bind(C, name='sidl_fortran_copy_array')
      import
      type(c_ptr), allocatable, intent(inout) :: x(..)
      type(c_ptr), value :: array
      type(*), intent(in) :: what
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_copy_array_opaque
  end interface sidl_copy_array

  !> Releases an array that a call returned as a pointer, or that sidl_allocate made.
  interface sidl_free
    procedure :: sidl_free_logical
    subroutine sidl_free_int(x) bind(C, name='sidl_fortran_free')
      import
      integer(c_int32_t), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_int
    subroutine sidl_free_long(x) bind(C, name='sidl_fortran_free')
      import
      integer(c_int64_t), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_long
    subroutine sidl_free_float(x) bind(C, name='sidl_fortran_free')
      import
      real(c_float), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_float
    subroutine sidl_free_double(x) bind(C, name='sidl_fortran_free')
      import
      real(c_double), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_double
    subroutine sidl_free_fcomplex(x) bind(C, name='sidl_fortran_free')
      import
      complex(c_float_complex), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_fcomplex
    subroutine sidl_free_dcomplex(x) bind(C, name='sidl_fortran_free')
      import
      complex(c_double_complex), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_dcomplex
    subroutine sidl_free_opaque(x) bind(C, name='sidl_fortran_free')
      import
      type(c_ptr), pointer, intent(inout) :: x(..)
    end subroutine sidl_free_opaque
  end interface sidl_free

  interface
    !> A SIDL array over a Fortran array, until sidl_end_loan. Null for a null array; or with ex set
    !! if it is not possible.
    function sidl_lend(x, kind, lower, what, ex) bind(C, name='sidl_fortran_lend') result(lent)
      import
      type(*), intent(in) :: x(..)
      integer(c_int32_t), value :: kind, lower
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: lent
    end function sidl_lend

    !> The same for a raw array, the argument `what` of a method, which must not be null.
    function sidl_lend_raw(x, kind, what, where, ex) bind(C, name='sidl_fortran_lend_raw') &
        result(lent)
      import
      type(*), intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      character(kind=c_char), intent(in) :: what(*), where(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: lent
    end function sidl_lend_raw

    !> As size(x, dimension), whatever an argument of the method is called.
    function sidl_length(x, dimension) bind(C, name='sidl_fortran_length') result(length)
      import
      type(*), intent(in) :: x(..)
      integer(c_int32_t), value :: dimension
      integer(c_int64_t) :: length
    end function sidl_length

    !> An index argument that is an int and left out: `what` it is equal to; ex is set if it does not
    !! fit.
    function sidl_int_index(length, what, ex) bind(C, name='sidl_fortran_int_index') result(index)
      import
      integer(c_int64_t), value :: length
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
      integer(c_int32_t) :: index
    end function sidl_int_index

    !> That a raw array has the lengths that follow for it from index arguments which are left out.
    subroutine sidl_check_shape(x, extents, what, by, ex) bind(C, name='sidl_fortran_check_shape')
      import
      type(*), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: extents(*)
      character(kind=c_char), intent(in) :: what(*), by(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_check_shape

    !> Around a method whose arrays are given then: what it makes is its to give.
    function sidl_begin_call() bind(C, name='sidl_fortran_begin_call') result(begin)
      import
      integer(c_int64_t) :: begin
    end function sidl_begin_call
    subroutine sidl_end_call(begin) bind(C, name='sidl_fortran_end_call')
      import
      integer(c_int64_t), value :: begin
    end subroutine sidl_end_call

    !> Releases an array that the method made and that will not be returned.
    subroutine sidl_discard(x) bind(C, name='sidl_fortran_discard')
      import
      type(*), intent(in) :: x(..)
    end subroutine sidl_discard

    !> Ends a loan: remaining references get a copy.
    subroutine sidl_end_loan(lent, ex) bind(C, name='sidl_fortran_end_loan')
      import
      type(c_ptr), value :: lent
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_end_loan

    !> The same for an inout argument: copies the elements if another array was returned.
    subroutine sidl_take_back(lent, array, what, ex) bind(C, name='sidl_fortran_take_back')
      import
      type(c_ptr), value :: lent, array
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_take_back

    function sidl_make_strings(x, lower, ex) bind(C, name='sidl_fortran_make_strings') result(array)
      import
      character(kind=c_char, len=*), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: array
    end function sidl_make_strings

    !> The length of the longest string.
    function sidl_longest(array) bind(C, name='sidl_fortran_longest') result(length)
      import
      type(c_ptr), value :: array
      integer(c_int64_t) :: length
    end function sidl_longest

    !> Copies the strings to an array of the same shape.
    subroutine sidl_fill_strings(x, array) bind(C, name='sidl_fortran_fill_strings')
      import
      character(kind=c_char, len=*), intent(inout) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_fill_strings

    !> Copies the elements to an array of the same shape.
    subroutine sidl_fill_array(x, array) bind(C, name='sidl_fortran_fill')
      import
      type(*), intent(inout) :: x(..)
      type(c_ptr), value :: array
    end subroutine sidl_fill_array

    !> A new array with the elements of a Fortran array; null for a null array.
    function sidl_make_array(x, kind, lower, ex) bind(C, name='sidl_fortran_make') result(array)
      import
      type(*), intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: array
    end function sidl_make_array

    !> An array of the objects with these addresses.
    function sidl_make_objects(x, lower, ex) bind(C, name='sidl_fortran_make_objects') result(array)
      import
      type(c_ptr), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: array
    end function sidl_make_objects

    !> Fills null handles with the objects of an array of the same shape.
    subroutine sidl_copy_objects(x, array, info) bind(C, name='sidl_fortran_copy_objects')
      import
      type(c_ptr), intent(inout) :: x(..)
      type(c_ptr), value :: array, info
    end subroutine sidl_copy_objects
  end interface

  !> The array made by the method that a pointer points at, or a copy of what it points at.
  interface sidl_give_array
    procedure :: sidl_give_array_logical
    function sidl_give_array_int(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      integer(c_int32_t), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_int
    function sidl_give_array_long(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      integer(c_int64_t), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_long
    function sidl_give_array_float(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      real(c_float), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_float
    function sidl_give_array_double(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      real(c_double), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_double
    function sidl_give_array_fcomplex(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      complex(c_float_complex), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_fcomplex
    function sidl_give_array_dcomplex(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      complex(c_double_complex), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_dcomplex
    function sidl_give_array_opaque(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
      import
      type(c_ptr), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_give_array_opaque
  end interface sidl_give_array

  !> As sidl_give_array for an inout argument: the array itself if it is unchanged.
  interface sidl_settle_array
    procedure :: sidl_settle_array_logical
    function sidl_settle_array_int(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      integer(c_int32_t), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_int
    function sidl_settle_array_long(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      integer(c_int64_t), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_long
    function sidl_settle_array_float(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      real(c_float), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_float
    function sidl_settle_array_double(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      real(c_double), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_double
    function sidl_settle_array_fcomplex(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      complex(c_float_complex), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_fcomplex
    function sidl_settle_array_dcomplex(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      complex(c_double_complex), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_dcomplex
    function sidl_settle_array_opaque(x, kind, array, ex) bind(C, name='sidl_fortran_settle_array') &
        result(own)
      import
      type(c_ptr), pointer, intent(in) :: x(..)
      integer(c_int32_t), value :: kind
      type(c_ptr), value :: array
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: own
    end function sidl_settle_array_opaque
  end interface sidl_settle_array

contains

  ! ---- logicals ---------------------------------------------------------------------------------
  ! A default logical is not interoperable: with strict standard options a compiler refuses such an
  ! interface wherever it is visible, so it is declared within procedures.

  recursive subroutine sidl_view_array_logical(x, array)
    logical, pointer, intent(out) :: x(..)
    type(c_ptr), value :: array
    interface
      subroutine c_view(x, array) bind(C, name='sidl_fortran_view')
        import
        logical, pointer, intent(out) :: x(..)
        type(c_ptr), value :: array
      end subroutine c_view
    end interface
    call c_view(x, array)
  end subroutine sidl_view_array_logical

  recursive subroutine sidl_take_array_logical(x, array, what, ex)
    logical, pointer, intent(inout) :: x(..)
    type(c_ptr), value :: array
    type(*), intent(in) :: what
    type(c_ptr), intent(inout) :: ex
    interface
      subroutine c_take(x, array, what, ex) &
          bind(C, name='sidl_fortran_take_array')
        import
        logical, pointer, intent(inout) :: x(..)
        type(c_ptr), value :: array
        type(*), intent(in) :: what
        type(c_ptr), intent(inout) :: ex
      end subroutine c_take
    end interface
    call c_take(x, array, what, ex)
  end subroutine sidl_take_array_logical

  recursive subroutine sidl_copy_array_logical(x, array, what, ex)
    logical, allocatable, intent(inout) :: x(..)
    type(c_ptr), value :: array
    type(*), intent(in) :: what
    type(c_ptr), intent(inout) :: ex
    interface
      subroutine c_copy(x, array, what, ex) &
          bind(C, name='sidl_fortran_copy_array')
        import
        logical, allocatable, intent(inout) :: x(..)
        type(c_ptr), value :: array
        type(*), intent(in) :: what
        type(c_ptr), intent(inout) :: ex
      end subroutine c_copy
    end interface
    call c_copy(x, array, what, ex)
  end subroutine sidl_copy_array_logical

  recursive subroutine sidl_free_logical(x)
    logical, pointer, intent(inout) :: x(..)
    interface
      subroutine c_free(x) bind(C, name='sidl_fortran_free')
        import
        logical, pointer, intent(inout) :: x(..)
      end subroutine c_free
    end interface
    call c_free(x)
  end subroutine sidl_free_logical

  recursive function sidl_give_array_logical(x, kind, ex) result(own)
    logical, pointer, intent(in) :: x(..)
    integer(c_int32_t), value :: kind
    type(c_ptr), intent(inout) :: ex
    type(c_ptr) :: own
    interface
      function c_give(x, kind, ex) bind(C, name='sidl_fortran_give') result(own)
        import
        logical, pointer, intent(in) :: x(..)
        integer(c_int32_t), value :: kind
        type(c_ptr), intent(inout) :: ex
        type(c_ptr) :: own
      end function c_give
    end interface
    own = c_give(x, kind, ex)
  end function sidl_give_array_logical

  recursive function sidl_settle_array_logical(x, kind, array, ex) result(own)
    logical, pointer, intent(in) :: x(..)
    integer(c_int32_t), value :: kind
    type(c_ptr), value :: array
    type(c_ptr), intent(inout) :: ex
    type(c_ptr) :: own
    interface
      function c_settle_array(x, kind, array, ex) &
          bind(C, name='sidl_fortran_settle_array') result(own)
        import
        logical, pointer, intent(in) :: x(..)
        integer(c_int32_t), value :: kind
        type(c_ptr), value :: array
        type(c_ptr), intent(inout) :: ex
        type(c_ptr) :: own
      end function c_settle_array
    end interface
    own = c_settle_array(x, kind, array, ex)
  end function sidl_settle_array_logical

end module sidl_fortran_arrays
