! sidl_fortran_binding: the runtime used by generated modules, under one name. They use
! iso_c_binding themselves, as gfortran 12 treats a c_ptr reexported by another module, as the
! result of c_loc, as a different type.
module sidl_fortran_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use sidl_fortran
  use sidl_fortran_arrays
  use sidl_fortran_structs
  implicit none
  public
end module sidl_fortran_binding
