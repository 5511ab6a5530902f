! An array that cannot be, without a variable for the status: the program ends.
program no_index
  use, intrinsic :: iso_fortran_env
  use sidl
  implicit none
  integer(int64), parameter :: lowest = -2_int64**62
  integer(int32), pointer :: x(:,:)
  integer(int32) :: stat
  call sidl_allocate(x, [1_int64, lowest - 1], [1_int64, lowest], stat)
  if (stat /= 1) error stop 'no elements, and no index either'
  call sidl_allocate(x, [1_int64, lowest - 1], [1_int64, lowest])
end program no_index
