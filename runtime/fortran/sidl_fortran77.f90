! sidl_fortran77: support for the subroutines for old codes, the generated ones (<package>_f77.f90)
! and those for arrays. Old codes only call the subroutines and do not use this module.
module sidl_fortran77
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_int, c_int8_t, c_int16_t, c_int32_t, &
                                         c_int64_t, c_float, c_double, c_char, c_null_char
  use sidl_fortran, only: sidl_new_string, sidl_free_string, sidl_terminated
  use sidl_fortran_any, only: sidl_array_lower, sidl_array_upper, sidl_array_lower64, &
                              sidl_array_upper64, sidl_array_addref, sidl_array_deleteref
  implicit none
  private

  public :: c_ptr, c_null_ptr, c_int, c_int8_t, c_int16_t, c_int32_t, c_int64_t
  public :: c_float, c_double, c_char
  public :: sidl_new_string, sidl_free_string, sidl_f77_take_string, sidl_f77_fill
  public :: sidl_array_lower, sidl_array_upper, sidl_array_length, sidl_array_stride
  public :: sidl_array_lower64, sidl_array_upper64, sidl_array_length64, sidl_array_stride64
  public :: sidl_array_addref, sidl_array_deleteref, sidl_f77_dimen, sidl_f77_smartcopy
  public :: sidl_f77_iscolumnorder, sidl_f77_isroworder, sidl_f77_array_type

  interface
    function c_strlen(text) bind(C, name='sidl_String_strlen') result(length)
      use, intrinsic :: iso_c_binding, only: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_strlen

    function c_dimen(array) bind(C, name='sidl__array_dimen') result(dimen)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t) :: dimen
    end function c_dimen

    function sidl_array_length(array, dim) bind(C, name='sidl__array_length') result(length)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int32_t) :: length
    end function sidl_array_length

    function sidl_array_length64(array, dim) bind(C, name='sidl__array_length64') result(length)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int64_t) :: length
    end function sidl_array_length64

    function sidl_array_stride(array, dim) bind(C, name='sidl__array_stride') result(stride)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int32_t) :: stride
    end function sidl_array_stride

    function sidl_array_stride64(array, dim) bind(C, name='sidl__array_stride64') result(stride)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: array
      integer(c_int32_t), value :: dim
      integer(c_int64_t) :: stride
    end function sidl_array_stride64

    function sidl_f77_smartcopy(array) bind(C, name='sidl__array_smartCopy') result(kept)
      import :: c_ptr
      type(c_ptr), value :: array
      type(c_ptr) :: kept
    end function sidl_f77_smartcopy

    function sidl_f77_iscolumnorder(array) bind(C, name='sidl__array_isColumnOrder') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: array
      integer(c_int) :: answer
    end function sidl_f77_iscolumnorder

    function sidl_f77_isroworder(array) bind(C, name='sidl__array_isRowOrder') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: array
      integer(c_int) :: answer
    end function sidl_f77_isroworder

    function sidl_f77_array_type(array) bind(C, name='sidl__array_type') result(code)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: array
      integer(c_int32_t) :: code
    end function sidl_f77_array_type

    subroutine too_long(what, room, length, exception) bind(C, name='sidl_f77_too_long')
      import :: c_char, c_int64_t
      character(kind=c_char), intent(in) :: what(*)
      integer(c_int64_t), value :: room, length
      integer(c_int64_t), intent(out) :: exception
    end subroutine too_long
  end interface

contains

  !> The number of dimensions of an array; 0 for a null array.
  recursive function sidl_f77_dimen(array) result(dimen)
    integer(c_int64_t), intent(in) :: array
    integer(c_int32_t) :: dimen
    dimen = c_dimen(transfer(array, c_null_ptr))
  end function sidl_f77_dimen

  !> Copies a C text, which is freed, to a variable like an assignment: padded with blanks, or
  !> truncated. `length` is that of the text without trailing blanks.
  recursive subroutine sidl_f77_fill(text, variable, length)
    use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer
    type(c_ptr), intent(in) :: text
    character(*), intent(out) :: variable
    integer(c_int64_t), intent(out) :: length
    character(kind=c_char), pointer :: bytes(:)
    integer :: i
    variable = ''
    length = 0
    if (.not. c_associated(text)) return
    length = int(c_strlen(text), c_int64_t)
    call c_f_pointer(text, bytes, [length])
    do while (length > 0)
      if (bytes(length) /= ' ') exit
      length = length - 1
    end do
    do i = 1, int(min(length, len(variable, c_int64_t)))
      variable(i:i) = bytes(i)
    end do
    call sidl_free_string(text)
  end subroutine sidl_f77_fill

  !> As sidl_f77_fill, for an output argument; a truncated text is an exception, unless the call has
  !> one already.
  recursive subroutine sidl_f77_take_string(text, variable, what, exception)
    type(c_ptr), intent(in) :: text
    character(*), intent(out) :: variable
    character(*), intent(in) :: what
    integer(c_int64_t), intent(inout) :: exception
    integer(c_int64_t) :: length
    call sidl_f77_fill(text, variable, length)
    if (length <= len(variable) .or. exception /= 0) return
    call too_long(sidl_terminated(what), len(variable, c_int64_t), length, exception)
  end subroutine sidl_f77_take_string

end module sidl_fortran77
