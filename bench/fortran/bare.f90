! bare: what C calls without Shinar.
module bare
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine bare_fortran_noop() bind(C)
  end subroutine bare_fortran_noop

  function bare_fortran_add(a, b) bind(C) result(sum)
    integer(c_int32_t), value :: a, b
    integer(c_int32_t) :: sum
    sum = a + b
  end function bare_fortran_add
end module bare
