! The numbers: plain Fortran that knows nothing of Shinar.
module plate
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: plate_t, plate_make, plate_step, stable_step

  ! heat.Boundary
  integer, parameter :: fixed = 1, insulated = 2, periodic = 3

  type :: plate_t
    integer :: edge = fixed
    real(real64) :: hx = 1, hy = 1, diffusivity = 1
    real(real64), allocatable :: field(:,:), next(:,:)
  end type plate_t

contains

  subroutine plate_make(self, nx, ny, width, height, diffusivity)
    type(plate_t), intent(out) :: self
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: width, height, diffusivity
    self%hx = width / (nx - 1)
    self%hy = height / (ny - 1)
    self%diffusivity = diffusivity
    allocate (self%field(nx, ny), self%next(nx, ny), source=0.0_real64)
  end subroutine plate_make

  pure function stable_step(self) result(dt)
    type(plate_t), intent(in) :: self
    real(real64) :: dt
    dt = 0.5_real64 / (self%diffusivity * (1 / (self%hx * self%hx) + 1 / (self%hy * self%hy)))
  end function stable_step

  ! Forward in time, centred in space: five points of the old field give one of the new.
  subroutine plate_step(self, dt)
    type(plate_t), intent(inout) :: self
    real(real64), intent(in) :: dt
    real(real64), allocatable :: old(:,:)
    call advance(self%field, self%next, self%edge, self%diffusivity * dt / (self%hx * self%hx), &
                 self%diffusivity * dt / (self%hy * self%hy))
    call move_alloc(self%field, old)
    call move_alloc(self%next, self%field)
    call move_alloc(old, self%next)
  end subroutine plate_step

  subroutine advance(u, next, edge, kx, ky)
    real(real64), intent(in), contiguous :: u(:,:)
    real(real64), intent(inout), contiguous :: next(:,:)
    integer, intent(in) :: edge
    real(real64), intent(in) :: kx, ky
    integer :: i, j, nx, ny
    nx = size(u, 1)
    ny = size(u, 2)
    do j = 2, ny - 1
      do i = 2, nx - 1
        next(i, j) = point(i, j, i - 1, i + 1, j - 1, j + 1)
      end do
    end do
    if (edge == fixed) then
      next(1, :) = u(1, :)
      next(nx, :) = u(nx, :)
      next(:, 1) = u(:, 1)
      next(:, ny) = u(:, ny)
      return
    end if
    do j = 1, ny
      call edge_point(1, j)
      call edge_point(nx, j)
    end do
    do i = 1, nx
      call edge_point(i, 1)
      call edge_point(i, ny)
    end do

  contains

    pure real(real64) function point(i, j, west, east, south, north)
      integer, intent(in) :: i, j, west, east, south, north
      point = u(i, j) + kx * (u(west, j) - 2 * u(i, j) + u(east, j)) + &
              ky * (u(i, south) - 2 * u(i, j) + u(i, north))
    end function point

    ! At the edges neighbours are mirrored or wrapped around.
    subroutine edge_point(i, j)
      integer, intent(in) :: i, j
      next(i, j) = point(i, j, before(i, nx), after(i, nx), before(j, ny), after(j, ny))
    end subroutine edge_point

    pure integer function before(i, n)
      integer, intent(in) :: i, n
      before = i - 1
      if (i == 1) before = merge(n - 1, 2, edge == periodic)
    end function before

    pure integer function after(i, n)
      integer, intent(in) :: i, n
      after = i + 1
      if (i == n) after = merge(2, n - 1, edge == periodic)
    end function after

  end subroutine advance

end module plate
