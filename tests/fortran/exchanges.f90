! Arrays that a callee exchanges or reverses, here or on a server.
program exchanges
  use, intrinsic :: iso_fortran_env
  use sidl
  use sidl_rmi
  use xch
  use support
  implicit none
  type(xch_Box) :: box
  character(200) :: server
  real(real64) :: x(6)
  integer(int32) :: i(2), j(2), k(2)
  integer(int64) :: m(3), n(3)
  complex(real64) :: z(3)
  logical :: p(2), q(2)
  type(sidl_rmi_Ticket) :: ticket
  integer :: one

  call get_environment_variable('XCH_SERVER', server)
  if (server == '') then
    call box%create()
  else
    call box%create_remote(trim(server))
  end if

  x = [1, 2, 3, 4, 5, 6]
  one = box%swap(x(1:3), x(4:6))
  call check(all(x == [4, 5, 6, 1, 2, 3]), 'swap')
  one = box%swap(x(1:5:2), x(2:6:2))
  call check(all(x == [5, 4, 1, 6, 3, 2]), 'swap of sections')
  call box%swap_send(x(1:3), x(4:6), ticket)
  one = box%swap_recv(ticket, x(1:3), x(4:6))
  call check(all(x == [6, 3, 2, 5, 4, 1]), 'swap in halves')

  i = [1, 2]; j = [3, 4]; k = [5, 6]
  call box%rotate(i, j, k)
  call check(all([i, j, k] == [3, 4, 5, 6, 1, 2]), 'rotate')

  z = [(1, 2), (3, 4), (5, 6)]
  call box%reverse(z)
  call check(all(z == [(5, 6), (3, 4), (1, 2)]), 'reverse')

  m = [1, 2, 3]; n = [4, 5, 6]
  call box%cross(m, n)
  call check(all([m, n] == [6, 5, 4, 3, 2, 1]), 'cross')

  p = .true.; q = .false.
  call box%swapFlags(p, q)
  call check(all(q) .and. .not. any(p), 'flags')
  call finish()
end program exchanges
