! Calls from and to Fortran, each beside its yardstick: a line of JSON for each, in nanoseconds.
!
!   bench_fortran SAMPLES
!   valgrind --tool=callgrind bench_fortran instructions
!
! A figure is the median of samples; those of a call and of its yardstick alternate. As counted by
! callgrind, which writes a dump for each call that is named after it: see tests/test_instructions.py.
module bench_calls
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use sidl
  use benchc
  use benchf
  use heat
  use plate
  implicit none

  interface
    subroutine bare_c_noop() bind(C)
    end subroutine bare_c_noop

    function bare_c_add(a, b) bind(C) result(sum)
      import :: c_int32_t
      integer(c_int32_t), value :: a, b
      integer(c_int32_t) :: sum
    end function bare_c_add

    subroutine from_c_bare_noop(calls) bind(C)
      import :: c_int64_t
      integer(c_int64_t), value :: calls
    end subroutine from_c_bare_noop

    function from_c_bare_add(calls) bind(C) result(sum)
      import :: c_int64_t, c_int32_t
      integer(c_int64_t), value :: calls
      integer(c_int32_t) :: sum
    end function from_c_bare_add

    subroutine from_c_noop(target, calls) bind(C)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: target
      integer(c_int64_t), value :: calls
    end subroutine from_c_noop

    function from_c_add(target, calls) bind(C) result(sum)
      import :: c_int64_t, c_int32_t, c_ptr
      type(c_ptr), value :: target
      integer(c_int64_t), value :: calls
      integer(c_int32_t) :: sum
    end function from_c_add

    subroutine counting_begin() bind(C)
    end subroutine counting_begin

    subroutine counting_end(name) bind(C)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine counting_end

    subroutine measured(calls)
      import :: int64
      integer(int64), intent(in) :: calls
    end subroutine measured
  end interface

  integer, parameter :: grid = 256
  type(benchc_Target) :: in_c
  type(benchf_Target) :: in_fortran
  type(sidl_BaseException) :: exception
  type(heat_Solver) :: solver
  type(plate_t) :: bare_plate
  real(real64) :: small(1) = 1, dt
  real(real64), allocatable :: large(:), start(:,:)
  integer(int32) :: sum
  integer :: samples
  logical :: counts
  integer(int64), parameter :: calls_counted = 1000

contains

  subroutine run()
    character(20) :: word
    call get_command_argument(1, word)
    counts = word == 'instructions'
    if (.not. counts) read (word, *) samples
    call in_c%create()
    call in_fortran%create()
    allocate (large(1000000), source=1.0_real64)
    call solver%create()
    call solver%setup(grid, grid, 1.0_real64, 1.0_real64, 1.0_real64)
    call plate_make(bare_plate, grid, grid, 1.0_real64, 1.0_real64, 1.0_real64)
    allocate (start(grid, grid))
    call random_number(start)
    call solver%setField(start)
    bare_plate%field(:, :) = start
    dt = 0.5_real64 * stable_step(bare_plate)

    call compare('fortran_c.noop', c_noop, bare_noop, 'bare bind(C) call', 100000_int64)
    call compare('fortran_c.noop.exception', c_noop_checked, bare_noop, 'bare bind(C) call', &
                 100000_int64)
    call compare('fortran_c.add', c_add, bare_add, 'bare bind(C) call', 100000_int64)
    call compare('fortran_fortran.noop', fortran_noop, bare_noop, 'bare bind(C) call', 100000_int64)
    call compare('c_fortran.noop', from_c_noops, from_c_bare_noops, 'bare bind(C) call', &
                 100000_int64)
    call compare('c_fortran.add', from_c_adds, from_c_bare_adds, 'bare bind(C) call', 100000_int64)
    call compare('fortran_fortran.array', array_small, fortran_noop, &
                 'inproc.fortran_fortran.noop', 30000_int64)
    call compare('fortran_fortran.array.large', array_large, array_small, &
                 'the same with 1 element', &
                 30000_int64)
    if (counts) return
    call compare('fortran_fortran.heat', heat_steps, bare_steps, 'the same loop called directly', &
                 20_int64)
  end subroutine run

  subroutine bare_noop(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      call bare_c_noop()
    end do
  end subroutine bare_noop

  subroutine bare_add(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      sum = bare_c_add(sum, 1_int32)
    end do
  end subroutine bare_add

  subroutine c_noop(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      call in_c%noop()
    end do
  end subroutine c_noop

  ! As a caller does that wants to hear of exceptions.
  subroutine c_noop_checked(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      call in_c%noop(exception)
    end do
  end subroutine c_noop_checked

  subroutine c_add(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      sum = in_c%add(sum, 1_int32)
    end do
  end subroutine c_add

  subroutine fortran_noop(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      call in_fortran%noop()
    end do
  end subroutine fortran_noop

  subroutine from_c_noops(calls)
    integer(int64), intent(in) :: calls
    call from_c_noop(in_fortran%d_ior, calls)
  end subroutine from_c_noops

  subroutine from_c_adds(calls)
    integer(int64), intent(in) :: calls
    sum = from_c_add(in_fortran%d_ior, calls)
  end subroutine from_c_adds

  subroutine from_c_bare_noops(calls)
    integer(int64), intent(in) :: calls
    call from_c_bare_noop(calls)
  end subroutine from_c_bare_noops

  subroutine from_c_bare_adds(calls)
    integer(int64), intent(in) :: calls
    sum = from_c_bare_add(calls)
  end subroutine from_c_bare_adds

  subroutine array_small(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      if (in_fortran%first(small) /= 1) error stop
    end do
  end subroutine array_small

  subroutine array_large(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      if (in_fortran%first(large) /= 1) error stop
    end do
  end subroutine array_large

  subroutine heat_steps(calls)
    integer(int64), intent(in) :: calls
    call solver%step(dt, int(calls))
  end subroutine heat_steps

  subroutine bare_steps(calls)
    integer(int64), intent(in) :: calls
    integer(int64) :: i
    do i = 1, calls
      call plate_step(bare_plate, dt)
    end do
  end subroutine bare_steps

  ! Nanoseconds for one call.
  function timed(what, calls) result(ns)
    procedure(measured) :: what
    integer(int64), intent(in) :: calls
    real(real64) :: ns
    integer(int64) :: begin, end, rate
    call system_clock(begin, rate)
    call what(calls)
    call system_clock(end)
    ns = 1e9_real64 * real(end - begin, real64) / real(rate, real64) / real(calls, real64)
  end function timed

  subroutine compare(name, what, yardstick, against, calls)
    character(*), intent(in) :: name, against
    procedure(measured) :: what, yardstick
    integer(int64), intent(in) :: calls
    real(real64) :: ours(samples), theirs(samples)
    character(:), allocatable :: dump
    integer :: i
    if (counts) then
      dump = name//c_null_char
      call what(1_int64)  ! whatever is done once
      call counting_begin()
      call what(calls_counted)
      call counting_end(dump)
      return
    end if
    ours(1) = timed(what, calls)
    theirs(1) = timed(yardstick, calls)
    do i = 1, samples
      ours(i) = timed(what, calls)
      theirs(i) = timed(yardstick, calls)
    end do
    write (*, '(3a,es12.5,a,es12.5,3a)') '{"name": "', name, '", "ns": ', median(ours), &
        ', "yardstick": ', median(theirs), ', "against": "', against, '"}'
  end subroutine compare

  function median(values) result(middle)
    real(real64), intent(in) :: values(:)
    real(real64) :: middle, sorted(size(values)), kept
    integer :: i, j
    sorted = values
    do i = 2, size(sorted)
      kept = sorted(i)
      do j = i - 1, 1, -1
        if (sorted(j) <= kept) exit
        sorted(j + 1) = sorted(j)
      end do
      sorted(j + 1) = kept
    end do
    middle = sorted((size(sorted) + 1) / 2)
  end function median

end module bench_calls

program calls
  use bench_calls
  implicit none
  call run()
end program calls
