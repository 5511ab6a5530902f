! Runs scripts (model.py): driver URL|- SCRIPT [SCRIPT OF A THREAD]...
module running
  use, intrinsic :: iso_fortran_env
  use sidl
  use mx
  use mixing
  use mixed
  use dispatching
  implicit none
  integer, parameter :: step_new = 1, step_call = 2, step_drop = 3, step_copy = 4, step_tell = 5
  integer, parameter :: objects = 6, numbers = 16, shared = 8
  character(400) :: url

  !> A thread's own.
  type :: run_type
    type(mx_Cell), allocatable :: slots(:)
    integer :: out = output_unit
  end type run_type

contains

  recursive subroutine create(step, made)
    integer(int64), intent(in) :: step(numbers)
    type(mx_Cell), intent(inout) :: made
    type(mx_Child) :: child
    logical :: is_far
    is_far = step(4) == 1 .and. url /= '-'
    if (step(3) == 0) then
      if (is_far) call made%create_remote(url)
      if (.not. is_far) call made%create()
    else
      if (is_far) call child%create_remote(url)
      if (.not. is_far) call child%create()
      made = child
    end if
    call made%setId(step(5))
  end subroutine create

  recursive subroutine call_it(r, step)
    type(run_type), intent(inout) :: r
    integer(int64), intent(in) :: step(numbers)
    type(mx_Cell), allocatable :: in(:), out(:)
    type(mx_Cell) :: target
    character(400) :: said
    integer(int64) :: code
    integer :: i
    allocate (in(objects), out(objects))
    do i = 1, objects
      if (step(4 + i) >= 0) in(i) = r%slots(step(4 + i))
    end do
    target = r%slots(step(2))
    code = dispatch(step(3), target, step(4), in, out, said)
    if (code == -2) then
      write (r%out, '(a)') 'no child'
    else if (code == -1) then
      write (r%out, '(a)') trim(said)
    else
      write (r%out, '(i0)') code
      do i = 1, got_by(step(3))
        if (step(4 + objects + i) >= 0) r%slots(step(4 + objects + i)) = out(i)
      end do
    end if
  end subroutine call_it

  recursive subroutine tell(r, cell)
    type(run_type), intent(in) :: r
    type(mx_Cell), intent(in) :: cell
    if (cell%is_null()) then
      write (r%out, '(a)') 'null'
    else
      write (r%out, '(i0, 1x, i0)') cell%id(), cell%total()
    end if
  end subroutine tell

  recursive subroutine run(r, step)
    type(run_type), intent(inout) :: r
    integer(int64), intent(in) :: step(numbers)
    type(mx_Cell) :: made
    integer(int64) :: here
    here = step(2)
    if (step(1) == step_new) then
      call create(step, made)
      r%slots(here) = made
      write (r%out, '(a)') 'new'
    else if (step(1) == step_drop) then
      call r%slots(here)%deleteRef()
      write (r%out, '(a)') 'drop'
    else if (step(1) == step_copy) then
      made = r%slots(step(3))
      r%slots(here) = made
      write (r%out, '(a)') 'copy'
    else if (step(1) == step_tell .or. r%slots(here)%is_null()) then
      call tell(r, r%slots(here))
    else
      call call_it(r, step)
    end if
  end subroutine run

  !> Runs a step above a stack that it must leave as it was.
  recursive subroutine run_on_pattern(r, step)
    type(run_type), intent(inout) :: r
    integer(int64), intent(in) :: step(numbers)
    integer(int8), volatile :: pad(6000)
    pad = 85_int8
    call run(r, step)
    if (any(pad /= 85_int8)) then
      write (output_unit, '(a)') 'the stack was written to'
      error stop 4
    end if
  end subroutine run_on_pattern

  recursive subroutine run_script(r, path)
    type(run_type), intent(inout) :: r
    character(*), intent(in) :: path
    integer(int64) :: step(numbers)
    integer :: script, status, line
    open (newunit=script, file=path, status='old', action='read')
    do line = 0, huge(line) - 1
      read (script, *, iostat=status) step
      if (status /= 0) exit
      if (mod(line, 2) == 1) then
        call run_on_pattern(r, step)
      else
        call run(r, step)
      end if
      flush (r%out)
    end do
    close (script)
  end subroutine run_script

  !> Several scripts at a time; what they say comes one after another.
  subroutine run_threads(first)
    type(run_type), intent(inout) :: first
    integer :: i, slot, count, status
    integer :: units(16)
    character(400) :: line, path
    count = command_argument_count() - 2
    if (count <= 0) return
    !$omp parallel do num_threads(count) schedule(static, 1) private(path)
    do i = 1, count
      block
        type(run_type) :: own
        integer :: at
        allocate (own%slots(0:39))
        do at = 0, shared - 1
          own%slots(at) = first%slots(at)
        end do
        open (newunit=own%out, status='scratch')
        units(i) = own%out
        call get_command_argument(i + 2, path)
        call run_script(own, path)
      end block
    end do
    !$omp end parallel do
    do i = 1, count
      rewind (units(i))
      do
        read (units(i), '(a)', iostat=status) line
        if (status /= 0) exit
        write (output_unit, '(a)') trim(line)
      end do
      close (units(i))
    end do
    do slot = 0, shared - 1
      call tell(first, first%slots(slot))
    end do
  end subroutine run_threads

  !> How many objects are alive here when all were given back: one.
  integer(int64) function alive_at_last()
    type(mx_Cell) :: last
    integer :: i
    integer(int64) :: began, now, rate
    call last%create()
    call system_clock(began, rate)
    do i = 1, huge(i) - 1
      alive_at_last = last%alive()
      call system_clock(now)
      if (alive_at_last == 1 .or. now - began > 10 * rate) exit
    end do
  end function alive_at_last

  subroutine run_all()
    type(run_type) :: first
    character(400) :: path
    call get_command_argument(1, url)
    call get_command_argument(2, path)
    allocate (first%slots(0:39))
    call run_script(first, path)
    call run_threads(first)
  end subroutine run_all

end module running

program from_fortran
  use, intrinsic :: iso_fortran_env
  use running
  implicit none
  call run_all()
  write (output_unit, '(a, i0)') 'end ', alive_at_last()
end program from_fortran
