!> A rank of the ocean. It has block rows of the basin, and knows the ranks north and south of it.
program ocean
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use sidl
  use sidl_par
  use coupled
  implicit none
  type(sidl_par_Group) :: group
  type(sidl_par_Distribution) :: blocks, rows
  type(coupled_Grid) :: grid
  type(coupled_Ocean) :: water
  integer(int64), pointer :: lengths(:), first(:)
  integer(int32) :: rank

  call group%ofJob(group)
  rank = group%getRank()
  call water%create()
  call water%grid(grid)
  call blocks%blocks([1_int64, 1_int64], int([grid%nx, grid%ny], int64), [1, group%getSize()], &
      blocks)
  call blocks%columnMajor(rows)        ! the order of elements in Fortran, and so in messages
  call rows%getLengths(rank, lengths)
  if (any(lengths == 0)) error stop 'too many ranks: one has no row'
  call rows%getIndex(rank, [0_int64, 0_int64], first)
  call water%begin(int(first(ubound(first, 1)), int32), int(lengths(ubound(lengths, 1)), int32))
  call sidl_free(lengths)
  call sidl_free(first)

  call meet_neighbours()
  call group%publish('ocean', water)
  call group%distribute(water, 'step.flux', rows)
  call group%distribute(water, 'step.sst', rows)
  call group%distribute(water, 'look.sst', rows)
  call group%serve()

contains

  !> Each rank also publishes its part under a name of the server, as an object of its own: rows at
  !> the edges go from one rank to the next by calls of it.
  subroutine meet_neighbours()
    use sidl_rmi, only: sidl_rmi_InstanceRegistry
    type(sidl_rmi_InstanceRegistry) :: registry
    type(coupled_Ocean) :: south, north
    character(:), allocatable :: name
    name = registry%registerInstanceByString(water, 'rows')
    call group%barrier()               ! all have published theirs
    if (rank > 0) call south%connect(url_of(rank - 1)//'#rows')
    if (rank < group%getSize() - 1) call north%connect(url_of(rank + 1)//'#rows')
    call water%meet(south, north)
  end subroutine meet_neighbours

  !> The URL of a rank's server: word `wanted`, counted from 0, of what `sidl launch` says.
  function url_of(wanted) result(url)
    integer(int32), intent(in) :: wanted
    character(:), allocatable :: url, urls
    integer :: length, word
    call get_environment_variable('SIDL_URLS_OCEAN', length=length)
    allocate (character(length) :: urls)
    call get_environment_variable('SIDL_URLS_OCEAN', urls)
    do word = 1, wanted
      urls = urls(index(urls, ' ') + 1:)
    end do
    url = urls(:index(urls//' ', ' ') - 1)
  end function url_of

end program ocean
