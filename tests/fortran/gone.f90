! Uses a variable of a procedure that has returned: the sanitizers must say so.
module gone_frames
  implicit none
  integer, pointer :: kept => null()
contains
  subroutine keep(x)
    integer, target, intent(in) :: x
    kept => x
  end subroutine keep

  subroutine lend()
    integer, target :: local
    local = 5
    call keep(local)
  end subroutine lend
end module gone_frames

program gone
  use gone_frames
  implicit none
  call lend()
  kept = kept + 1
end program gone
