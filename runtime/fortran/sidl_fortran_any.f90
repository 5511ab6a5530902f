! sidl_fortran_any: type(sidl_array), a SIDL array of any element type.
module sidl_fortran_any
  use, intrinsic :: iso_c_binding
  use sidl_fortran
  implicit none
  private

  public :: sidl_array
  ! for generated code
  public :: sidl_array_deleteref, sidl_array_addref, sidl_array_lower, sidl_array_upper
  public :: sidl_array_lower64, sidl_array_upper64
  public :: sidl_array_first, sidl_check_array, sidl_expect_array

  character(*), parameter :: this_file = 'sidl_fortran_any.f90'

  !> A SIDL array, or none. Assignment makes both sides the same array. Bounds and indices are
  !! integer(int32) or integer(int64), all of a call alike.
  type :: sidl_array
    type(c_ptr) :: d_array = c_null_ptr
  contains
    !> Makes this a new array with undefined elements (strings and objects are null). Indices begin
    !! at 1 if `lower` is absent.
    procedure, private :: create32 => array_create32
    procedure, private :: create64 => array_create64
    generic :: create => create32, create64
    !> Makes this a part of another array, with which it shares the elements: counts(d) of them in
    !! dimension d, from first(d), or that one without the dimension, if counts(d) is 0.
    procedure, private :: slice32 => array_slice32
    procedure, private :: slice64 => array_slice64
    generic :: slice => slice32, slice64
    !> Makes this an array over the elements of a variable or section of numbers, from 1. The variable
    !! needs the attribute target, and must stay as long as this.
    procedure :: borrow => array_borrow
    !> Elements of arrays of strings, characters or objects.
    procedure, private :: get_text32 => array_get_text32
    procedure, private :: get_text64 => array_get_text64
    procedure, private :: get_object32 => array_get_object32
    procedure, private :: get_object64 => array_get_object64
    procedure, private :: set_text32 => array_set_text32
    procedure, private :: set_text64 => array_set_text64
    procedure, private :: set_object32 => array_set_object32
    procedure, private :: set_object64 => array_set_object64
    generic :: get => get_text32, get_text64, get_object32, get_object64
    generic :: set => set_text32, set_text64, set_object32, set_object64
    !> Its element type: sidl_double_array and the like.
    procedure :: kind => array_kind
    procedure :: rank => array_rank
    !> The bounds of a dimension, the first of which is 1. Those that do not fit 32 bits are answered
    !! for by lower and upper as if there were no such dimension.
    procedure :: lower => array_lower
    procedure :: upper => array_upper
    procedure :: lower64 => array_lower64
    procedure :: upper64 => array_upper64
    !> Whether the elements are dense, with the first or the last index fastest.
    procedure :: is_column_major => array_is_column_major
    procedure :: is_row_major => array_is_row_major
    !> Whether the elements are in host memory, and a copy there of an array whose are not.
    procedure :: is_on_host => array_is_on_host
    procedure :: to_host => array_to_host
    !> A copy in the memory of a device, and where the elements are, by DLPack's type and number of
    !! devices: 2 and 0 are the first one of CUDA, 1 and 0 host memory.
    procedure :: to_device => array_to_device
    procedure :: get_device => array_get_device
    procedure :: is_null => array_is_null
    procedure :: not_null => array_not_null
    procedure :: deleteRef => array_delete_ref
    procedure :: assign => array_assign
    generic :: assignment(=) => assign
    final :: array_finalise
  end type sidl_array

  interface
    subroutine sidl_array_deleteref(array) bind(C, name='sidl__array_deleteRef')
      import :: c_ptr
      type(c_ptr), value :: array
    end subroutine sidl_array_deleteref

    subroutine sidl_array_addref(array) bind(C, name='sidl__array_addRef')
      import :: c_ptr
      type(c_ptr), value :: array
    end subroutine sidl_array_addref

    function c_array_dimen(array) bind(C, name='sidl__array_dimen') result(rank)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t) :: rank
    end function c_array_dimen

    function c_array_type(array) bind(C, name='sidl__array_type') result(code)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t) :: code
    end function c_array_type

    !> Bounds of a dimension; the first is 0. Without 64: 0 and -1 if the bound does not fit.
    function sidl_array_lower(array, dim) bind(C, name='sidl__array_lower') result(bound)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int32_t) :: bound
    end function sidl_array_lower

    function sidl_array_upper(array, dim) bind(C, name='sidl__array_upper') result(bound)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int32_t) :: bound
    end function sidl_array_upper

    function sidl_array_lower64(array, dim) bind(C, name='sidl__array_lower64') result(bound)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int64_t) :: bound
    end function sidl_array_lower64

    function sidl_array_upper64(array, dim) bind(C, name='sidl__array_upper64') result(bound)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int64_t) :: bound
    end function sidl_array_upper64

    !> The address of the first element of an array.
    function sidl_array_first(array) bind(C, name='sidl_fortran_first') result(first)
      import :: c_ptr
      type(c_ptr), value :: array
      type(c_ptr) :: first
    end function sidl_array_first

    function c_is_column_major(array) bind(C, name='sidl__array_isColumnOrder') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: array
      integer(c_int) :: answer
    end function c_is_column_major

    function c_is_row_major(array) bind(C, name='sidl__array_isRowOrder') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: array
      integer(c_int) :: answer
    end function c_is_row_major

    !> Sets `ex` unless the array is null or has elements of this kind and this rank.
    subroutine sidl_check_array(array, kind, rank, what, ex) bind(C, name='sidl_fortran_check')
      import :: c_ptr, c_char, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: kind, rank
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_check_array

    !> As sidl_check_array; drops an array that does not fit, and `array` becomes null.
    subroutine sidl_expect_array(array, kind, rank, what, ex) bind(C, name='sidl_fortran_expect')
      import :: c_ptr, c_char, c_int32_t
      type(c_ptr), intent(inout) :: array
      integer(c_int32_t), value :: kind, rank
      character(kind=c_char), intent(in) :: what(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_expect_array

    function c_create(kind, rank, upper, lower, row_major, ex) &
        bind(C, name='sidl_fortran_create') result(array)
      import :: c_ptr, c_int, c_int32_t, c_int64_t
      integer(c_int32_t), value :: kind, rank
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int), value :: row_major
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: array
    end function c_create

    function c_slice(of, rank, counts, first, step, ex) bind(C, name='sidl_fortran_slice') &
        result(array)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: of
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: counts(*), first(*)
      integer(c_int64_t), intent(in), optional :: step(*)
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: array
    end function c_slice

    function c_borrow(x, ex) bind(C, name='sidl_fortran_borrow') result(array)
      import :: c_ptr
      type(*), dimension(..), intent(in) :: x
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: array
    end function c_borrow

    function c_space(array) bind(C, name='sidl__array_space') result(space)
      import :: c_ptr
      type(c_ptr), value :: array
      type(c_ptr) :: space
    end function c_space

    function c_to_host(of, ex) bind(C, name='sidl_fortran_to_host') result(array)
      import :: c_ptr
      type(c_ptr), value :: of
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: array
    end function c_to_host

    function c_to_device(of, device_type, device_id, ex) bind(C, name='sidl_fortran_to_device') &
        result(array)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: of
      integer(c_int32_t), value :: device_type, device_id
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: array
    end function c_to_device

    subroutine c_get_device(array, device_type, device_id) bind(C, name='sidl_fortran_get_device')
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), intent(out) :: device_type, device_id
    end subroutine c_get_device

    !> Of NUL, a character but no part of a string, the text is empty.
    function c_get_text(array, rank, indices, is_nul, ex) bind(C, name='sidl_fortran_get_text') &
        result(text)
      import :: c_ptr, c_int, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: indices(*)
      integer(c_int), intent(out) :: is_nul
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: text
    end function c_get_text

    subroutine c_set_text(array, rank, indices, text, length, ex) &
        bind(C, name='sidl_fortran_set_text')
      import :: c_ptr, c_char, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: indices(*)
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int32_t), value :: length
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_text

    function c_get_object(array, rank, indices, info, ex) &
        bind(C, name='sidl_fortran_get_object') result(object)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array, info
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: indices(*)
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: object
    end function c_get_object

    subroutine c_set_object(array, rank, indices, object, ex) &
        bind(C, name='sidl_fortran_set_object')
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array, object
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: indices(*)
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_object
  end interface

contains

  ! ---- creating arrays ---------------------------------------------------------------------------

  recursive subroutine replace(self, array, ex, where, exception)
    class(sidl_array), intent(inout) :: self
    type(c_ptr), intent(in) :: array
    type(c_ptr), intent(inout) :: ex
    character(*), intent(in) :: where
    class(sidl_handle), intent(inout), optional :: exception
    call self%deleteRef()
    self%d_array = array
    call sidl_settle(where, this_file, ex, exception)
  end subroutine replace

  recursive subroutine array_create64(self, kind, upper, lower, row_major, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int32_t), intent(in) :: kind
    integer(c_int64_t), intent(in) :: upper(:)
    integer(c_int64_t), intent(in), optional :: lower(size(upper))
    logical, intent(in), optional :: row_major
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: array, ex
    logical :: by_rows
    by_rows = .false.
    if (present(row_major)) by_rows = row_major
    array = c_create(kind, size(upper), upper, lower, sidl_bool(by_rows), ex)
    call replace(self, array, ex, 'create', exception)
  end subroutine array_create64

  recursive subroutine array_create32(self, kind, upper, lower, row_major, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int32_t), intent(in) :: kind, upper(:)
    integer(c_int32_t), intent(in), optional :: lower(size(upper))
    logical, intent(in), optional :: row_major
    class(sidl_handle), intent(inout), optional :: exception
    integer(c_int64_t), allocatable :: lower64(:)  ! absent where it is passed on, unless allocated
    if (present(lower)) lower64 = lower
    call self%create64(kind, int(upper, c_int64_t), lower64, row_major, exception)
  end subroutine array_create32

  recursive subroutine array_borrow(self, x, exception)
    class(sidl_array), intent(inout) :: self
    type(*), dimension(..), intent(in), target :: x
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: array, ex
    array = c_borrow(x, ex)
    call replace(self, array, ex, 'borrow', exception)
  end subroutine array_borrow

  recursive subroutine array_slice64(self, of, counts, first, step, exception)
    class(sidl_array), intent(inout) :: self
    class(sidl_array), intent(in) :: of
    integer(c_int64_t), intent(in) :: counts(:), first(size(counts))
    integer(c_int64_t), intent(in), optional :: step(size(counts))
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: array, ex
    array = c_slice(of%d_array, size(counts), counts, first, step, ex)
    call replace(self, array, ex, 'slice', exception)
  end subroutine array_slice64

  recursive subroutine array_slice32(self, of, counts, first, step, exception)
    class(sidl_array), intent(inout) :: self
    class(sidl_array), intent(in) :: of
    integer(c_int32_t), intent(in) :: counts(:), first(size(counts))
    integer(c_int32_t), intent(in), optional :: step(size(counts))
    class(sidl_handle), intent(inout), optional :: exception
    integer(c_int64_t), allocatable :: step64(:)  ! as lower64 above
    if (present(step)) step64 = step
    call self%slice64(of, int(counts, c_int64_t), int(first, c_int64_t), step64, exception)
  end subroutine array_slice32

  !> The array itself if it is there already.
  recursive subroutine array_to_host(self, of, exception)
    class(sidl_array), intent(inout) :: self
    class(sidl_array), intent(in) :: of
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: array, ex
    array = c_to_host(of%d_array, ex)
    call replace(self, array, ex, 'to_host', exception)
  end subroutine array_to_host

  !> The array itself if it is there already.
  recursive subroutine array_to_device(self, of, device_type, device_id, exception)
    class(sidl_array), intent(inout) :: self
    class(sidl_array), intent(in) :: of
    integer(c_int32_t), intent(in) :: device_type, device_id
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: array, ex
    array = c_to_device(of%d_array, device_type, device_id, ex)
    call replace(self, array, ex, 'to_device', exception)
  end subroutine array_to_device

  subroutine array_get_device(self, device_type, device_id)
    class(sidl_array), intent(in) :: self
    integer(c_int32_t), intent(out) :: device_type, device_id
    call c_get_device(self%d_array, device_type, device_id)
  end subroutine array_get_device

  ! ---- elements ---------------------------------------------------------------------------------

  !> Not allocated afterwards: a null string.
  recursive subroutine array_get_text64(self, indices, text, exception)
    class(sidl_array), intent(in) :: self
    integer(c_int64_t), intent(in) :: indices(:)
    character(:), allocatable, intent(inout) :: text
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: element, ex
    integer(c_int) :: is_nul
    element = c_get_text(self%d_array, size(indices), indices, is_nul, ex)
    call sidl_take_member(element, text)
    if (is_nul /= 0) text = c_null_char
    call sidl_settle('get', this_file, ex, exception)
  end subroutine array_get_text64

  recursive subroutine array_get_text32(self, indices, text, exception)
    class(sidl_array), intent(in) :: self
    integer(c_int32_t), intent(in) :: indices(:)
    character(:), allocatable, intent(inout) :: text
    class(sidl_handle), intent(inout), optional :: exception
    call self%get_text64(int(indices, c_int64_t), text, exception)
  end subroutine array_get_text32

  recursive subroutine array_set_text64(self, indices, text, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int64_t), intent(in) :: indices(:)
    character(*), intent(in) :: text
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    call c_set_text(self%d_array, size(indices), indices, sidl_terminated(text), &
                    len_trim(text), ex)
    call sidl_settle('set', this_file, ex, exception)
  end subroutine array_set_text64

  recursive subroutine array_set_text32(self, indices, text, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int32_t), intent(in) :: indices(:)
    character(*), intent(in) :: text
    class(sidl_handle), intent(inout), optional :: exception
    call self%set_text64(int(indices, c_int64_t), text, exception)
  end subroutine array_set_text32

  !> Null afterwards: no object, or one that is not of the handle's type.
  recursive subroutine array_get_object64(self, indices, object, exception)
    class(sidl_array), intent(in) :: self
    integer(c_int64_t), intent(in) :: indices(:)
    class(sidl_handle), intent(inout) :: object
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: element, ex
    element = c_get_object(self%d_array, size(indices), indices, object%type_info(), ex)
    call object%deleteRef()
    object%d_ior = element
    call sidl_settle('get', this_file, ex, exception)
  end subroutine array_get_object64

  recursive subroutine array_get_object32(self, indices, object, exception)
    class(sidl_array), intent(in) :: self
    integer(c_int32_t), intent(in) :: indices(:)
    class(sidl_handle), intent(inout) :: object
    class(sidl_handle), intent(inout), optional :: exception
    call self%get_object64(int(indices, c_int64_t), object, exception)
  end subroutine array_get_object32

  recursive subroutine array_set_object64(self, indices, object, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int64_t), intent(in) :: indices(:)
    class(sidl_handle), intent(in) :: object
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    call c_set_object(self%d_array, size(indices), indices, object%d_ior, ex)
    call sidl_settle('set', this_file, ex, exception)
  end subroutine array_set_object64

  recursive subroutine array_set_object32(self, indices, object, exception)
    class(sidl_array), intent(inout) :: self
    integer(c_int32_t), intent(in) :: indices(:)
    class(sidl_handle), intent(in) :: object
    class(sidl_handle), intent(inout), optional :: exception
    call self%set_object64(int(indices, c_int64_t), object, exception)
  end subroutine array_set_object32

  ! ---- properties -------------------------------------------------------------------------------

  recursive function array_kind(self) result(code)
    class(sidl_array), intent(in) :: self
    integer(c_int32_t) :: code
    code = c_array_type(self%d_array)
  end function array_kind

  recursive function array_rank(self) result(rank)
    class(sidl_array), intent(in) :: self
    integer :: rank
    rank = c_array_dimen(self%d_array)
  end function array_rank

  recursive function array_lower(self, dim) result(bound)
    class(sidl_array), intent(in) :: self
    integer, intent(in) :: dim
    integer :: bound
    bound = sidl_array_lower(self%d_array, dim - 1_c_int32_t)
  end function array_lower

  recursive function array_upper(self, dim) result(bound)
    class(sidl_array), intent(in) :: self
    integer, intent(in) :: dim
    integer :: bound
    bound = sidl_array_upper(self%d_array, dim - 1_c_int32_t)
  end function array_upper

  recursive function array_lower64(self, dim) result(bound)
    class(sidl_array), intent(in) :: self
    integer, intent(in) :: dim
    integer(c_int64_t) :: bound
    bound = sidl_array_lower64(self%d_array, dim - 1_c_int32_t)
  end function array_lower64

  recursive function array_upper64(self, dim) result(bound)
    class(sidl_array), intent(in) :: self
    integer, intent(in) :: dim
    integer(c_int64_t) :: bound
    bound = sidl_array_upper64(self%d_array, dim - 1_c_int32_t)
  end function array_upper64

  recursive function array_is_column_major(self) result(answer)
    class(sidl_array), intent(in) :: self
    logical :: answer
    answer = c_is_column_major(self%d_array) /= 0
  end function array_is_column_major

  recursive function array_is_row_major(self) result(answer)
    class(sidl_array), intent(in) :: self
    logical :: answer
    answer = c_is_row_major(self%d_array) /= 0
  end function array_is_row_major

  function array_is_on_host(self) result(answer)
    class(sidl_array), intent(in) :: self
    logical :: answer
    answer = .not. c_associated(c_space(self%d_array))
  end function array_is_on_host

  elemental function array_is_null(self) result(answer)
    class(sidl_array), intent(in) :: self
    logical :: answer
    answer = .not. c_associated(self%d_array)
  end function array_is_null

  elemental function array_not_null(self) result(answer)
    class(sidl_array), intent(in) :: self
    logical :: answer
    answer = c_associated(self%d_array)
  end function array_not_null

  ! ---- references -------------------------------------------------------------------------------

  impure elemental recursive subroutine array_delete_ref(self)
    class(sidl_array), intent(inout) :: self
    if (c_associated(self%d_array)) call sidl_array_deleteref(self%d_array)
    self%d_array = c_null_ptr
  end subroutine array_delete_ref

  impure elemental recursive subroutine array_assign(left, right)
    class(sidl_array), intent(inout) :: left
    class(sidl_array), intent(in) :: right
    type(c_ptr) :: array
    array = right%d_array
    if (c_associated(array)) call sidl_array_addref(array)
    call left%deleteRef()
    left%d_array = array
  end subroutine array_assign

  impure elemental recursive subroutine array_finalise(self)
    type(sidl_array), intent(inout) :: self
    call self%deleteRef()
  end subroutine array_finalise

end module sidl_fortran_any
