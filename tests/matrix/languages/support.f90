! What the suite in Fortran checks values with.
module support
  use, intrinsic :: iso_fortran_env
  use sidl
  use mx
  implicit none

  interface
    !> A copy on a device, or a part of a larger array there, in place of an array.
    function mx_there(here, is_part) bind(C) result(array)
      use, intrinsic :: iso_c_binding
      type(c_ptr), value :: here
      integer(c_int32_t), value :: is_part
      type(c_ptr) :: array
    end function mx_there
  end interface

contains

  !> Whether an array of a struct is one from 0 with these elements.
  function same_array(array, values) result(answer)
    type(sidl_array), intent(in) :: array
    real(real64), intent(in) :: values(:)
    logical :: answer
    real(real64), pointer :: seen(:)
    answer = .false.
    if (array%is_null()) return
    if (array%kind() /= sidl_double_array .or. array%rank() /= 1) return
    if (array%lower(1) /= 0 .or. array%upper(1) /= size(values) - 1) return
    call sidl_view_array(seen, array%d_array)
    answer = all(seen == values)
  end function same_array

  !> Whether an array goes from these bounds to those.
  function has_bounds(array, lower, upper) result(answer)
    type(sidl_array), intent(in) :: array
    integer(int64), intent(in) :: lower(:), upper(:)
    logical :: answer
    integer :: d
    answer = array%rank() == size(upper)
    do d = 1, size(upper)
      answer = answer .and. array%lower64(d) == lower(d) .and. array%upper64(d) == upper(d)
    end do
  end function has_bounds

  !> A string or a character of an array.
  function text_at(array, indices) result(text)
    type(sidl_array), intent(in) :: array
    integer(int64), intent(in) :: indices(:)
    character(:), allocatable :: text
    call array%get(indices, text)
  end function text_at

  !> The number of an object of an array.
  function number_at(array, indices) result(number)
    type(sidl_array), intent(in) :: array
    integer(int64), intent(in) :: indices(:)
    integer(int32) :: number
    type(mx_Named) :: item
    number = -1
    call array%get(indices, item)
    if (item%not_null()) number = item%number()
  end function number_at

  !> Whether a text is this one, to the last blank.
  function same_text(text, expected) result(answer)
    character(*), intent(in) :: text, expected
    logical :: answer
    answer = len(text) == len(expected) .and. text == expected
  end function same_text

  !> What was thrown and should not have been.
  function told(ex) result(said)
    type(sidl_BaseException), intent(in) :: ex
    character(:), allocatable :: said
    integer :: i
    said = 'threw: ' // ex%getNote()
    do i = 1, len(said)
      if (said(i:i) == new_line('a')) said(i:i) = ' '
    end do
  end function told

  !> 'ok' if exactly this class was thrown, with this note, which may be '': any.
  function thrown(ex, name, note) result(said)
    type(sidl_BaseException), intent(in) :: ex
    character(*), intent(in) :: name, note
    character(:), allocatable :: said
    type(sidl_ClassInfo) :: info
    said = 'threw nothing'
    if (ex%is_null()) return
    said = told(ex)
    call ex%getClassInfo(info)
    if (info%getName() /= name) return
    if (note == '' .or. ex%getNote() == note) said = 'ok'
  end function thrown

  subroutine tell(group, name, said)
    character(*), intent(in) :: group, name, said
    write (output_unit, '(5a)') group, achar(9), name, achar(9), said
    flush (output_unit)
  end subroutine tell

end module support
