! What a program has used before a fork, what its child uses after it, and what it does itself then:
! objects of its own and of a server, in Fortran. (tests/protocols/wire/fork.cpp has more of both.)
program forks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use sidl
  use sidl_rmi
  use ty
  use ty_InFortran__m
  use support
  implicit none

  interface
    function fork() bind(C, name='fork') result(id)
      import :: c_int
      integer(c_int) :: id
    end function fork

    function waitpid(id, status, options) bind(C, name='waitpid') result(ended)
      import :: c_int
      integer(c_int), value :: id, options
      integer(c_int), intent(out) :: status
      integer(c_int) :: ended
    end function waitpid

    subroutine end_child(status) bind(C, name='_exit')
      import :: c_int
      integer(c_int), value :: status
    end subroutine end_child

    function alarm(seconds) bind(C, name='alarm') result(left)
      import :: c_int
      integer(c_int), value :: seconds
      integer(c_int) :: left
    end function alarm
  end interface

  integer, parameter :: patience = 20  ! seconds, for what takes milliseconds
  character(*), parameter :: befores(*) = [character(8) :: 'nothing', 'call', 'awaited', 'pending']
  character(200) :: server
  integer :: i

  call get_environment_variable('TY_SERVER', server)
  do i = 1, size(befores)
    call test(trim(befores(i)))
  end do
  call finish()

contains

  subroutine test(before)
    character(*), intent(in) :: before
    type(ty_InFortran) :: own, remote
    type(ty_Raws) :: raws
    type(sidl_rmi_Ticket) :: ticket
    integer(c_int) :: child, status
    call own%create()
    call remote%create_remote(server)
    raws = remote
    select case (before)
    case ('call')
      call check(answers(own) .and. answers(remote), before)
    case ('awaited')
      call check(answers_in_halves(remote), before)
    case ('pending')
      call raws%dot_send([1d0, 2d0], [3d0, 4d0], 2, ticket)
    end select
    child = fork()
    if (child == 0) call be_child(before, own, remote)
    call check(waitpid(child, status, 0) == child .and. status == 0, before//': the child')
    call check(answers(own) .and. answers(remote), before//': the parent')
    call check(answers_in_halves(remote), before//': the parent, in halves')
    if (before == 'pending') call check(raws%dot_recv(ticket) == 11, before//': its answer')
    call own%deleteRef()
    call remote%deleteRef()
  end subroutine test

  ! It has connections of its own: to the parent's object by a handle of the parent's, and to one
  ! that it makes.
  subroutine be_child(before, own, remote)
    character(*), intent(in) :: before
    type(ty_InFortran), intent(in) :: own, remote
    type(ty_InFortran) :: another
    integer :: left
    left = alarm(patience)
    call check(answers(own), before//': an object of the parent''s')
    call check(answers_in_halves(own), before//': that, in halves')
    call check(answers(remote), before//': a handle of the parent''s')
    call check(answers_in_halves(remote), before//': that, in halves')
    call another%create_remote(server)
    call check(answers(another) .and. answers_in_halves(another), before//': one of its own')
    call end_child(merge(0, 1, failures == 0))
  end subroutine be_child

  logical function answers(object)
    type(ty_InFortran), intent(in) :: object
    type(ty_Raws) :: raws
    raws = object
    answers = raws%dot([1d0, 2d0], [3d0, 4d0], 2) == 11
  end function answers

  logical function answers_in_halves(object)
    type(ty_InFortran), intent(in) :: object
    type(ty_Raws) :: raws
    type(sidl_rmi_Ticket) :: ticket
    raws = object
    call raws%dot_send([1d0, 2d0], [3d0, 4d0], 2, ticket)
    answers_in_halves = raws%dot_recv(ticket) == 11
  end function answers_in_halves

end program forks
