! Raw arrays that are not there: compiled without the compiler's own check of pointers, which says so
! before anybody else can.
module null_raws
  use, intrinsic :: iso_fortran_env
  use sidl
  use nul
  use relays
  use support
  implicit none
contains

  subroutine raws(sink)
    class(nul_InCxx), intent(in) :: sink
    type(relays_Relay) :: relay
    type(sidl_BaseException) :: ex
    real(real64), allocatable, save :: none(:)
    real(real64), allocatable :: x(:)
    integer(int32), pointer :: io(:,:)
    integer(int32) :: there(2, 2)
    nullify (io)
    there = 1
    x = [1d0, 2d0]
    call check(sink%raw(x, there, 2) == 7, 'raw arrays')
    call check(all(there(:, 1) == 2), 'an inout one')
    call check(sink%raw(none, there, 2, ex) == 0, 'a raw array that is not there')
    call check(ex%getNote() == 'x of nul.InCxx.raw is not allocated or not associated: a raw array&
        & is memory', 'its note')
    call check(sink%raw(x, io, 2, ex) == 0, 'one that is inout')
    call check(ex%getNote() == 'io of nul.InCxx.raw is not allocated or not associated: a raw array&
        & is memory', 'its note')
    call check(sink%raw(none, io, 0, ex) == 0 .and. ex%is_null(), 'nothing is to be there')
    call relay%create()
    call relay%setNext(sink)
    call check(relay%asRaw(none, there, 2, ex) == 0, 'an array as a raw one')
    call check(ex%getNote() == 'x of nul.Sink.raw is not allocated or not associated: a raw array&
        & is memory', 'its note')
    call relay%deleteRef()
  end subroutine raws

end module null_raws
