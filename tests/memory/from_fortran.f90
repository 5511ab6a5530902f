! Arrays elsewhere from Fortran, with a store in Fortran, in this process or in that of a server
! (FIELDS_SERVER).
program from_fortran
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use sidl
  use fields
  use support
  implicit none

  interface
    function test_space() bind(C) result(space)
      import :: c_ptr
      type(c_ptr) :: space
    end function test_space

    subroutine test_space_fail(fails) bind(C)
      import :: c_int
      integer(c_int), value :: fails
    end subroutine test_space_fail
  end interface

  integer(int32), parameter :: device_type = 12, device_id = 0
  character(200) :: url
  integer :: length
  logical :: is_far
  call get_environment_variable('FIELDS_SERVER', url, length)
  is_far = length > 0
  call check(c_associated(test_space()), 'the space')
  call there_and_back()
  call refusals()
  call finish()
contains

  subroutine there_and_back()
    type(fields_InFortran) :: store
    type(sidl_array) :: here, there, same, back
    real(real64) :: field(3, 2) = reshape([1, 2, 3, 4, 5, 6] * 1._real64, [3, 2])
    real(real64), pointer :: elements(:,:)
    nullify (elements)
    if (is_far) call store%create_remote(trim(url))
    if (.not. is_far) call store%create()
    call sidl_make(here%d_array, field)
    call check(is_at(here, 1, 0), 'host memory')
    call there%to_device(here, device_type, device_id)
    call check(.not. there%is_on_host() .and. is_at(there, device_type, device_id), 'there')
    call check(there%rank() == 2 .and. there%lower(1) == 1 .and. there%upper(2) == 2, 'its shape')
    call same%to_device(there, device_type, device_id)
    call check(c_associated(same%d_array, there%d_array), 'what is there already')
    call store%give_any(there, back)
    call check(is_far .or. is_at(back, device_type, device_id), 'passed on')
    call check(abs(store%total_any(there) - 21) <= 0, 'total')
    back = there
    call check(store%label(back) == 3 .and. back%is_on_host(), 'texts have come for it')
    call check(back%kind() == sidl_string_array, 'they are texts')
    call back%to_device(there, 1, 0)
    call check(back%is_on_host(), 'back')
    call sidl_view_array(elements, back%d_array)
    call check(all(abs(elements - field) <= 0), 'elements')
    back = there
    call there%to_device(there, 1, 0)
    call check(there%is_on_host() .and. .not. back%is_on_host(), 'in its own place')
  end subroutine there_and_back

  subroutine refusals()
    type(sidl_array) :: none, texts, numbers, made
    type(sidl_BaseException) :: exception
    call made%to_device(none, device_type, device_id)
    call check(made%is_null(), 'null')
    call texts%create(sidl_string_array, [2])
    call made%to_device(texts, device_type, device_id, exception)
    call refused('sidl.CastException', 'own something', exception)
    call made%to_device(texts, 1, 0)
    call check(c_associated(made%d_array, texts%d_array), 'texts in host memory')
    call numbers%create(sidl_int_array, [2])
    call made%to_device(numbers, 7, 3, exception)
    call refused('sidl.MemorySpaceException', 'no library has registered how', exception)
    call check(made%is_null(), 'nothing was made')
    call test_space_fail(1)
    call made%to_device(numbers, device_type, device_id, exception)
    call test_space_fail(0)
    call refused('sidl.MemorySpaceException', 'cannot be copied to the test space', exception)
  end subroutine refusals

  function is_at(array, device_type, device_id)
    type(sidl_array), intent(in) :: array
    integer(int32), intent(in) :: device_type, device_id
    logical :: is_at
    integer(int32) :: found(2)
    call array%get_device(found(1), found(2))
    is_at = all(found == [device_type, device_id])
  end function is_at

  subroutine refused(kind, words, exception)
    character(*), intent(in) :: kind, words
    type(sidl_BaseException), intent(inout) :: exception
    character(:), allocatable :: note
    call check(exception%not_null(), kind)
    if (exception%is_null()) return
    call check(exception%isType(kind), kind)
    note = exception%getNote()
    call check(index(note, words) > 0, note)
    call exception%deleteRef()
  end subroutine refused
end program from_fortran
