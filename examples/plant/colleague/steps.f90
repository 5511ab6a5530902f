! Advances a field by the installed kernel, watched by the installed monitor.
program steps
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use sidl
  use plant
  implicit none
  type(plant_Mesh) :: mesh
  type(plant_Kernel) :: kernel
  type(plant_Monitor) :: monitor
  real(real64), allocatable :: field(:)
  real(real64) :: norm
  call mesh%create()
  call mesh%divide(4_int32)
  call mesh%points(field)
  call kernel%create()
  call kernel%use(mesh)
  call monitor%create()
  call kernel%watch(monitor)
  norm = kernel%advance(0.5_real64, field)
  print '(i0, 2f8.5)', monitor%count(), norm, field(ubound(field, 1))
end program steps
