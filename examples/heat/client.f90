! The heat equation on three grids, against the analytic solution: a client in Fortran.
!
!   client_fortran [--url URL] [--field FILE]
!
! With a URL the solver is created on the server there, otherwise in this process. One line is
! printed for each grid; FILE gets the final field of the finest grid as comma-separated values.
program client
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use sidl
  use heat
  implicit none

  real(real64), parameter :: pi = acos(-1.0_real64)
  real(real64), parameter :: end_time = 0.05_real64
  real(real64), parameter :: step_factor = 0.2_real64  ! dt / h^2; 0.25 is the limit of stability
  character(:), allocatable :: url, field_file

  url = option('--url')
  field_file = option('--field')
  call run(17, '')
  call run(33, '')
  call run(65, field_file)

contains

  ! The value of an option of the command line.
  function option(name) result(text)
    character(*), intent(in) :: name
    character(:), allocatable :: text
    character(1000) :: word
    integer :: i
    text = ''
    do i = 1, command_argument_count() - 1, 2
      call get_command_argument(i, word)
      if (word /= name) cycle
      call get_command_argument(i + 1, word)
      text = trim(word)
    end do
  end function option

  elemental function exact(x, y, t) result(u)
    real(real64), intent(in) :: x, y, t
    real(real64) :: u
    u = sin(pi * x) * sin(pi * y) * exp(-2 * pi * pi * t)
  end function exact

  ! The solution on a grid of n by n points.
  function exact_field(n, t) result(u)
    integer, intent(in) :: n
    real(real64), intent(in) :: t
    real(real64) :: u(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        u(i, j) = exact((i - 1) / (n - 1.0_real64), (j - 1) / (n - 1.0_real64), t)
      end do
    end do
  end function exact_field

  subroutine run(n, path)
    integer, intent(in) :: n
    character(*), intent(in) :: path
    type(heat_Solver) :: solver
    type(heat_Stats) :: stats
    real(real64), pointer :: field(:,:)
    real(real64) :: dt
    integer(int64) :: start, finish, rate
    integer :: i, steps
    if (url == '') then
      call solver%create()
    else
      call solver%create_remote(url)
    end if
    call solver%setup(n, n, 1.0_real64, 1.0_real64, 1.0_real64)
    call solver%setBoundary(heat_Boundary_fixed)
    call solver%setField(exact_field(n, 0.0_real64))

    dt = step_factor / ((n - 1.0_real64) * (n - 1.0_real64))
    steps = nint(end_time / dt)
    call system_clock(start, rate)
    do i = 1, steps
      call solver%step(dt, 1)
    end do
    call system_clock(finish)

    call solver%stats(stats)
    call solver%field(field)
    write (*, '(a,i0,a,i0,a,es23.16,a,es23.16,a,f0.3,a,a)') 'grid ', n, ' steps ', stats%steps, &
        ' time ', stats%time, ' error ', maxval(abs(field - exact_field(n, stats%time))), &
        ' us_per_step ', 1e6_real64 * (finish - start) / real(rate, real64) / steps, &
        ' refuses ', merge('yes', 'no ', refuses_unstable_step(solver))
    if (path /= '') call write_field(field, path)
    call sidl_free(field)
  end subroutine run

  ! Asks for a step that is too long; true if the solver refuses it by name.
  function refuses_unstable_step(solver) result(answer)
    type(heat_Solver), intent(in) :: solver
    logical :: answer
    type(sidl_BaseException) :: ex
    type(heat_UnstableStep) :: refusal
    call solver%step(2 * solver%stableStep(), 1, ex)
    refusal = ex
    answer = refusal%not_null()
    if (answer) answer = len(refusal%getNote()) > 0
  end function refuses_unstable_step

  ! As the other clients write it: 17 digits, a line for each x.
  subroutine write_field(field, path)
    real(real64), intent(in) :: field(:,:)
    character(*), intent(in) :: path
    character(32) :: text
    integer :: unit, i, j
    open (newunit=unit, file=path, action='write', status='replace')
    do i = 1, size(field, 1)
      do j = 1, size(field, 2)
        write (text, '(es24.16e3)') field(i, j)
        write (unit, '(a,a)', advance='no') trim(adjustl(text)), merge(',', ' ', j < size(field, 2))
      end do
      write (unit, '(a)') ''
    end do
    close (unit)
  end subroutine write_field

end program client
