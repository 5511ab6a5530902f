! in_fortran URL: as in_c.c.
program in_fortran
  use, intrinsic :: iso_c_binding, only: c_char
  use, intrinsic :: iso_fortran_env, only: int64
  use sidl
  use huge
  implicit none

  integer(int64), parameter :: count = 2_int64**31 + 5, half = count / 2
  type(huge_Ends) :: ends
  character(200) :: url
  character(kind=c_char), allocatable :: a(:)

  call get_command_argument(1, url)
  call ends%connect(trim(url))
  allocate (a(count))
  a(count) = 'z'
  a(half) = 'h'
  call expect(ends%last(a) == 'z', 'last')
  call expect(ends%last(a(:half)) == 'h', 'the first half')
  call expect(ends%last(a(half + 1:)) == 'z', 'the second half')
  call ends%mark(a)
  call expect(a(count) == 'm', 'mark')
  deallocate (a)
  call ends%make(count, a)
  call expect(size(a, kind=int64) == count, 'make')
  call expect(a(ubound(a, 1, int64)) == 'r', 'the last one made')

contains

  subroutine expect(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (.not. is_right) error stop what
  end subroutine expect

end program in_fortran
