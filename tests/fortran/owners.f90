! Pointers to SIDL arrays as arguments of a method in Fortran, and what that method makes of its own.
program owners
  use, intrinsic :: iso_fortran_env
  use sidl
  use own
  use support
  implicit none
  type(own_Giver) :: giver
  type(sidl_BaseException) :: ex
  character(200) :: server
  real(real64), pointer :: p(:), q(:), v(:), m(:, :)
  integer(int32), pointer :: i(:), j(:)
  real(real64) :: x(3)
  logical :: ok
  integer :: round

  nullify (p, q, v, m, i, j)  ! gfortran 12 looks at the bounds that they had
  call get_environment_variable('OWN_SERVER', server)
  if (server == '') then
    call giver%create()
  else
    call giver%create_remote(trim(server))
  end if

  call sidl_allocate(p, [3])
  p = [1, 2, 3]
  x = [7, 8, 9]
  call giver%swap(p, x)
  call check(all([p, x] == [7, 8, 9, 1, 2, 3]), 'swap with memory of the caller''s own')
  call sidl_allocate(q, [3])
  q = [4, 5, 6]
  call giver%swap(p, q)
  call check(all([p, q] == [4, 5, 6, 7, 8, 9]), 'swap of two of the caller''s arrays')
  call giver%swap(p(1:1), x(2:2))
  call check(all([p, x] == [2, 5, 6, 1, 4, 3]), 'swap of the first element')

  call sidl_allocate(i, [3])
  i = [1, 2, 3]
  call giver%same(i, j)
  i = 9
  call check(all(j == [1, 2, 3]), 'an argument that comes back is a copy')
  call sidl_free(i)
  call check(all(j == [1, 2, 3]), 'and stays when the other one goes')
  call sidl_free(j)
  call giver%also(p, v)
  p = 0
  call check(all(v == [2, 5, 6]), 'an argument that becomes an out argument')
  call sidl_free(v)
  call sidl_free(q)
  call sidl_free(p)

  do round = 1, 2
    call giver%first(2, v)
    call check(size(v) == 2, 'first')
    call check(lbound(v, 1) == 1 .and. all(v == [0, 1]), 'elements of first')
    call sidl_free(v)
  end do
  call giver%everySecond(v)
  call check(size(v) == 5, 'every second')
  call check(all(v == [0, 2, 4, 6, 8]), 'elements of every second')
  call sidl_free(v)
  call giver%backwards(v)
  call check(all(v == [8, 7, 6, 5, 4, 3, 2, 1, 0]), 'backwards')
  call sidl_free(v)
  call giver%columns(m)
  call check(all(shape(m) == [3, 2]), 'columns')
  call check(all(reshape(m, [6]) == [0, 1, 2, 3, 4, 5]), 'elements of columns')
  call sidl_free(m)
  call giver%shifted(v)
  call check(lbound(v, 1) == 5 .and. ubound(v, 1) == 13, 'shifted')
  call check(all(v == [0, 1, 2, 3, 4, 5, 6, 7, 8]), 'elements of shifted')
  call sidl_free(v)
  x = -1
  call giver%become(x)
  call check(all(x == [0, 1, 2]), 'become')

  call sidl_allocate(p, [3])
  p = 5
  call giver%fail(p, q, v, ex)
  call check(ex%not_null(), 'an exception when results are there')
  call ex%deleteRef()
  call check(all(p == 5), 'leaves the arguments')
  call sidl_free(p)

  do round = 1, 2
    call giver%keep(v)
    call check(all(v == [1, 2, 3]), 'what it keeps')
    v = 0
    call sidl_free(v)
  end do

  call giver%upTo(3, v)
  call check(size(v) == 3, 'up to three')
  call sidl_free(v)
  do round = 0, -3, -1
    call giver%upTo(round, v)
    call check(associated(v), 'no elements are an array')
    call check(size(v) == 0, 'of none')
    call sidl_free(v)
  end do
  do round = 1, 64
    call empty_ones(round)
  end do
  call giver%tryUpTo(-2147483647 - 1, 2147483647, ok, v)
  call check(.not. ok .and. .not. associated(v), 'more than can be')
  call giver%tryUpTo(2, 4, ok, v)
  call check(ok .and. size(v) == 3, 'no more than can be')
  call sidl_free(v)
  do round = 1, 3
    call stretch()
  end do
  call finish()

contains

  !> Where a struct is refused that came back, the other results had been there already.
  subroutine stretch()
    type(own_Row) :: row
    type(own_Giver) :: made
    character(:), allocatable :: name
    row%n = 3
    allocate (row%x(3), source=1.0_real64)
    call giver%stretch(row, made, name, ex)
    call check(ex%not_null(), 'a row that was stretched')
    call ex%deleteRef()
    call check(made%is_null(), 'no object beside an exception')
  end subroutine stretch


  !> Giving back what has no elements gives back nothing else, wherever it had been.
  subroutine empty_ones(n)
    integer, intent(in) :: n
    real(real64), pointer :: none(:), no_more(:), full(:), other(:)
    nullify (none, no_more, full, other)
    call sidl_allocate(none, [0])
    call giver%upTo(0, no_more)
    call sidl_allocate(full, [n])
    full = n
    call sidl_free(none)
    call sidl_free(no_more)
    call sidl_allocate(other, [n])
    other = -n
    call check(all(full == n), 'elements of others')
    call sidl_free(full)
    call sidl_free(other)
  end subroutine empty_ones
end program owners
