! What the tests in Fortran share.
module support
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: failures = 0
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    write (error_unit, '(2a)') 'does not hold: ', what
  end subroutine check

  subroutine finish()
    if (failures > 0) error stop 1
  end subroutine finish
end module support
