! in_fortran URL MODE COUNT: as in_cxx.cpp, with arrays of Fortran's.
program in_fortran
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use sidl
  use bulk
  implicit none

  interface
    function bytes_asked_for() bind(C) result(bytes)
      import :: c_int64_t
      integer(c_int64_t) :: bytes
    end function bytes_asked_for
  end interface

  type(bulk_Store) :: store
  character(200) :: url, mode, count
  real(real64), allocatable :: line(:), table(:,:)
  real(real64), pointer :: got(:)
  integer(int32) :: n, i, rows
  integer(int64) :: mine

  call get_command_argument(1, url)
  call get_command_argument(2, mode)
  call get_command_argument(3, count)
  read (count, *) n
  call store%create_remote(trim(url))
  rows = n / 4096
  select case (mode)
  case ('in-rows', 'inout-rows')  ! the first 4096 of columns that are longer
    allocate (table(4100, rows))
    do i = 1, rows
      table(:, i) = i
    end do
  case ('in-slice', 'inout-slice')  ! every other one, backwards
    line = [(real(i, real64), i = 0, 2 * n - 1)]
  case default
    line = [(real(i, real64), i = 0, n - 1)]
  end select

  mine = bytes_asked_for()
  mine = store%bytes()
  mine = bytes_asked_for()
  select case (mode)
  case ('in')
    call expect(store%put(line), n - 1d0)
  case ('in-slice')
    call expect(store%put(line(2 * n:1:-2)), 2d0 * n)
  case ('in-rows')
    call expect(store%putTable(table(1:4096, :)), rows + 1d0)
  case ('in-raw')
    call expect(store%putRaw(line, n), n - 1d0)
  case ('one-way')
    call store%tell(line)
  case ('inout')
    call store%grow(line)
  case ('inout-slice')
    call store%grow(line(2 * n:1:-2))
  case ('inout-rows')
    call store%growTable(table(1:4096, :))
  case ('inout-raw')
    call store%growRaw(line, n)
  case ('result')
    call store%make(n, got)
  case ('result-slice')
    call store%half(n, got)
  case ('out')
    call store%fill(n, got)
  case default
    error stop 'no such mode'
  end select
  mine = bytes_asked_for()

  select case (mode)
  case ('one-way')
    call expect(store%told(), n - 1d0)
  case ('inout', 'inout-raw')
    call expect(line(1), 1d0)
    call expect(line(n), real(n, real64))
  case ('inout-slice')
    call expect(line(2), 2d0)
    call expect(line(1), 0d0)
    call expect(line(2 * n), 2d0 * n)
  case ('inout-rows')
    call expect(table(4096, rows), rows + 1d0)
    call expect(table(4097, rows), real(rows, real64))
  case ('result', 'out')
    call expect(got(n - 1), n - 1d0)
  case ('result-slice')
    call expect(got(n - 1), 2d0 * (n - 1))
  end select
  print '(i0, 1x, i0)', mine, store%bytes()

contains

  subroutine expect(found, wanted)
    real(real64), intent(in) :: found, wanted
    if (found == wanted) return
    print *, found, ' instead of ', wanted
    error stop
  end subroutine expect
end program in_fortran
