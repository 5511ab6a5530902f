! A pointer to structs in memory that was used before: nullify leaves its bounds as they are.
program stale
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use sidl
  use spot
  implicit none
  type :: holder
    type(spot_Spot), pointer :: spots(:,:)
  end type holder
  integer(int64), target :: memory(64)
  type(holder), pointer :: held
  memory = 140423828420677_int64
  call c_f_pointer(c_loc(memory), held)
  nullify (held%spots)
  call sidl_allocate(held%spots, [2_int64, 3_int64], [1_int64, 0_int64])
  print '(*(i0, :, 1x))', lbound(held%spots), ubound(held%spots)
  call sidl_free(held%spots)
  print '(l1)', associated(held%spots)
end program stale
