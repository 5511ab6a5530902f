! sidl_fortran_binding: what generated modules use of the runtime, under one name. They use
! iso_c_binding themselves: gfortran 12 takes the c_ptr of one that comes by another module, as the
! result of c_loc, for another type.
module sidl_fortran_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use sidl_fortran
  use sidl_fortran_arrays
  implicit none
  public
end module sidl_fortran_binding
