! The same in Fortran, with one kind of handles of MPI or the other.
program world
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64, error_unit
  use mpi_f08
  use sidl
  use sidl_par
  use tide
  implicit none
  integer, parameter :: places = 11
  type(sidl_par_Group) :: group
  type(sidl_par_Distribution) :: divided
  type(sidl_BaseInterface) :: found
  type(tide_Gauge) :: gauge
  type(MPI_Comm) :: part
  character(len=1024), allocatable :: urls(:)
  character(len=8) :: argument
  integer :: rank, level, servers, color
  integer(int64), pointer :: lengths(:)

  call get_command_argument(1, argument)
  read (argument, *) servers
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  color = merge(0, 1, rank < servers)
  call MPI_Comm_split(MPI_COMM_WORLD, color, rank, part)
  call group%ofCommunicator(part%mpi_val, group)
  call divided%blocks([1_int64], [int(places, int64)], [group%getSize()], divided)
  allocate (urls(servers))
  if (color == 0) then
    call serve()
  else
    call call_it()
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()

contains

  subroutine serve()
    character(len=:), allocatable :: all(:)

    call gauge%create()
    call gauge%begin(group%getRank())
    call group%publish('tide', gauge)
    call group%distribute(gauge, 'rise.levels', divided)
    call group%getURLs(all)
    urls = all
    call MPI_Bcast(urls, len(urls)*servers, MPI_CHARACTER, 0, MPI_COMM_WORLD)
  end subroutine

  subroutine call_it()
    real(real64), pointer :: levels(:)
    integer :: turn, i
    integer(int32) :: who

    call MPI_Bcast(urls, len(urls)*servers, MPI_CHARACTER, 0, MPI_COMM_WORLD)
    call group%connect_('tide', urls, found)
    call gauge%cast(found)
    call group%distribute(gauge, 'rise.levels', divided)
    call divided%getLengths(group%getRank(), lengths)
    call sidl_allocate(levels, [lengths(0)])
    levels = [(real(i, real64), i=1, int(lengths(0)))]
    do turn = 1, 3
      who = gauge%rise(levels, 0.5_real64)
      if (who /= mod(group%getRank(), servers)) error stop 'another rank has answered'
    end do
    if (any(levels /= [(i + 1.5_real64, i=1, int(lengths(0)))])) error stop 'a wrong level'
    print '(a)', 'well'
  end subroutine
end program
