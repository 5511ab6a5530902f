!> The mixed layer of a rectangular ocean basin: heat that is carried by a wind-driven gyre, mixed
!> sideways, and exchanged with sun and air. Plain Fortran, independent of Shinar.
module basin
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: nx, ny, dx, dy, currents, longest_step, advance

  integer, parameter :: nx = 60                       !< cells from west to east
  integer, parameter :: ny = 40                       !< cells from south to north
  real(real64), parameter :: dx = 1e5_real64          !< length of a cell, m
  real(real64), parameter :: dy = 1e5_real64          !< its width, m

  real(real64), parameter :: pi = 3.14159265358979324_real64
  real(real64), parameter :: capacity = 1025*3990*50._real64 !< of 50 m of sea water, J/m^2/K
  real(real64), parameter :: mixing = 2e3_real64      !< lateral diffusivity, m^2/s
  real(real64), parameter :: transport = 8e4_real64   !< largest stream function, m^2/s
  real(real64), parameter :: boundary = 2e5_real64    !< width of the western boundary current, m
  real(real64), parameter :: sun_south = 300          !< sunlight absorbed in the south, W/m^2
  real(real64), parameter :: sun_fall = 160           !< by how much it is less in the north, W/m^2

contains

  !> Stommel's stream function of a subtropical gyre, m^2/s, at the north-eastern corner of cell
  !> (i, j); zero on all walls.
  pure real(real64) function stream(i, j)
    integer, intent(in) :: i, j
    stream = 0
    if (i <= 0 .or. i >= nx .or. j <= 0 .or. j >= ny) return
    stream = transport*(1 - i/real(nx, real64) - exp(-i*dx/boundary))*sin(pi*j/ny)
  end function stream

  !> Velocities in m/s through the eastern sides (u) and the northern sides (v) of the cells of
  !> rows first, first + 1, ...; v begins with the southern side of the first row. What flows into
  !> a cell flows out of it, as both come from differences of one stream function.
  pure subroutine currents(first, u, v)
    integer, intent(in) :: first
    real(real64), intent(out) :: u(0:, :), v(:, 0:)
    integer :: i, j, row
    do j = 1, ubound(u, 2)
      row = first + j - 1
      u(:, j) = [(-(stream(i, row) - stream(i, row - 1))/dy, i=0, nx)]
    end do
    do j = 0, ubound(v, 2)
      row = first + j - 1
      v(:, j) = [((stream(i, row) - stream(i - 1, row))/dx, i=1, nx)]
    end do
  end subroutine currents

  !> The longest stable step, s: in which no cell, in the whole basin, loses more than it has.
  pure real(real64) function longest_step()
    real(real64) :: u(0:nx, ny), v(nx, 0:ny), loss(nx, ny)
    call currents(1, u, v)
    loss = (max(u(1:, :), 0._real64) - min(u(:nx - 1, :), 0._real64))/dx &
        + (max(v(:, 1:), 0._real64) - min(v(:, :ny - 1), 0._real64))/dy &
        + 2*mixing/dx**2 + 2*mixing/dy**2
    longest_step = 1/maxval(loss)
  end function longest_step

  !> One step of dt seconds. t has a row more on either side; flux is the heat into the air, W/m^2.
  pure subroutine advance(t, u, v, flux, first, dt)
    real(real64), intent(inout) :: t(:, 0:)
    real(real64), intent(in) :: u(0:, :), v(:, 0:), flux(:, :), dt
    integer, intent(in) :: first
    real(real64) :: east(0:nx, size(flux, 2)), north(nx, 0:size(flux, 2)), sun
    integer :: i, j, rows
    rows = size(flux, 2)
    do j = 1, rows
      east(0, j) = 0
      east(nx, j) = 0
      do i = 1, nx - 1
        east(i, j) = carried(u(i, j), t(i, j), t(i + 1, j), dx)
      end do
    end do
    do j = 0, rows
      do i = 1, nx
        north(i, j) = carried(v(i, j), t(i, j), t(i, j + 1), dy)
      end do
    end do
    do j = 1, rows
      sun = sun_south - sun_fall*(first + j - 1.5_real64)/ny
      do i = 1, nx
        t(i, j) = t(i, j) + dt*((sun - flux(i, j))/capacity &
            - (east(i, j) - east(i - 1, j))/dx - (north(i, j) - north(i, j - 1))/dy)
      end do
    end do
  end subroutine advance

  !> Heat through a side between two cells in K m/s: upwind advection, and diffusion.
  pure real(real64) function carried(velocity, before, behind, distance)
    real(real64), intent(in) :: velocity, before, behind, distance
    carried = max(velocity, 0._real64)*before + min(velocity, 0._real64)*behind &
        - mixing*(behind - before)/distance
  end function carried

end module basin
